"""What to do about a compile error whose cause is what submissions may use."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from functools import cache

from trainer.cuda.includes import INCLUDE_ROOT, MissingHeader, include_folders

_MARKED_LAMBDA = "annotation on lambda"
_UNKNOWN_API = re.compile(r'identifier "(cuda[A-Z]\w*|cu[A-Z]\w*|curand\w*|nvtx\w*)" is undefined')
_HOST_LIBRARY = re.compile(r"^\s*#\s*include <((?:thrust|cub/device)/[^>\n]+)>", re.MULTILINE)
_UNKNOWN_STD = re.compile(r'namespace "std" has no member "(\w+)"')
_HEADERS = {
    "algorithm": "sort stable_sort fill copy transform reverse count find max_element min_element",
    "numeric": "accumulate iota partial_sum inner_product",
    "utility": "pair make_pair",
    "functional": "function",
    "chrono": "chrono",
    "random": "mt19937 random_device uniform_real_distribution uniform_int_distribution normal_distribution",
    "memory": "unique_ptr make_unique",
    "iostream": "cout cerr endl ostream",
    "tuple": "tuple make_tuple get",
    "vector": "vector",
    "string": "string to_string",
    "array": "array",
}
_LACKING_STD = frozenset(
    "adjacent_difference adjacent_find aligned_storage aligned_storage_t allocator any async atomic"
    " back_inserter barrier bernoulli_distribution bind bit_cast bitset boolalpha chrono_literals cin"
    " complex condition_variable cref current_exception data dec deque discrete_distribution equal_range"
    " error_code exception_ptr execution exponential_distribution filesystem find_end find_first_of"
    " for_each_n format forward_list from_chars fstream future generate_n getline hash hex"
    " holds_alternative ifstream in_place inplace_merge inserter invoke is_heap istringstream"
    " iterator_traits jthread latch launder lexicographical_compare list literals lock_guard make_any"
    " make_heap make_optional make_shared map mem_fn merge midpoint mismatch monostate multimap multiset"
    " mutex next_permutation not_fn nullopt numbers oct ofstream optional ostringstream partition"
    " partition_point placeholders poisson_distribution pop_heap prev_permutation print priority_queue"
    " push_heap queue random_shuffle rbegin ref regex rend replace_if reverse_iterator sample search set"
    " set_difference set_intersection set_union shared_mutex shared_ptr sort_heap source_location span"
    " ssize stable_partition stack stod stof stol stold stoll stoul stoull string_literals string_view"
    " stringstream swap_ranges system_error terminate thread to_chars transform_exclusive_scan"
    " transform_inclusive_scan transform_reduce type_index type_info uninitialized_copy unique_copy"
    " unique_lock unordered_map unordered_multimap unordered_set valarray variant visit wcout"
    " weak_ptr".split()
)
_LACKING_C = frozenset(
    "bsearch fclose fgets fopen fputs fread fscanf fwrite getline perror posix_memalign qsort realloc scanf"
    " sscanf strcat strchr strcpy strdup strncpy strstr strtod strtof strtok strtol strtoul system".split()
)
_UNKNOWN_MEMBER = re.compile(
    r'(?:class|namespace) "((?:std|cub|thrust)::\w+|cub|thrust)\b[^"]*" has no member "(\w+)"'
)
_UNKNOWN_NAME = re.compile(r'identifier "(\w+)" is undefined')
_HEADER_OF = {name: header for header, names in _HEADERS.items() for name in names.split()}


def advice(log: str, missing: Iterable[MissingHeader]) -> str:
    """Sentences, one a line; empty when the compiler's message says it all."""
    lines = [f"line {header.line}: {header.advice}" for header in missing if header.name != "solve.h"]
    for name in _UNKNOWN_API.findall(log):
        close = get_close_matches(name, _api_names(), 1, 0.85)
        lines.append(
            f"Did you mean {close[0]}?" if close else f"{name} is not available to host functions here."
        )
    for name in _UNKNOWN_STD.findall(log):
        if name in _HEADER_OF:
            lines.append(f"std::{name} needs #include <{_HEADER_OF[name]}>.")
        else:
            lines.append(f"std::{name} is not available here; std::vector and plain arrays are.")
    if not _LACKING_C.isdisjoint(_UNKNOWN_NAME.findall(log)):
        lines.append("Host code here allocates, copies, launches and prints; leave the rest out.")
    if "expression must have a constant value" in log:
        lines.append("Array sizes must be constants: host code has std::vector, a kernel extern __shared__.")
    if "dynamic initialization is not supported" in log:
        lines.append("Variables at file scope cannot have constructors that run; move it into the function.")
    if "device-side kernel launch" in log:
        lines.append("Kernels cannot launch kernels here: launch from the host function.")
    if _MARKED_LAMBDA in log:
        lines.append("A kernel takes no lambda from host code: pass a struct with a __device__ operator().")
    if "thrust" in log:
        lines.append(
            "Of Thrust, host code has device_vector, sort, reduce, scan, transform, copy and fill; "
            "write other algorithms as kernels."
        )
    return "\n  ".join(dict.fromkeys(lines))


def lacking(log: str) -> str:
    """What the file needs of CUDA's host interface or of the C++ library and we lack; "" if nothing."""
    if _MARKED_LAMBDA in log:  # nvcc takes it with --extended-lambda
        return "a lambda marked __device__"
    for name in _UNKNOWN_API.findall(log):
        if re.search(rf"\b{name}\s*\(", _cuda_headers()):
            return str(name)
    for name in _UNKNOWN_STD.findall(log):
        if name in _LACKING_STD:
            return f"std::{name}"
    for owner, name in _UNKNOWN_MEMBER.findall(log):
        return f"{owner}::{name}"
    for name in _UNKNOWN_NAME.findall(log):
        if name in _LACKING_C:
            return str(name)
    return ""


def library_part(source: str) -> str:
    """A header of Thrust or CUB for the host that the source (its includes resolved) names and that we
    have no stand-in for; "" if there is none."""
    names = _HOST_LIBRARY.findall(source)
    return next((n for n in names if not (INCLUDE_ROOT / "stubs" / n).is_file()), "")


@cache
def _cuda_headers() -> str:
    names = ("cuda_runtime_api.h", "cuda_runtime.h", "channel_descriptor.h")
    files = (folder / name for folder in include_folders() for name in names)
    return "\n".join(file.read_text(errors="replace") for file in files if file.is_file())


@cache
def _api_names() -> tuple[str, ...]:
    text = (INCLUDE_ROOT / "warpdojo" / "cuda_api.h").read_text()
    return tuple(re.findall(r"#define (cuda\w+) ", text))

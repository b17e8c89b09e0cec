// CUB up to 3.0 names this iterator in its headers. Thrust's own would lead to the rest of Thrust, of which
// CUB counts on the traits below.
#pragma once
#include <thrust/detail/config.h>
#if __has_include(<cuda/__type_traits/is_floating_point.h>)
#include <cuda/__type_traits/is_floating_point.h>
#endif

THRUST_NAMESPACE_BEGIN
template <class System = void> struct discard_iterator {
    using value_type = void;
};
THRUST_NAMESPACE_END

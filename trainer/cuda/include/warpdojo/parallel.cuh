// The kernels behind the device-wide parts of CUB and Thrust: simple, right and deterministic.
// They are launched like any kernel, so the simulator runs them and counts their accesses.
#pragma once

namespace wd_parallel {
constexpr int THREADS = 256;

// Elements [first, last) of thread `t` of one block that shares n elements in order.
struct Chunk {
    long long first, last;
    __device__ Chunk(long long n, int t) {
        long long each = (n + THREADS - 1) / THREADS;
        first = each * t < n ? each * t : n;
        last = first + each < n ? first + each : n;
    }
    __device__ bool empty() const { return first == last; }
};

template <class F> __global__ void each(long long n, F f) {
    long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i < n) f(i);
}

// One block; neighbours are combined first, so `f` need not commute.
template <class In, class Out, class F, class T> __global__ void reduce(In in, Out out, long long n, F f, T init) {
    __shared__ alignas(T) unsigned char raw[THREADS * sizeof(T)];
    T* partial = reinterpret_cast<T*>(raw);
    Chunk mine(n, threadIdx.x);
    if (!mine.empty()) {
        T sum = in[mine.first];
        for (long long i = mine.first + 1; i < mine.last; ++i) sum = f(sum, in[i]);
        partial[threadIdx.x] = sum;
    }
    for (int step = 1; step < THREADS; step *= 2) {
        __syncthreads();
        int other = threadIdx.x + step;
        if (threadIdx.x % (2 * step) == 0 && other < THREADS && !Chunk(n, other).empty())
            partial[threadIdx.x] = f(partial[threadIdx.x], partial[other]);
    }
    if (threadIdx.x == 0) out[0] = n > 0 ? f(init, partial[0]) : init;
}

// One block. Exclusive starts with `init`; inclusive ignores it.
template <class In, class Out, class F, class T>
__global__ void scan(In in, Out out, long long n, F f, T init, bool exclusive) {
    __shared__ alignas(T) unsigned char raw[THREADS * sizeof(T)];
    T* partial = reinterpret_cast<T*>(raw);
    Chunk mine(n, threadIdx.x);
    if (!mine.empty()) {
        T sum = in[mine.first];
        for (long long i = mine.first + 1; i < mine.last; ++i) sum = f(sum, in[i]);
        partial[threadIdx.x] = sum;
    }
    __syncthreads();
    if (threadIdx.x == 0)
        for (int t = 1; t < THREADS && !Chunk(n, t).empty(); ++t) partial[t] = f(partial[t - 1], partial[t]);
    __syncthreads();
    if (mine.empty()) return;
    bool some = exclusive || threadIdx.x > 0;
    T sum = init;
    if (threadIdx.x > 0) sum = exclusive ? (T)f(init, partial[threadIdx.x - 1]) : partial[threadIdx.x - 1];
    for (long long i = mine.first; i < mine.last; ++i) {
        T value = in[i];
        if (exclusive) out[i] = sum;
        sum = some ? (T)f(sum, value) : value;
        some = true;
        if (!exclusive) out[i] = sum;
    }
}

// One block: keeps the order of what `keep(i)` selects and writes how many there are.
template <class In, class Out, class Count, class Keep>
__global__ void select(In in, Out out, Count count, long long n, Keep keep) {
    __shared__ long long before[THREADS + 1];
    Chunk mine(n, threadIdx.x);
    long long kept = 0;
    for (long long i = mine.first; i < mine.last; ++i) kept += keep(i) ? 1 : 0;
    before[threadIdx.x + 1] = kept;
    __syncthreads();
    if (threadIdx.x == 0) {
        before[0] = 0;
        for (int t = 1; t <= THREADS; ++t) before[t] += before[t - 1];
        count[0] = before[THREADS];
    }
    __syncthreads();
    long long position = before[threadIdx.x];
    for (long long i = mine.first; i < mine.last; ++i)
        if (keep(i)) out[position++] = in[i];
}

// One pass of a stable merge sort: every element finds its place by a binary search in the
// neighbouring run.
template <class K, class V, class Less>
__global__ void merge_pass(const K* keys, K* keys_out, const V* values, V* values_out, long long n, long long width,
                           Less less) {
    long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i >= n) return;
    K key = keys[i];
    long long run = i / width, start = (run & ~1LL) * width;
    bool left = run % 2 == 0;
    long long low = left ? start + width : start, high = left ? start + 2 * width : start + width;
    low = low < n ? low : n;
    high = high < n ? high : n;
    long long first = low;
    while (low < high) {
        long long middle = (low + high) / 2;
        bool before = left ? less(keys[middle], key) : !less(key, keys[middle]);
        if (before) low = middle + 1;
        else high = middle;
    }
    long long place = start + (i - run * width) + (low - first);
    keys_out[place] = key;
    if (values) values_out[place] = values[i];
}

// ---- functors, named so that an instance of a kernel can be asked for

struct Sum {
    template <class A, class B> __device__ auto operator()(const A& a, const B& b) const { return a + b; }
};
struct Max {
    template <class T> __device__ T operator()(const T& a, const T& b) const { return a < b ? b : a; }
};
struct Min {
    template <class T> __device__ T operator()(const T& a, const T& b) const { return b < a ? b : a; }
};

// The bits of a key in the order in which a radix sort compares them.
template <class K> struct RadixLess {
    int begin_bit, end_bit;
    bool descending;
    __device__ unsigned long long bits(K key) const {
        unsigned long long pattern = 0;
        memcpy(&pattern, &key, sizeof(K));
        unsigned long long top = 1ull << (8 * sizeof(K) - 1), all = (top - 1) | top;
        if constexpr (std::is_integral_v<K>) {
            if (std::is_signed_v<K>) pattern ^= top;
        } else {
            pattern ^= pattern & top ? all : top;
        }
        int width = end_bit - begin_bit;
        return (pattern >> begin_bit) & (width >= 64 ? ~0ull : (1ull << width) - 1);
    }
    __device__ bool operator()(K a, K b) const { return descending ? bits(b) < bits(a) : bits(a) < bits(b); }
};

#ifdef WARPDOJO_HOST
inline unsigned blocks(long long n) { return (unsigned)((n + THREADS - 1) / THREADS); }

// Sorts keys (and values, unless null) from `keys` into `keys_out`; `spare` holds n more of each.
template <class K, class V, class Less>
void merge_sort(const K* keys, K* keys_out, K* keys_spare, const V* values, V* values_out, V* values_spare,
                long long n, Less less, cudaStream_t stream) {
    int passes = 0;
    while ((1LL << passes) < n) ++passes;
    if (passes == 0 && n > 0) {
        wd_memcpy(keys_out, keys, n * sizeof(K), cudaMemcpyDeviceToDevice, stream, 1);
        if (values) wd_memcpy(values_out, values, n * sizeof(V), cudaMemcpyDeviceToDevice, stream, 1);
    }
    for (int pass = 0; pass < passes; ++pass) {
        bool last_kind = (passes - pass) % 2 == 1;  // the last pass writes to `keys_out`
        K* to = last_kind ? keys_out : keys_spare;
        V* values_to = last_kind ? values_out : values_spare;
        merge_pass<K, V, Less><<<blocks(n), THREADS, 0, stream>>>(keys, to, values, values_to, n, 1LL << pass, less);
        keys = to;
        if (values) values = values_to;
    }
}
#endif
}  // namespace wd_parallel

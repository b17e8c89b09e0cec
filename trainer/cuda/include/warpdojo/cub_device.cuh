// cub::DeviceReduce, DeviceScan, DeviceRadixSort, DeviceHistogram and DeviceSelect: CUB's
// interface, our kernels. The first call of the two-phase protocol (null storage) tells the size.
#pragma once
#ifndef WARPDOJO_LIGHT_CUB
#include <cub/util_type.cuh>
#endif

#include <warpdojo/parallel.cuh>

namespace wd_parallel {
template <class Sample, class Counter, class Level, class N> struct CountEven {
    Sample samples;
    Counter* histogram;
    Level lower, upper;
    int bins;
    __device__ void operator()(N i) const {
        auto sample = samples[i];
        if (sample < lower || !(sample < upper)) return;
        int bin = (int)((sample - lower) / ((upper - lower) / (Level)bins));
        atomicAdd(&histogram[bin < bins ? bin : bins - 1], (Counter)1);
    }
};
template <class Sample, class Counter, class Level, class N> struct CountRange {
    Sample samples;
    Counter* histogram;
    const Level* levels;
    int bins;
    __device__ void operator()(N i) const {
        for (int bin = 0; bin < bins; ++bin)
            if (!(samples[i] < levels[bin]) && samples[i] < levels[bin + 1]) atomicAdd(&histogram[bin], (Counter)1);
    }
};
template <class In, class F> struct Passes {
    In in;
    F f;
    __device__ bool operator()(long long i) const { return f(in[i]); }
};
template <class Flags> struct Flagged {
    Flags flags;
    __device__ bool operator()(long long i) const { return flags[i]; }
};
template <class In> struct Differs {
    In in;
    __device__ bool operator()(long long i) const { return i == 0 || !(in[i] == in[i - 1]); }
};
}  // namespace wd_parallel

#ifdef WARPDOJO_HOST
#define WD_STORAGE(size)                                                                                     \
    if (!storage) {                                                                                          \
        bytes = (size);                                                                                      \
        return cudaSuccess;                                                                                  \
    }

namespace cub {
struct DeviceReduce {
    template <class In, class Out, class F, class T>
    static cudaError_t Reduce(void* storage, size_t& bytes, In in, Out out, long long n, F f, T init,
                              cudaStream_t stream = 0) {
        WD_STORAGE(256)
        wd_parallel::reduce<<<1, wd_parallel::THREADS, 0, stream>>>(in, out, n, f, init);
        return cudaSuccess;
    }
    template <class In, class Out>
    static cudaError_t Sum(void* storage, size_t& bytes, In in, Out out, long long n, cudaStream_t stream = 0) {
        using T = std::decay_t<decltype(*out)>;
        return Reduce(storage, bytes, in, out, n, wd_parallel::Sum(), T(0), stream);
    }
    template <class In, class Out>
    static cudaError_t Max(void* storage, size_t& bytes, In in, Out out, long long n, cudaStream_t stream = 0) {
        using T = std::decay_t<decltype(*out)>;
        return Reduce(storage, bytes, in, out, n, wd_parallel::Max(), std::numeric_limits<T>::lowest(), stream);
    }
    template <class In, class Out>
    static cudaError_t Min(void* storage, size_t& bytes, In in, Out out, long long n, cudaStream_t stream = 0) {
        using T = std::decay_t<decltype(*out)>;
        return Reduce(storage, bytes, in, out, n, wd_parallel::Min(), std::numeric_limits<T>::max(), stream);
    }
};

struct DeviceScan {
    template <class In, class Out, class F, class T>
    static cudaError_t run(void* storage, size_t& bytes, In in, Out out, long long n, F f, T init, bool exclusive,
                           cudaStream_t stream) {
        WD_STORAGE(256)
        wd_parallel::scan<<<1, wd_parallel::THREADS, 0, stream>>>(in, out, n, f, init, exclusive);
        return cudaSuccess;
    }
    template <class In, class Out>
    static cudaError_t InclusiveSum(void* storage, size_t& bytes, In in, Out out, long long n,
                                    cudaStream_t stream = 0) {
        using T = std::decay_t<decltype(*in)>;
        return run(storage, bytes, in, out, n, wd_parallel::Sum(), T(0), false, stream);
    }
    template <class In, class Out>
    static cudaError_t ExclusiveSum(void* storage, size_t& bytes, In in, Out out, long long n,
                                    cudaStream_t stream = 0) {
        using T = std::decay_t<decltype(*in)>;
        return run(storage, bytes, in, out, n, wd_parallel::Sum(), T(0), true, stream);
    }
    template <class In, class Out, class F>
    static cudaError_t InclusiveScan(void* storage, size_t& bytes, In in, Out out, F f, long long n,
                                     cudaStream_t stream = 0) {
        using T = std::decay_t<decltype(*in)>;
        return run(storage, bytes, in, out, n, f, T(), false, stream);
    }
    template <class In, class Out, class F, class T>
    static cudaError_t ExclusiveScan(void* storage, size_t& bytes, In in, Out out, F f, T init, long long n,
                                     cudaStream_t stream = 0) {
        return run(storage, bytes, in, out, n, f, init, true, stream);
    }
};

struct DeviceRadixSort {
    template <class K, class V>
    static cudaError_t run(void* storage, size_t& bytes, const K* keys, K* keys_out, const V* values, V* values_out,
                           long long n, int begin_bit, int end_bit, bool descending, cudaStream_t stream) {
        size_t key_bytes = (n * sizeof(K) + 255) / 256 * 256;
        WD_STORAGE(key_bytes + (values ? n * sizeof(V) : 0) + 256)
        wd_parallel::RadixLess<K> less{begin_bit, end_bit, descending};
        wd_parallel::merge_sort(keys, keys_out, (K*)storage, values, values_out, (V*)((char*)storage + key_bytes), n,
                                less, stream);
        return cudaSuccess;
    }
#define WD_SORT(suffix, descending)                                                                               \
    template <class K>                                                                                            \
    static cudaError_t SortKeys##suffix(void* storage, size_t& bytes, const K* keys, K* out, long long n,         \
                                        int begin = 0, int end = sizeof(K) * 8, cudaStream_t stream = 0) {        \
        return run<K, int>(storage, bytes, keys, out, nullptr, nullptr, n, begin, end, descending, stream);       \
    }                                                                                                             \
    template <class K>                                                                                            \
    static cudaError_t SortKeys##suffix(void* storage, size_t& bytes, DoubleBuffer<K>& keys, long long n,         \
                                        int begin = 0, int end = sizeof(K) * 8, cudaStream_t stream = 0) {        \
        cudaError_t error = run<K, int>(storage, bytes, keys.Current(), keys.Alternate(), nullptr, nullptr, n,    \
                                        begin, end, descending, stream);                                          \
        if (storage) keys.selector ^= 1;                                                                          \
        return error;                                                                                             \
    }                                                                                                             \
    template <class K, class V>                                                                                   \
    static cudaError_t SortPairs##suffix(void* storage, size_t& bytes, const K* keys, K* keys_out,                \
                                         const V* values, V* values_out, long long n, int begin = 0,              \
                                         int end = sizeof(K) * 8, cudaStream_t stream = 0) {                      \
        return run(storage, bytes, keys, keys_out, values, values_out, n, begin, end, descending, stream);        \
    }                                                                                                             \
    template <class K, class V>                                                                                   \
    static cudaError_t SortPairs##suffix(void* storage, size_t& bytes, DoubleBuffer<K>& keys,                     \
                                         DoubleBuffer<V>& values, long long n, int begin = 0,                     \
                                         int end = sizeof(K) * 8, cudaStream_t stream = 0) {                      \
        cudaError_t error = run(storage, bytes, (const K*)keys.Current(), keys.Alternate(),                       \
                                (const V*)values.Current(), values.Alternate(), n, begin, end, descending,        \
                                stream);                                                                          \
        if (storage) keys.selector ^= 1, values.selector ^= 1;                                                    \
        return error;                                                                                             \
    }
    WD_SORT(, false)
    WD_SORT(Descending, true)
#undef WD_SORT
};

struct DeviceHistogram {
    template <class In, class Counter, class Level, class N>
    static cudaError_t HistogramEven(void* storage, size_t& bytes, In samples, Counter* histogram, int levels,
                                     Level lower, Level upper, N n, cudaStream_t stream = 0) {
        WD_STORAGE(256)
        wd_memset(histogram, 0, (levels - 1) * sizeof(Counter), stream);
        wd_parallel::CountEven<In, Counter, Level, N> f{samples, histogram, lower, upper, levels - 1};
        if (n > 0) wd_parallel::each<<<wd_parallel::blocks(n), wd_parallel::THREADS, 0, stream>>>((long long)n, f);
        return cudaSuccess;
    }
    template <class In, class Counter, class Level, class N>
    static cudaError_t HistogramRange(void* storage, size_t& bytes, In samples, Counter* histogram, int levels,
                                      const Level* bounds, N n, cudaStream_t stream = 0) {
        WD_STORAGE(256)
        wd_memset(histogram, 0, (levels - 1) * sizeof(Counter), stream);
        wd_parallel::CountRange<In, Counter, Level, N> f{samples, histogram, bounds, levels - 1};
        if (n > 0) wd_parallel::each<<<wd_parallel::blocks(n), wd_parallel::THREADS, 0, stream>>>((long long)n, f);
        return cudaSuccess;
    }
};

struct DeviceSelect {
    template <class In, class Out, class Count, class Keep>
    static cudaError_t run(void* storage, size_t& bytes, In in, Out out, Count count, long long n, Keep keep,
                           cudaStream_t stream) {
        WD_STORAGE(256)
        wd_parallel::select<<<1, wd_parallel::THREADS, 0, stream>>>(in, out, count, n, keep);
        return cudaSuccess;
    }
    template <class In, class Out, class Count, class F>
    static cudaError_t If(void* storage, size_t& bytes, In in, Out out, Count count, long long n, F f,
                          cudaStream_t stream = 0) {
        return run(storage, bytes, in, out, count, n, wd_parallel::Passes<In, F>{in, f}, stream);
    }
    template <class In, class Flags, class Out, class Count>
    static cudaError_t Flagged(void* storage, size_t& bytes, In in, Flags flags, Out out, Count count, long long n,
                               cudaStream_t stream = 0) {
        return run(storage, bytes, in, out, count, n, wd_parallel::Flagged<Flags>{flags}, stream);
    }
    template <class In, class Out, class Count>
    static cudaError_t Unique(void* storage, size_t& bytes, In in, Out out, Count count, long long n,
                              cudaStream_t stream = 0) {
        return run(storage, bytes, in, out, count, n, wd_parallel::Differs<In>{in}, stream);
    }
};
}  // namespace cub
#undef WD_STORAGE
#endif

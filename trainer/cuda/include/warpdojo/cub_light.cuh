// For a file that uses nothing but device-wide CUB: the few types its interface has, without the
// second that CUB's own headers cost.
#pragma once
#define WARPDOJO_LIGHT_CUB

namespace cub {
template <class T> struct DoubleBuffer {
    T* d_buffers[2];
    int selector;
    __device__ DoubleBuffer() : d_buffers{nullptr, nullptr}, selector(0) {}
    __device__ DoubleBuffer(T* current, T* alternate) : d_buffers{current, alternate}, selector(0) {}
    __device__ T* Current() { return d_buffers[selector]; }
    __device__ T* Alternate() { return d_buffers[selector ^ 1]; }
};
struct Sum {
    template <class T> __device__ T operator()(const T& a, const T& b) const { return a + b; }
};
struct Max {
    template <class T> __device__ T operator()(const T& a, const T& b) const { return a < b ? b : a; }
};
struct Min {
    template <class T> __device__ T operator()(const T& a, const T& b) const { return b < a ? b : a; }
};
}  // namespace cub

#include <warpdojo/cub_device.cuh>

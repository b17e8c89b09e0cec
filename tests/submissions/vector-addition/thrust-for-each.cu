// A functor for each number of a counting iterator. -> accepted
#include <thrust/for_each.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/execution_policy.h>
struct Add {
    const float *a, *b;
    float* c;
    __device__ void operator()(int i) const { c[i] = a[i] + b[i]; }
};
extern "C" void solve(const float* A, const float* B, float* C, int N) {
    thrust::for_each(thrust::device, thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(N),
                     Add{A, B, C});
    cudaDeviceSynchronize();
}

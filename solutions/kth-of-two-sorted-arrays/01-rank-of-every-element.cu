// Every element finds its own rank: its index in its array, plus the number of elements of the other array
// that come before it, by binary search. The one whose rank is k is the answer; all others worked in vain.
#include <cuda_runtime.h>

constexpr int THREADS = 256;

// How many of x[0..n) are below `value`, or, for `with_equal`, not above it.
__device__ int count_before(const float* x, int n, float value, bool with_equal) {
    int low = 0, high = n;
    while (low < high) {
        int middle = (low + high) / 2;
        if (x[middle] < value || (with_equal && x[middle] == value)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

__global__ void rank(const float* A, const float* B, float* output, int M, int N, int k) {
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < M) {
        if (i + count_before(B, N, A[i], false) == k - 1) {
            output[0] = A[i];
        }
    } else if (i - M < N) {  // of equal numbers those of A come first
        if (i - M + count_before(A, M, B[i - M], true) == k - 1) {
            output[0] = B[i - M];
        }
    }
}

extern "C" void solve(const float* A, const float* B, float* output, int M, int N, int k) {
    rank<<<(M + N + THREADS - 1) / THREADS, THREADS>>>(A, B, output, M, N, k);
    cudaDeviceSynchronize();
}

// Bulk copies with a barrier in shared memory. -> accepted
#include <cuda/ptx>
#include <cstdint>
namespace ptx = cuda::ptx;
__global__ void add(const float* A, const float* B, float* C, int n) {
    __shared__ alignas(16) float a[256], b[256], c[256];
    __shared__ uint64_t bar;
    int base = blockIdx.x * 256, m = min(256, n - base), t = threadIdx.x;
    if (m == 256) {
        if (t == 0) {
            ptx::mbarrier_init(&bar, 1);
            ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
        }
        __syncthreads();
        if (t == 0) {
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, a, A + base, 1024, &bar);
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, b, B + base, 1024, &bar);
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar, 2048);
        }
        while (!ptx::mbarrier_try_wait_parity(&bar, 0)) {
        }
        c[t] = a[t] + b[t];
        ptx::fence_proxy_async(ptx::space_shared);
        __syncthreads();
        if (t == 0) {
            ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, C + base, c, 1024);
            ptx::cp_async_bulk_commit_group();
            ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
        }
    } else if (t < m)
        C[base + t] = A[base + t] + B[base + t];
}
extern "C" void solve(const float* A, const float* B, float* C, int N) {
    add<<<(N + 255) / 256, 256>>>(A, B, C, N);
}

// A class of the host owns stream and scratch memory and throws. -> accepted
#include <cuda_runtime.h>
__global__ void k(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = fmaxf(in[i], 0.f);
}
static void check(cudaError_t e) {
    if (e != cudaSuccess) {
        throw 1;
    }
}
int div_up(int a, int b) { return (a + b - 1) / b; }
void start(const float* a, float* b, int n) { k<<<div_up(n, 64), 64>>>(a, b, n); }
class Solver {
  public:
    Solver(int n) : n_(n), stream_(nullptr) {
        check(cudaStreamCreate(&stream_));
        cudaMalloc(&buf_, n * sizeof(float));
    }
    ~Solver() {
        cudaStreamDestroy(stream_);
        cudaFree(buf_);
    }
    void run(const float* a, float* b) {
        start(a, buf_, n_);
        check(cudaMemcpyAsync(b, buf_, n_ * sizeof(float), cudaMemcpyDeviceToDevice, stream_));
    }

  private:
    int n_;
    cudaStream_t stream_;
    float* buf_;
};
extern "C" void solve(const float* input, float* output, int N) {
    Solver s(N);
    s.run(input, output);
}

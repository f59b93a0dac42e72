// expect: 2 · wmma.load.a.sync · unsupported_wmma.cu:7 · kernel
// The tensor cores aren't modelled: refused in one line with the instruction, the kernel and line 7.
__global__ void tensor(const unsigned* matrix, unsigned* out) {
    unsigned r[8];
    // clang-format off
    // One statement on one line, so that its line is known.
    asm volatile("wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%0,%1,%2,%3,%4,%5,%6,%7}, [%8];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]), "=r"(r[4]), "=r"(r[5]), "=r"(r[6]), "=r"(r[7]) : "l"(matrix));
    // clang-format on
    out[threadIdx.x] = r[0];
}

int main() {
    unsigned *matrix, *out;
    cudaMalloc(&matrix, 512);
    cudaMalloc(&out, 128);
    cudaMemset(matrix, 0, 512);
    tensor<<<1, 32>>>(matrix, out);
    cudaDeviceSynchronize();
    cudaFree(matrix);
    cudaFree(out);
    return 0;
}

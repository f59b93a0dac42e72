// Inner products of packed integers, the n-th one of a mask, and compare-and-swap of 16 bits, whose neighbour must stay as it is.
#include <cstdio>

__global__ void products(int* out) {
    out[0] = __dp4a(0x01020304, 0x05060708, 10);                                                       // 1 * 5 + 2 * 6 + 3 * 7 + 4 * 8 + 10
    out[1] = __dp4a((int)0xff000000, 0x7f000000, 0);                                                   // -1 * 127
    out[2] = (int)__dp4a(0xff000000u, 0x7f000000u, 1u);                                                // 255 * 127 + 1
    out[3] = __dp4a(make_char4(1, -2, 3, -4), make_char4(5, 6, 7, 8), 100);                            // 5 - 12 + 21 - 32 + 100
    out[4] = __dp2a_lo((int)0xffff0003, 0x0a0b0405, 0);                                                // 3 * 5 - 1 * 4
    out[5] = __dp2a_hi((int)0xffff0003, 0x0a0b0405, 0);                                                // 3 * 11 - 1 * 10
    out[6] = (int)__dp2a_lo(make_ushort2(65535, 2), make_uchar4(255, 3, 0, 0), 4u);                    // 65535 * 255 + 2 * 3 + 4
    out[7] = (int)__dp2a_hi(0xffff0003u, 0x0a0b0405u, 0u);                                             // 3 * 11 + 65535 * 10
    out[8] = (int)__fns(0x16, 0, 1) * 10000 + (int)__fns(0x16, 0, 3) * 100 + (int)__fns(0x16, 3, -1);  // bits 1, 2 and 4
}
// Each thread adds 1 to one of two neighbouring counters of 16 bits.
__global__ void count(unsigned short* counters) {
    unsigned short* const mine = counters + threadIdx.x % 2;
    unsigned short old = *(volatile unsigned short*)mine;
    for (;;) {
        const unsigned short seen = atomicCAS(mine, old, (unsigned short)(old + 1));
        if (seen == old) break;
        old = seen;
    }
}

int main() {
    const int right[9] = {80, -127, 32386, 82, 11, 23, 16711435, 655383, 1 * 10000 + 4 * 100 + 2};
    int *out = nullptr, found[9];
    unsigned short *counters = nullptr, counts[3] = {65530, 7, 9};
    cudaMalloc(&out, sizeof found);
    cudaMalloc(&counters, sizeof counts);
    products<<<1, 1>>>(out);
    cudaMemcpy(counters, counts, sizeof counts, cudaMemcpyHostToDevice);
    count<<<1, 64>>>(counters);
    cudaMemcpy(found, out, sizeof found, cudaMemcpyDeviceToHost);
    cudaMemcpy(counts, counters, sizeof counts, cudaMemcpyDeviceToHost);
    cudaFree(out);
    cudaFree(counters);
    bool ok = counts[0] == 26 && counts[1] == 39 && counts[2] == 9;  // 65530 + 32 wraps around
    for (int i = 0; i < 9; ++i) {
        if (found[i] != right[i]) printf("%d: %d, expected %d\n", i, found[i], right[i]);
        ok &= found[i] == right[i];
    }
    return !ok;
}

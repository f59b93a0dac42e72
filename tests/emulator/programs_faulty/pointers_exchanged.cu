// expect: 70 · pointers_exchanged.cu:9: cudaMemcpy failed with cudaErrorInvalidValue · the pointers are exchanged · the source is inside a 256-byte allocation made at pointers_exchanged.cu:8 · the destination comes first
// check: api
// Source and destination exchanged in a copy to the device; nobody looks at what the call returns.
#include <cstdio>
int main() {
    int h[64] = {}, *data;
    puts("copying");
    cudaMalloc(&data, sizeof h);
    cudaMemcpy(h, data, sizeof h, cudaMemcpyHostToDevice);
    cudaFree(data);
    return 0;
}

// expect: 70 · source_overwritten.cu:13: the host writes memory that cudaMemcpyAsync may still be reading
// check: host
// The buffer is filled anew for the next piece while the last one is still being copied from it.
#include <cstdio>
int main() {
    const int n = 1024;
    int *h, *data;
    cudaMallocHost(&h, n * sizeof(int));
    cudaMalloc(&data, 2 * n * sizeof(int));
    for (int piece = 0; piece < 2; piece++) {
        for (int i = 0; i < n; i++) h[i] = piece * n + i;
        // The second round's writes may come before the first round's copy has read.
        cudaMemcpyAsync(data + piece * n, h, n * sizeof(int), cudaMemcpyHostToDevice);
    }
    cudaDeviceSynchronize();
    puts("done");
    return 0;
}

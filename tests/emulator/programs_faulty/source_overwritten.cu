// expect: 70 · source_overwritten.cu:13: the host writes memory that cudaMemcpyAsync may still be reading
// check: host
// The buffer is filled anew for the next chunk while the last one is still being copied from it.
#include <cstdio>
int main() {
    const int n = 1024;
    int *h, *data;
    cudaMallocHost(&h, n * sizeof(int));
    cudaMalloc(&data, 2 * n * sizeof(int));
    for (int chunk = 0; chunk < 2; chunk++) {
        for (int i = 0; i < n; i++) h[i] = chunk * n + i;
        // The second round's writes may come before the first round's copy has read.
        cudaMemcpyAsync(data + chunk * n, h, n * sizeof(int), cudaMemcpyHostToDevice);
    }
    cudaDeviceSynchronize();
    puts("done");
    return 0;
}

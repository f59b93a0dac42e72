// expect: 70 · event_recorded_too_early.cu:14: the host reads memory that cudaMemcpyAsync may still be writing · after the call of cudaEventSynchronize at event_recorded_too_early.cu:15
// check: host
// The event that the host waits for was recorded before the copy.
#include <cstdio>
int main() {
    int *h, *data;
    cudaEvent_t copied;
    cudaHostAlloc((void**)&h, 4096, cudaHostAllocDefault);
    cudaMalloc(&data, 4096);
    cudaMemset(data, 0, 4096);
    cudaEventCreate(&copied);
    for (int i = 0; i < 2; i++) {
        cudaEventRecord(copied);
        cudaMemcpyAsync(h, data, 4096, cudaMemcpyDeviceToHost);
        cudaEventSynchronize(copied);
        printf("%d\n", h[0]);
        cudaDeviceSynchronize();
    }
    return 0;
}

// Copies and kernels in several streams, ordered by events; timing with events; host callbacks.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#define CHECK(call)                                                                      \
    {                                                                                    \
        const cudaError_t error = call;                                                  \
        if (error != cudaSuccess) {                                                      \
            fprintf(stderr, "Error: %s:%d, ", __FILE__, __LINE__);                       \
            fprintf(stderr, "code: %d, reason: %s\n", error, cudaGetErrorString(error)); \
            exit(1);                                                                     \
        }                                                                                \
    }

__global__ void increment_kernel(int* g_data, int inc_value) {
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    g_data[idx] = g_data[idx] + inc_value;
}

__global__ void add_streams(const int* a, const int* b, int* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + 10 * b[i];
}

static int callbacks = 0;
void CUDART_CB on_stream_done(cudaStream_t stream, cudaError_t status, void* data) {
    (void)stream;
    if (status == cudaSuccess) callbacks += *(int*)data;
}
void CUDART_CB host_function(void* data) { callbacks += *(int*)data; }

int main() {
    const int n = 32 * 1024, nstreams = 4, chunk = n / nstreams;
    const size_t nbytes = n * sizeof(int);
    cudaDeviceProp deviceProps;
    CHECK(cudaGetDeviceProperties(&deviceProps, 0));
    printf("CUDA device [%s], async engines %d, concurrent kernels %d\n", deviceProps.name, deviceProps.asyncEngineCount,
           deviceProps.concurrentKernels);

    int *a = 0, *b = 0, *d_a = 0, *d_b = 0, *d_c = 0;
    CHECK(cudaMallocHost((void**)&a, nbytes));
    CHECK(cudaHostAlloc((void**)&b, nbytes, cudaHostAllocDefault));
    CHECK(cudaMalloc((void**)&d_a, nbytes));
    CHECK(cudaMalloc((void**)&d_b, nbytes));
    CHECK(cudaMalloc((void**)&d_c, nbytes));
    for (int i = 0; i < n; i++) {
        a[i] = i;
        b[i] = -i;
    }
    cudaStream_t streams[nstreams];
    cudaEvent_t done[nstreams], start, stop;
    for (int i = 0; i < nstreams; i++) {
        CHECK(i % 2 ? cudaStreamCreate(&streams[i]) : cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking));
        CHECK(cudaEventCreateWithFlags(&done[i], cudaEventDisableTiming));
    }
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    CHECK(cudaDeviceSynchronize());

    CHECK(cudaEventRecord(start, streams[0]));
    for (int s = 0; s < nstreams; s++) {
        int offset = s * chunk;
        CHECK(cudaMemcpyAsync(d_a + offset, a + offset, chunk * sizeof(int), cudaMemcpyHostToDevice, streams[s]));
        CHECK(cudaMemcpyAsync(d_b + offset, b + offset, chunk * sizeof(int), cudaMemcpyHostToDevice, streams[s]));
        increment_kernel<<<chunk / 512, 512, 0, streams[s]>>>(d_a + offset, 26);
        CHECK(cudaEventRecord(done[s], streams[s]));
    }
    for (int s = 1; s < nstreams; s++) CHECK(cudaStreamWaitEvent(streams[0], done[s], 0));
    add_streams<<<(n + 255) / 256, 256, 0, streams[0]>>>(d_a, d_b, d_c, n);
    CHECK(cudaMemcpyAsync(a, d_c, nbytes, cudaMemcpyDeviceToHost, streams[0]));
    CHECK(cudaEventRecord(stop, streams[0]));
    int one = 1, hundred = 100;
    CHECK(cudaStreamAddCallback(streams[0], on_stream_done, &one, 0));
    CHECK(cudaLaunchHostFunc(streams[1], host_function, &hundred));

    unsigned long counter = 0;
    while (cudaEventQuery(stop) == cudaErrorNotReady) counter++;
    float gpu_time = -1.0f;
    CHECK(cudaEventElapsedTime(&gpu_time, start, stop));
    printf("time spent executing by the GPU: %.2f, CPU executed %lu iterations while waiting\n", gpu_time, counter);
    for (int s = 0; s < nstreams; s++) {
        CHECK(cudaStreamSynchronize(streams[s]));
        CHECK(cudaStreamQuery(streams[s]));
    }
    int bad = gpu_time < 0;
    for (int i = 0; i < n; i++) bad += a[i] != i + 26 - 10 * i;
    if (callbacks != 101) {
        printf("callbacks: %d\n", callbacks);
        bad++;
    }
    for (int i = 0; i < nstreams; i++) {
        CHECK(cudaEventDestroy(done[i]));
        CHECK(cudaStreamDestroy(streams[i]));
    }
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    CHECK(cudaFreeHost(a));
    CHECK(cudaFreeHost(b));
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
    CHECK(cudaFree(d_c));
    CHECK(cudaDeviceReset());
    printf("%s\n", bad ? "FAILED" : "PASSED");
    exit(bad ? EXIT_FAILURE : EXIT_SUCCESS);
}

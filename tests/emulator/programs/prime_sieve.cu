// Primes by a segmented sieve in shared memory, and by trial division with early exit; greatest common divisors; Collatz lengths.
#include <stdio.h>
#include <stdlib.h>

#define LIMIT 20000
#define SEGMENT 2048

__global__ void sieve(unsigned char* composite, int limit) {
    __shared__ unsigned char segment[SEGMENT];
    int low = blockIdx.x * SEGMENT;
    for (int i = threadIdx.x; i < SEGMENT; i += blockDim.x) segment[i] = low + i < 2;
    __syncthreads();
    // One prime candidate after another, its multiples shared out: no two threads write the same byte between barriers.
    for (int p = 2; p * p < low + SEGMENT; p++) {
        int first = max(p * p, (low + p - 1) / p * p);
        for (int m = first + p * threadIdx.x; m < low + SEGMENT; m += p * blockDim.x) segment[m - low] = 1;
        __syncthreads();
    }
    for (int i = threadIdx.x; i < SEGMENT && low + i < limit; i += blockDim.x) composite[low + i] = segment[i];
}

__global__ void trial_division(int* count, int limit) {
    int candidate = blockIdx.x * blockDim.x + threadIdx.x;
    if (candidate < 2 || candidate >= limit) return;
    for (int d = 2; d * d <= candidate; d++)
        if (candidate % d == 0) return;
    atomicAdd(count, 1);
}

__host__ __device__ unsigned long long gcd(unsigned long long a, unsigned long long b) {
    while (b) {
        unsigned long long t = a % b;
        a = b;
        b = t;
    }
    return a;
}
__host__ __device__ int collatz(long long n) {
    int steps = 0;
    for (; n != 1; steps++) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
    return steps;
}

__global__ void numbers(unsigned long long* gcds, int* lengths, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    gcds[i] = gcd(i * 6469693230ull + 30030, i * 510510ull);
    lengths[i] = collatz(i + 1);
}

int main() {
    int bad = 0, count = 0, host_count = 0, n = 1000;
    unsigned char *d, *h = (unsigned char*)malloc(LIMIT), *ref = (unsigned char*)calloc(LIMIT, 1);
    ref[0] = ref[1] = 1;
    for (int p = 2; p * p < LIMIT; p++)
        if (!ref[p])
            for (int m = p * p; m < LIMIT; m += p) ref[m] = 1;
    cudaMalloc((void**)&d, LIMIT);
    sieve<<<(LIMIT + SEGMENT - 1) / SEGMENT, 128>>>(d, LIMIT);
    cudaMemcpy(h, d, LIMIT, cudaMemcpyDeviceToHost);
    for (int i = 0; i < LIMIT; i++) {
        bad += h[i] != ref[i];
        host_count += !ref[i];
    }
    int *d_count, *d_lengths;
    cudaMalloc((void**)&d_count, sizeof(int));
    cudaMemset(d_count, 0, sizeof(int));
    trial_division<<<(LIMIT + 255) / 256, 256>>>(d_count, LIMIT);
    cudaMemcpy(&count, d_count, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d primes below %d, %d by trial division\n", host_count, LIMIT, count);
    bad += count != host_count;
    unsigned long long *d_gcds, *gcds = (unsigned long long*)malloc(n * sizeof *gcds);
    int* lengths = (int*)malloc(n * sizeof *lengths);
    cudaMalloc((void**)&d_gcds, n * sizeof *gcds);
    cudaMalloc((void**)&d_lengths, n * sizeof *lengths);
    numbers<<<(n + 63) / 64, 64>>>(d_gcds, d_lengths, n);
    cudaMemcpy(gcds, d_gcds, n * sizeof *gcds, cudaMemcpyDeviceToHost);
    cudaMemcpy(lengths, d_lengths, n * sizeof *lengths, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) bad += gcds[i] != gcd(i * 6469693230ull + 30030, i * 510510ull) || lengths[i] != collatz(i + 1);
    cudaFree(d);
    cudaFree(d_count);
    cudaFree(d_gcds);
    cudaFree(d_lengths);
    free(h);
    free(ref);
    free(gcds);
    free(lengths);
    bad += cudaGetLastError() != cudaSuccess;
    printf("%s\n", bad ? "FAILED" : "PASSED");
    return bad ? EXIT_FAILURE : EXIT_SUCCESS;
}

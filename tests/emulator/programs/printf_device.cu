// printf on the device with every common conversion, and an assert that holds; text goes through a pipe so that the program can check it.
#include <unistd.h>

#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

__global__ void conversions() {
    assert(blockDim.x == 1);
    printf("plain text\n");
    printf("%d %i %u %x %X %o %%|\n", -42, 7, 4000000000u, 255, 255, 8);
    printf("%5d|%-5d|%05d|%+d\n", 42, 42, 42, 42);
    printf("%lld %llu %llx %ld\n", -1234567890123LL, 18446744073709551615ULL, 0xdeadbeefcafeULL, 1234567890123L);
    printf("%f %.3f %10.2f %e %g\n", 1.5, 3.14159265, -2.0 / 3, 12345.678, 1e-7);
    printf("%s and %s: %c%c\n", "a string", "another", 'o', 'k');
    float single = 0.1f;
    short small = -3;
    printf("%.9f %d %hd\n", single, small, small);
    printf("pointer %s null\n", (void*)0 == nullptr ? "is" : "isn't");
    printf("%*d|%-8.2f|\n", 6, 17, 2.71828);
    printf("%*d|%.999999999f|\n", 1 << 30, 17, 1.0);  // too wide to be meant
}

__global__ void one_line_each(int base) {
    if (threadIdx.x % 8 == 3) printf("[%d, %d]: value is %d\n", blockIdx.y * gridDim.x + blockIdx.x, threadIdx.x, base + threadIdx.x);
}

__global__ void returns_count(int* out) { *out = printf("%d %s\n", 1, "two"); }

static std::string captured(int read_end) {
    std::string text;
    char buffer[4096];
    ssize_t n;
    while ((n = read(read_end, buffer, sizeof buffer)) > 0) text.append(buffer, n);
    return text;
}

int main() {
    int ends[2], saved = dup(1);
    if (pipe(ends) != 0) return 1;
    fflush(stdout);
    dup2(ends[1], 1);
    conversions<<<1, 1>>>();
    cudaDeviceSynchronize();
    one_line_each<<<dim3(1, 1), 32>>>(10);
    int *count, host_count = 0;
    cudaMalloc(&count, sizeof(int));
    returns_count<<<1, 1>>>(count);
    cudaMemcpy(&host_count, count, sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(count);
    cudaError_t e = cudaDeviceSynchronize();
    fflush(stdout);
    dup2(saved, 1);
    close(ends[1]);
    std::string got = captured(ends[0]);
    const std::string want =
        "plain text\n"
        "-42 7 4000000000 ff FF 10 %|\n"
        "   42|42   |00042|+42\n"
        "-1234567890123 18446744073709551615 deadbeefcafe 1234567890123\n"
        "1.500000 3.142      -0.67 1.234568e+04 1e-07\n"
        "a string and another: ok\n"
        "0.100000001 -3 -3\n"
        "pointer is null\n"
        "    17|2.72    |\n"
        "17|1.000000|\n"
        "[0, 3]: value is 13\n"
        "[0, 11]: value is 21\n"
        "[0, 19]: value is 29\n"
        "[0, 27]: value is 37\n"
        "1 two\n";
    bool ok = got == want && host_count == 2 && e == cudaSuccess;
    printf("%sprintf returned %d (the number of arguments)\n%s\n", got.c_str(), host_count, ok ? "PASSED" : "FAILED");
    return ok ? 0 : 1;
}

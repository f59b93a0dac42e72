// What nvcc brings into host code without an #include: C's headers with std's overloads, and CUDA's own functions.
__global__ void set(int* out) { *out = 1; }

static bool is_close(double a, double b) { return abs(a - b) < 1e-6; }

int main() {
    const float f = -0.75f;
    const double d = -0.75;
    const clock_t start = clock();
    srand((unsigned)time(NULL));
    char text[8];
    memset(text, 0, sizeof text);
    strcpy(text, "-42");
    bool ok = abs(f) == 0.75f && abs(d) == 0.75 && abs(-3L) == 3 && sizeof(abs(f)) == sizeof(float) && atoi(text) == -42;
    ok &= sizeof(sqrt(2.0f)) == sizeof(float) && sizeof(pow(2.0f, 2)) == sizeof(double) && floor(-0.5f) == -1 && isnan(sqrt(d)) != 0;
    ok &= signbit(f) != 0 && isdigit(text[1]) != 0 && max(1, 2u) == 2 && min(0.5f, 0.25) == 0.25 && min(3L, 2L) == 2;
    // normcdf(1.96) from tables of the normal distribution; the others by definition.
    ok &= is_close(normcdf(1.959963984540054), 0.975) && is_close(sinpi(100000.5), 1) && is_close(cospif(1.0f), -1);
    ok &= is_close(rsqrt(4.0), 0.5) && is_close(rcbrtf(8.0f), 0.5) && clock() >= start;
    dim3 grid = {(int)sizeof(int) / 4, 1, 1};
    int* out;
    int host = 0;
    cudaMalloc(&out, sizeof(int));
    set<<<grid, 1>>>(out);
    cudaMemcpy(&host, out, sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(out);
    ok &= strcmp(cudaGetErrorName(cudaErrorApiFailureBase), "cudaErrorApiFailureBase") == 0 && cudaErrorApiFailureBase == 10000;
    return !(ok && host == 1);
}

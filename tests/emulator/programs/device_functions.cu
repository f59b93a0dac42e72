// Calls on the device: recursion, function pointers in a table, virtual functions on objects made there, and noinline helpers.
#include <cstdio>

__device__ __noinline__ unsigned long long fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

__device__ __noinline__ int ackermann(int m, int n) {
    if (m == 0) return n + 1;
    if (n == 0) return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

__global__ void recursion(unsigned long long* out) {
    int i = threadIdx.x;
    out[i] = i < 15 ? fibonacci(i) : (unsigned long long)ackermann(2, i - 15);
}

typedef float (*Operation)(float, float);
__device__ float plus_op(float a, float b) { return a + b; }
__device__ float minus_op(float a, float b) { return a - b; }
__device__ float times_op(float a, float b) { return a * b; }
__device__ Operation operations[3] = {plus_op, minus_op, times_op};
__device__ Operation chosen = times_op;

__global__ void through_table(float* out, float a, float b) { out[threadIdx.x] = operations[threadIdx.x % 3](a + threadIdx.x, b); }

__global__ void through_argument(float* out, Operation op, float a, float b) { out[threadIdx.x] = op(a, b); }

class Shape {
public:
    __device__ virtual ~Shape() {}
    __device__ virtual float area() const = 0;
    __device__ virtual int sides() const { return 0; }
};
class Rectangle : public Shape {
public:
    __device__ Rectangle(float w, float h) : w_(w), h_(h) {}
    __device__ float area() const override { return w_ * h_; }
    __device__ int sides() const override { return 4; }

private:
    float w_, h_;
};
class Circle : public Shape {
public:
    __device__ explicit Circle(float r) : r_(r) {}
    __device__ float area() const override { return 3.0f * r_ * r_; }

private:
    float r_;
};

__device__ __noinline__ float describe(const Shape& shape) { return shape.area() * 10 + shape.sides(); }

__global__ void virtuals(float* out) {
    Rectangle rectangle(threadIdx.x, 2);
    Circle circle(threadIdx.x);
    const Shape* shape = threadIdx.x % 2 ? static_cast<const Shape*>(&rectangle) : &circle;
    out[threadIdx.x] = describe(*shape);
}

struct Pair {
    int smaller, larger;
    double mean;
};
__device__ __noinline__ Pair ordered(int a, int b) {
    Pair p = {a < b ? a : b, a < b ? b : a, (a + b) * 0.5};
    return p;
}
__device__ __noinline__ void swap_in_place(int* a, int* b) {
    int t = *a;
    *a = *b;
    *b = t;
}

__global__ void structs(double* out) {
    int a = threadIdx.x * 5 % 32, b = threadIdx.x;
    swap_in_place(&a, &b);
    Pair p = ordered(a, b);
    out[threadIdx.x] = p.larger * 10000.0 + p.smaller * 100.0 + p.mean;
}

static unsigned long long host_fibonacci(int n) {
    unsigned long long a = 0, b = 1;
    while (n--) {
        unsigned long long t = a + b;
        a = b;
        b = t;
    }
    return a;
}

int main() {
    void* d;
    cudaMalloc(&d, 4096);
    int bad = 0;
    unsigned long long counts[20];
    recursion<<<1, 20>>>((unsigned long long*)d);
    cudaMemcpy(counts, d, sizeof counts, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 20; i++) bad += counts[i] != (i < 15 ? host_fibonacci(i) : 2ull * (i - 15) + 3);
    printf("recursion: %d wrong\n", bad);

    float f[32];
    through_table<<<1, 32>>>((float*)d, 10, 3);
    cudaMemcpy(f, d, sizeof f, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++) bad += f[i] != (i % 3 == 0 ? i + 13.0f : i % 3 == 1 ? i + 7.0f : (i + 10.0f) * 3);
    Operation op;
    if (cudaMemcpyFromSymbol(&op, chosen, sizeof op) != cudaSuccess) bad++;
    through_argument<<<1, 1>>>((float*)d, op, 6, 7);
    cudaMemcpy(f, d, sizeof(float), cudaMemcpyDeviceToHost);
    bad += f[0] != 42;
    printf("function pointers: %d wrong\n", bad);

    virtuals<<<1, 32>>>((float*)d);
    cudaMemcpy(f, d, sizeof f, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++) bad += f[i] != (i % 2 ? i * 20.0f + 4 : i * i * 30.0f);
    printf("virtual functions: %d wrong\n", bad);

    double s[32];
    structs<<<1, 32>>>((double*)d);
    cudaMemcpy(s, d, sizeof s, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++) {
        int a = i * 5 % 32, lo = a < i ? a : i, hi = a < i ? i : a;
        bad += s[i] != hi * 10000.0 + lo * 100.0 + (lo + hi) * 0.5;
    }
    printf("structs: %d wrong\n", bad);
    cudaFree(d);
    cudaError_t e = cudaGetLastError();
    if (e != cudaSuccess) printf("%s\n", cudaGetErrorString(e));
    puts(bad || e ? "FAILED" : "PASSED");
    return bad || e ? 1 : 0;
}

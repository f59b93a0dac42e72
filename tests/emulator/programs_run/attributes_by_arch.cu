// runs:
// Macros that give attributes in the device pass alone: the host pass has only to know that it compiles no kernels.
#ifdef __CUDA_ARCH__
#define HOST_DEVICE __host__ __device__
#define DEVICE __device__
#else
#define HOST_DEVICE
#define DEVICE
#endif
struct Point {
    int x;
    HOST_DEVICE explicit Point(int at) : x(at) {}
    HOST_DEVICE Point operator+(const Point& other) const { return Point(x + other.x); }
};
template <class T>
HOST_DEVICE T twice(T x) {
    return x + x;
}
DEVICE int once(int x) { return x; }
__global__ void k(int* out) { *out = (Point(3) + Point(4)).x + twice(4) + once(1); }

int main() {
    int *out, h;
    cudaMalloc(&out, sizeof h);
    k<<<1, 1>>>(out);
    cudaMemcpy(&h, out, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(out);
    return !(h == 16 && twice(Point(2).x) == 4);
}

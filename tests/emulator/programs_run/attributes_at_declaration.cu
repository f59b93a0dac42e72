// runs:
// Attributes at a declaration alone hold for the definition, too: functions, members, templates, operators, destructors.
namespace shapes {
struct Vector {
    float x, y;
    __device__ Vector();
    __device__ ~Vector();
    __host__ __device__ float norm2() const;
    __device__ Vector operator+(const Vector& other) const;
    __device__ static int* at(int* base);
    __host__ __device__ operator float() const;
};
}  // namespace shapes
shapes::Vector::Vector() : x(1), y(2) {}
shapes::Vector::~Vector() {}
float shapes::Vector::norm2() const { return x * x + y * y; }
shapes::Vector shapes::Vector::operator+(const Vector& other) const {
    Vector sum;
    sum.x = x + other.x, sum.y = y + other.y;
    return sum;
}
int* shapes::Vector::at(int* base) { return base + threadIdx.x; }
shapes::Vector::operator float() const { return x; }

template <class T>
struct Box {
    T content;
    __device__ explicit Box(T value);
    __device__ T twice() const;
    template <class U>
    __host__ __device__ U as() const;
};
template <class T>
Box<T>::Box(T value) : content(value) {}
template <class T>
inline T Box<T>::twice() const {
    return 2 * content;
}
template <class T>
template <class U>
U Box<T>::as() const {
    return U(content);
}

__device__ int third(int x);
__host__ __device__ int half(int x);

__global__ void k(int* out) {
    shapes::Vector v;
    int two[2] = {3, 4};
    const Box<int> box(6);
    out[0] = int((v + v).norm2()) + *shapes::Vector::at(two) + int(float(v));
    out[1] = box.twice() + box.as<short>();
    out[2] = third(9) + half(8);
}
int third(int x) { return x / 3; }
int half(int x) { return x / 2; }

int main() {
    int *out, h[3];
    cudaMalloc(&out, sizeof h);
    k<<<1, 1>>>(out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(out);
    return !(h[0] == 24 && h[1] == 18 && h[2] == 7 && half(4) == 2);
}

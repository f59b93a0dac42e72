// Arrays of structures against structures of arrays; structures by value as kernel arguments, with odd sizes and padding; built-in vectors.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

#define LEN (1 << 12)

struct innerStruct {
    float x;
    float y;
};
struct innerArray {
    float x[LEN];
    float y[LEN];
};

__global__ void testInnerStruct(innerStruct* data, innerStruct* result, const int n) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        innerStruct tmp = data[i];
        tmp.x += 10.f;
        tmp.y += 20.f;
        result[i] = tmp;
    }
}

__global__ void testInnerArray(innerArray* data, innerArray* result, const int n) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float tmpx = data->x[i];
        float tmpy = data->y[i];
        tmpx += 10.f;
        tmpy += 20.f;
        result->x[i] = tmpx;
        result->y[i] = tmpy;
    }
}

struct Odd {
    char tag;
    double weight;
    short table[5];
    bool flag;
    float3 vector;
    char text[7];
};

__global__ void by_value(Odd odd, char c, short s, long long ll, float2 f2, Odd* out, double* sum) {
    out[threadIdx.x] = odd;
    out[threadIdx.x].table[threadIdx.x % 5] += threadIdx.x;
    if (threadIdx.x == 0) *sum = odd.weight + c + s + ll + f2.x + f2.y + odd.vector.z + odd.text[6] + (odd.flag ? 0.5 : 0);
}

struct __align__(16) Aligned {
    int a, b, c, d;
};

template <typename V>
__global__ void copy_vectors(const V* in, V* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[n - 1 - i] = in[i];
}

template <typename V>
int vectors(const char* name) {
    const int n = 130;
    V in[n], out[n], *d_in, *d_out;
    auto* bytes = reinterpret_cast<unsigned char*>(in);
    for (size_t i = 0; i < sizeof in; i++) bytes[i] = (unsigned char)(i * 37 + i / 256);
    cudaMalloc((void**)&d_in, sizeof in);
    cudaMalloc((void**)&d_out, sizeof in);
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
    copy_vectors<<<(n + 63) / 64, 64>>>(d_in, d_out, n);
    cudaMemcpy(out, d_out, sizeof in, cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_out);
    int bad = 0;
    for (int i = 0; i < n; i++) bad += memcmp(&in[i], &out[n - 1 - i], sizeof(V)) != 0;
    printf("%-10s %2zu bytes: %s\n", name, sizeof(V), bad ? "wrong" : "ok");
    return bad;
}

int main() {
    static innerStruct a[LEN], ra[LEN];
    static innerArray b, rb;
    for (int i = 0; i < LEN; i++) {
        a[i].x = b.x[i] = (float)(i & 0xFF) / 100.0f;
        a[i].y = b.y[i] = (float)((i * 3) & 0xFF) / 100.0f;
    }
    innerStruct *d_a, *d_ra;
    innerArray *d_b, *d_rb;
    cudaMalloc((void**)&d_a, sizeof a);
    cudaMalloc((void**)&d_ra, sizeof a);
    cudaMalloc((void**)&d_b, sizeof b);
    cudaMalloc((void**)&d_rb, sizeof b);
    cudaMemcpy(d_a, a, sizeof a, cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, &b, sizeof b, cudaMemcpyHostToDevice);
    testInnerStruct<<<LEN / 128, 128>>>(d_a, d_ra, LEN);
    testInnerArray<<<LEN / 128, 128>>>(d_b, d_rb, LEN);
    cudaMemcpy(ra, d_ra, sizeof ra, cudaMemcpyDeviceToHost);
    cudaMemcpy(&rb, d_rb, sizeof rb, cudaMemcpyDeviceToHost);
    int bad = 0;
    for (int i = 0; i < LEN; i++) bad += ra[i].x != a[i].x + 10.f || ra[i].y != a[i].y + 20.f || rb.x[i] != ra[i].x || rb.y[i] != ra[i].y;
    printf("AoS and SoA: %d wrong\n", bad);
    cudaFree(d_a);
    cudaFree(d_ra);
    cudaFree(d_b);
    cudaFree(d_rb);

    Odd odd = {'t', 2.25, {1, -2, 3, -4, 5}, true, make_float3(1, 2, 3), {'a', 'b', 'c', 'd', 'e', 'f', 7}};
    Odd *d_out, out[20];
    double *d_sum, sum = 0;
    cudaMalloc(&d_out, sizeof out);
    cudaMalloc(&d_sum, sizeof sum);
    by_value<<<1, 20>>>(odd, (char)-3, (short)1000, 1LL << 40, make_float2(0.5f, 0.25f), d_out, d_sum);
    cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost);
    cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost);
    for (int t = 0; t < 20; t++) {
        bad += out[t].tag != 't' || out[t].weight != 2.25 || !out[t].flag || out[t].vector.y != 2 || memcmp(out[t].text, odd.text, 7) != 0;
        for (int k = 0; k < 5; k++) bad += out[t].table[k] != odd.table[k] + (k == t % 5 ? t : 0);
    }
    if (sum != 2.25 - 3 + 1000 + 1099511627776.0 + 0.75 + 3 + 7 + 0.5) {
        printf("sum %f\n", sum);
        bad++;
    }
    cudaFree(d_out);
    cudaFree(d_sum);
    printf("by value: %d wrong\n", bad);
    bad += vectors<uchar2>("uchar2") + vectors<uchar3>("uchar3") + vectors<char4>("char4") + vectors<short2>("short2");
    bad += vectors<ushort4>("ushort4") + vectors<int2>("int2") + vectors<int3>("int3") + vectors<uint4>("uint4");
    bad += vectors<float4>("float4") + vectors<double2>("double2") + vectors<longlong2>("longlong2") + vectors<Aligned>("Aligned");
    if (cudaGetLastError() != cudaSuccess) bad++;
    puts(bad ? "FAILED" : "PASSED");
    return bad ? 1 : 0;
}

// expect: 70 · 16-byte read out of bounds in global memory · 8 bytes past the end of a 40-byte allocation
// 10 floats are no whole number of float4: the third load reaches 8 bytes too far.
__global__ void sum(const float4* in, float* out) {
    float4 v = in[threadIdx.x];
    out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

int main() {
    float *in, *out;
    cudaMalloc(&in, 10 * sizeof(float));
    cudaMalloc(&out, 10 * sizeof(float));
    cudaMemset(in, 0, 10 * sizeof(float));
    sum<<<1, 3>>>(reinterpret_cast<float4*>(in), out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}

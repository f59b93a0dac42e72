// refused: texture_reference.cu:2: textures and surfaces (cudaReadModeElementType) are
texture<float, 2, cudaReadModeElementType> image;
__global__ void read(float* out) { *out = tex2D(image, 1.f, 2.f); }
int main() { read<<<1, 1>>>(nullptr); }

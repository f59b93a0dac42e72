// refused: texture_object.cu:2: textures and surfaces (cudaTextureObject_t) are
__global__ void read(cudaTextureObject_t image, float* out) { *out = tex2D<float>(image, 1.f, 2.f); }
int main() { read<<<1, 1>>>(0, nullptr); }

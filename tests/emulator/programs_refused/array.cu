// refused: array.cu:4: textures and surfaces (cudaChannelFormatDesc) are
int main() {
    cudaArray_t array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMallocArray(&array, &format, 4, 4);
}

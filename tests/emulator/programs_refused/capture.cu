// refused: capture.cu:6: CUDA graphs (cudaStreamCaptureModeGlobal) are
__global__ void k() {}
int main() {
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    k<<<1, 1, 0, stream>>>();
}

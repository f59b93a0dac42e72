// refused: cuda_unknown.cu:2: cudaDeviceGetNvSciSyncAttributes is unknown here: check its spelling and header, or run this on a GPU
int main() { return cudaDeviceGetNvSciSyncAttributes(nullptr, 0, 0); }

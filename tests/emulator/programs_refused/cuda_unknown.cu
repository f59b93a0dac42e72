// refused: cuda_unknown.cu:2: cudaUserObjectCreate is unknown here: check its spelling and header, or run this on a GPU
int main() { return cudaUserObjectCreate(nullptr, nullptr, nullptr, 1, 0); }

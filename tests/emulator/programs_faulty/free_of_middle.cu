// expect: 70 · free_of_middle.cu:8: cudaFree failed · not the start of an allocation · at byte 64 · unchanged
// check: api
// The pointer was moved while it was used.
int main() {
    char *data, *at;
    cudaMalloc(&data, 256);
    at = data + 64;
    cudaFree(at);
    cudaFree(data);
    return 0;
}

// expect: 0 · copy_partly_written.cu:9: cudaMemcpy2D: 64 of the 128 bytes were never written, the first is byte 32
// The right halves of rows: a note, as the program may not use them. The padding between rows is not copied.
int main() {
    char *rows, host[128];
    size_t pitch;
    cudaMallocPitch(&rows, &pitch, 64, 2);
    cudaMemset2D(rows, pitch, 1, 32, 2);
    cudaMemcpy2D(host, 32, rows, pitch, 32, 2, cudaMemcpyDeviceToHost);
    cudaMemcpy2D(host, 64, rows, pitch, 64, 2, cudaMemcpyDeviceToHost);
    cudaFree(rows);
    return 0;
}

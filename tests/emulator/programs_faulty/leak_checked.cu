// expect: 70 · device memory leaked: 2 allocations were never freed · leak_checked.cu:7
// check: api
// A leak is a fault where that check was asked for.
int main() {
    int* data = nullptr;
    for (int i = 0; i < 3; i++) {
        cudaMalloc(&data, 100);
        if (i == 1) cudaFree(data);
    }
    return 0;
}

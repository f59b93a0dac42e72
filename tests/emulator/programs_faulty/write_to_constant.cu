// expect: 70 · constant
__constant__ int settings[4];
__global__ void change(int* address) { address[threadIdx.x] = 1; }

int main() {
    void* address;
    cudaGetSymbolAddress(&address, settings);
    change<<<1, 4>>>(static_cast<int*>(address));
    cudaDeviceSynchronize();
    return 0;
}

// warns: warning: ISO C++11 does not allow conversion from string literal to 'char *'
__global__ void k() {}
int main() {
    char* text = "once";
    k<<<1, 1>>>();
    return text[0] != 'o' || cudaDeviceSynchronize() != cudaSuccess;
}

// rejected: note: candidate function not viable: call to __host__ function from __global__ function
int host(int x) { return x; }
__global__ void k(int* out) { *out = host(4); }
int main() { k<<<1, 1>>>(nullptr); }

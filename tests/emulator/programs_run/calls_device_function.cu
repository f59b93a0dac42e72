// rejected: note: candidate function not viable: call to __device__ function from __host__ function
__device__ int device(int x) { return x; }
int main() { return device(3); }

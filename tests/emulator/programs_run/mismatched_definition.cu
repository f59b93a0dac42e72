// rejected: error: out-of-line definition of 'get' does not match any declaration in 'Counter'
struct Counter {
    int value;
    __device__ int get();
};
int Counter::get(int) { return value; }
int main() { return 0; }

// refused: libcudacxx.cu:2: libcu++ (<cuda/std/atomic>) is
#include <cuda/std/atomic>
int main() { return cuda::std::atomic<int>(0); }

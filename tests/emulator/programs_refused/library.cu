// refused: library.cu:2: cusolverDn.h is
#include <cusolverDn.h>
int main() { return 0; }

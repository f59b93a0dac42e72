// refused: openmp_without_option.cu:3: omp_get_max_threads belongs to OpenMP: pass -Xcompiler -fopenmp
#include <omp.h>
int main() { return omp_get_max_threads() + omp_get_num_procs() < 1; }

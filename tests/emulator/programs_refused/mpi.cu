// refused: mpi.cu:2: mpi.h belongs to MPI, not to CUDA: give its folder by -I and its library by -L and -l
#include <mpi.h>
int main(int count, char** words) { MPI_Init(&count, &words); }

// refused: nvtx.cu:2: NVTX (nvToolsExt.h) is
#include <nvtx3/nvToolsExt.h>
int main() { nvtxRangePushA("main"); }

// refused: driver_api.cu:5: the driver API (cuInit) is
#include <cuda.h>
int main() {
    CUdevice device;
    return cuInit(0) + cuDeviceGet(&device, 0);
}

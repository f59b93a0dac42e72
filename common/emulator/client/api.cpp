// The runtime API, as a program links it: each call goes to the device.
#include <cstring>

#include "common/emulator/client/device.h"

namespace {

using lab::client::Device;
using lab::wire::Call;

template <typename... Arguments>
cudaError_t ask(Call call, LabCallSite site, Arguments... arguments) {
    return Device::instance().ask(call, site, arguments...);
}

}  // namespace

extern "C" {

#define LAB_CALL(name, parameters, ...) \
    cudaError_t name parameters { return ask(Call::name, site __VA_OPT__(, ) __VA_ARGS__); }
#include "common/emulator/client/calls.inc"
#undef LAB_CALL

// The only device's name.
constexpr const char* pci_bus_id = "0000:00:00.0";
cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device, LabCallSite lab_site) {
    const bool has_room = text != nullptr && length > static_cast<int>(std::strlen(pci_bus_id));
    const cudaError_t error = ask(Call::cudaDeviceGetPCIBusId, lab_site, has_room, device);
    if (error == cudaSuccess) std::strcpy(text, pci_bus_id);
    return error;
}
cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* text, LabCallSite lab_site) {
    const bool is_known = text != nullptr && std::strcmp(text, pci_bus_id) == 0;
    return ask(Call::cudaDeviceGetByPCIBusId, lab_site, device, is_known);
}

cudaError_t cudaGetLastError() { return ask(Call::cudaGetLastError, {nullptr, 0}); }
cudaError_t cudaPeekAtLastError() { return ask(Call::cudaPeekAtLastError, {nullptr, 0}); }

}  // extern "C"

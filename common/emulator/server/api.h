// The runtime API on the device's side: a function for each call, and the one that finds it.
#pragma once

#include <cstdint>
#include <string>

#include "common/emulator/client/wire.h"
#include "common/emulator/server/state.h"

namespace lab::cuda {

// With the names and types that programs know.
#define LAB_CALL(name, ...) decltype(::name) name;
#include "common/emulator/client/calls.inc"
#undef LAB_CALL

// Those whose arguments differ from the program's.
cudaError_t launch_cooperative(LabCallSite site);
cudaError_t device_name(bool has_room, int device, LabCallSite site);
cudaError_t device_of_name(int* device, bool is_known, LabCallSite site);
cudaError_t begin_host_function(cudaStream_t stream, bool is_callback, LabCallSite site);
cudaError_t end_host_function(cudaStream_t stream, LabCallSite site);
// `parameters`: the kernel's, packed.
cudaError_t launch(const void* function, dim3 grid, dim3 block, std::size_t shared_bytes, cudaStream_t stream,
                   std::vector<std::byte> parameters, LabCallSite site);

// Makes a program's call. Throws wire::Malformed where its arguments are none.
cudaError_t answer(wire::Call call, std::uint32_t thread, LabCallSite site, wire::Reader& arguments, wire::Writer& values);
// The place of a call, whose file's name stays.
[[nodiscard]] LabCallSite interned(const std::string& file, int line);

}  // namespace lab::cuda

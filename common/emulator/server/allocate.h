// Allocation and release, the two operations behind every cudaMalloc and cudaFree.
#pragma once

#include <initializer_list>

#include "common/emulator/server/call.h"

namespace lab::cuda {

// Ends the call with an error if there is no room.
cudaError_t allocate(Call& call, void** pointer, size_t size, machine::AllocationKind kind);
// The same as a call of its own.
cudaError_t allocate_flat(const char* name, void** pointer, size_t size, machine::AllocationKind kind, LabCallSite site);

// Frees the allocation that starts at `pointer`, if it is of one of these kinds; otherwise explains the misuse. `other_call` frees the
// other kinds.
cudaError_t release(Call& call, void* pointer, std::initializer_list<machine::AllocationKind> kinds, const char* other_call);

}  // namespace lab::cuda

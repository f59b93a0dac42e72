// Reports stores of kernels to memory that the host reads directly: managed memory, mapped memory, __managed__ variables.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "common/emulator/server/state.h"

namespace lab::cuda {

// Lives while a kernel runs; reports the words that it has changed to the watcher. Free of cost without a watcher.
class StoredForHost {
public:
    explicit StoredForHost(const RuntimeState& state);
    ~StoredForHost();
    StoredForHost(const StoredForHost&) = delete;
    StoredForHost& operator=(const StoredForHost&) = delete;

private:
    const RuntimeState& state_;
    std::vector<std::pair<const std::byte*, std::vector<std::byte>>> before_;  // address, and contents before
};

}  // namespace lab::cuda

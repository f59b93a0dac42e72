#include "common/runner/guard_zone.h"

#include <cstdlib>
#include <string>

namespace lab::runner {
namespace {

constexpr int guard_pattern = 0xa7;

}  // namespace

std::size_t guard_zone_bytes() {
    static const char* const wish = std::getenv("LAB_GUARD_ZONES");
    return wish != nullptr && wish == std::string("0") ? 0 : 4096;
}

cudaError_t GuardZone::fill() const {
    const std::vector<std::byte> pattern(guard_, std::byte{guard_pattern});
    const cudaError_t before = cudaMemcpy(block_, pattern.data(), guard_, cudaMemcpyHostToDevice);
    return before != cudaSuccess ? before : cudaMemcpy(block_ + guard_ + bytes_, pattern.data(), guard_, cudaMemcpyHostToDevice);
}

std::vector<trace::GuardWrite> GuardZone::damage(const std::string& array) const {
    std::vector<trace::GuardWrite> writes;
    std::vector<std::byte> found(guard_);
    for (const bool before : {true, false}) {
        const std::byte* zone = before ? block_ : block_ + guard_ + bytes_;
        if (cudaMemcpy(found.data(), zone, guard_, cudaMemcpyDeviceToHost) != cudaSuccess) {
            continue;  // after an error that ends the context nothing can be copied
        }
        std::size_t changed = 0;
        std::size_t nearest = 0;
        for (std::size_t at = 0; at < guard_; ++at) {
            const std::size_t byte = before ? guard_ - 1 - at : at;  // away from the array
            if (found[byte] != std::byte{guard_pattern}) {
                nearest = changed++ == 0 ? at : nearest;
            }
        }
        if (changed != 0) {
            writes.push_back({array, before, changed, nearest});
        }
    }
    return writes;
}

}  // namespace lab::runner

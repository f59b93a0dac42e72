#include "common/grading/arrays.h"

#include "common/grading/options.h"

namespace lab::grading {

Random::Random(std::string_view purpose) {
    std::uint64_t hash = 0xcbf29ce484222325U;  // FNV-1a: the same on every machine, unlike std::hash
    for (const char letter : purpose) {
        hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3U;
    }
    engine_.seed(hash ^ (options().seed * 0x9e3779b97f4a7c15U));
}

}  // namespace lab::grading

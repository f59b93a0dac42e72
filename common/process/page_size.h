// Size of the system's memory pages: 4 KiB on x86-64; 4, 16 or 64 KiB on aarch64.
#pragma once

#include <unistd.h>

#include <cstdint>

namespace lab {

// A static in a function, since programs allocate device memory before constants of namespace scope are made.
inline std::uint64_t page_bytes() {
    static const auto bytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    return bytes;
}
inline std::uint64_t page_begin(std::uint64_t address) { return address / page_bytes() * page_bytes(); }
// The address itself if a page begins there, else the end of its page.
inline std::uint64_t page_end(std::uint64_t address) { return page_begin(address + page_bytes() - 1); }

}  // namespace lab

// Pages of memory that host and device share (managed, page-locked), watched through page protection.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "common/emulator/machine/memory.h"

namespace lab::cuda {

enum class Rights : std::uint8_t { all, read, none };

// Whole pages.
struct PageRange {
    std::uint64_t begin = 0, end = 0;
    Rights rights = Rights::all;  // host accesses allowed while the device uses them
    [[nodiscard]] bool overlaps(std::uint64_t from, std::uint64_t until) const { return begin < until && from < end; }
    [[nodiscard]] bool operator==(const PageRange&) const = default;
};

// False if the system refuses (it limits the number of separate mappings).
bool give_rights(std::uint64_t begin, std::uint64_t end, Rights rights);
inline bool give_rights(const PageRange& range) { return give_rights(range.begin, range.end, range.rights); }

// Pages that hold only bytes of [begin, end) of their allocation; empty if there are none. A page shared with other data of the program
// can't be protected: the host may use that data, and pass it to the operating system.
[[nodiscard]] PageRange pages_within(const machine::Allocation& allocation, std::uint64_t begin, std::uint64_t end);

// Records the pages that a kernel reads and writes: protects them before it runs and unprotects each at its first accesses.
class PageTrace {
public:
    explicit PageTrace(const std::vector<const machine::Allocation*>& allocations);
    ~PageTrace();  // removes all protection
    PageTrace(const PageTrace&) = delete;
    PageTrace& operator=(const PageTrace&) = delete;

    // Pages touched so far, with the host's allowed accesses meanwhile: reads of pages that were only read.
    [[nodiscard]] std::vector<PageRange> touched() const;

    // For the handler of SIGSEGV, on any thread: true if the address is in traced pages, which it makes accessible.
    static bool on_fault(std::uint64_t address, bool is_write);

private:
    struct Traced {
        PageRange pages;
        std::unique_ptr<std::atomic<Rights>[]> left;  // by page: `all` while untouched
        std::atomic<bool> is_given_up{false};
    };
    bool note(std::uint64_t address, bool is_write);

    static std::atomic<PageTrace*> current;
    std::vector<std::unique_ptr<Traced>> traced_;
};

}  // namespace lab::cuda

// The latest accesses to a part of global memory, one word each.
#pragma once

#include <sys/mman.h>

#include <cstdint>
#include <new>

namespace lab::observers {

// An access packed into one word. Its numbers are kept modulo their field sizes: blocks by 2^20, memory instructions by 2^14, intervals by
// 2^12, epochs by 2^6. An accidental match can only hide a race.
inline constexpr unsigned thread_bits = 10, op_bits = 14, interval_bits = 12, epoch_bits = 6, block_bits = 20;
inline constexpr unsigned op_at = thread_bits, interval_at = op_at + op_bits, epoch_at = interval_at + interval_bits;
inline constexpr unsigned block_at_bit = epoch_at + epoch_bits;
inline constexpr std::uint64_t several_threads = 1ULL << 62U;  // readers: other threads of the block read in the same interval, too
inline constexpr std::uint64_t several_blocks = 1ULL << 63U;   // readers: other blocks read, too

constexpr std::uint64_t field(std::uint64_t touch, unsigned at, unsigned bits) { return (touch >> at) & ((1ULL << bits) - 1); }
constexpr std::uint64_t thread_of(std::uint64_t touch) { return field(touch, 0, thread_bits); }
constexpr std::uint64_t op_of(std::uint64_t touch) { return field(touch, op_at, op_bits); }
constexpr std::uint64_t moment_of(std::uint64_t touch) { return field(touch, interval_at, interval_bits); }
constexpr std::uint64_t epoch_of(std::uint64_t touch) { return field(touch, epoch_at, epoch_bits); }
constexpr std::uint64_t block_of(std::uint64_t touch) { return field(touch, block_at_bit, block_bits); }

// Never 0 for a block: 0 means none.
inline std::uint64_t block_number(std::uint64_t position) { return position % ((1ULL << block_bits) - 1) + 1; }

// One word per granule. Memory is zeroed and allocated on first touch.
class Words {
public:
    explicit Words(std::uint64_t count) : count_(count) {}
    ~Words() {
        if (words_ != nullptr) ::munmap(words_, count_ * sizeof(std::uint64_t));
    }
    Words(const Words&) = delete;
    Words& operator=(const Words&) = delete;
    [[nodiscard]] bool used() const { return words_ != nullptr; }
    std::uint64_t* from(std::uint64_t granule) {
        if (words_ == nullptr) {
            void* const fresh =
                ::mmap(nullptr, count_ * sizeof(std::uint64_t), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
            if (fresh == MAP_FAILED) throw std::bad_alloc();
            words_ = static_cast<std::uint64_t*>(fresh);
        }
        return words_ + granule;
    }

private:
    std::uint64_t count_;
    std::uint64_t* words_ = nullptr;
};

}  // namespace lab::observers

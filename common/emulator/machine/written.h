// Which bytes of an allocation anything was ever written to: cudaMalloc promises no content.
#pragma once

#include <cstdint>
#include <vector>

namespace lab::machine {

// [begin, end) of addresses.
struct ByteRun {
    std::uint64_t begin = 0, end = 0;
    [[nodiscard]] bool operator==(const ByteRun&) const = default;
};

class WrittenBytes {
public:
    explicit WrittenBytes(std::uint64_t size) : size_(size) {}

    void mark(std::uint64_t begin, std::uint64_t end);  // [begin, end), bytes from the allocation's start
    void forget();                                      // nothing counts as written
    [[nodiscard]] bool all(std::uint64_t begin, std::uint64_t end) const;
    [[nodiscard]] bool any(std::uint64_t begin, std::uint64_t end) const;
    // Whether every byte of the allocation is; finds out by looking when it isn't known yet.
    [[nodiscard]] bool complete();
    // What is written in `from`, from `from_begin` on, is written here from `begin` on; what isn't, isn't.
    void copy(std::uint64_t begin, const WrittenBytes& from, std::uint64_t from_begin, std::uint64_t bytes);

    // The runs of them, ascending, as addresses where the allocation lies at `address`.
    void append_runs(std::uint64_t address, std::vector<ByteRun>* runs) const;

private:
    std::uint64_t size_ = 0;
    bool complete_ = false;
    std::vector<std::uint64_t> bits_;  // a bit a byte; empty while nothing is written or all is
};

}  // namespace lab::machine

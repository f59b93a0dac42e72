// Bytes of an allocation that were ever written: cudaMalloc leaves memory uninitialised.
#pragma once

#include <cstdint>
#include <vector>

#include "common/trace/recording.h"

namespace lab::machine {

using trace::ByteRun;

class WrittenBytes {
public:
    explicit WrittenBytes(std::uint64_t size) : size_(size) {}

    void mark(std::uint64_t begin, std::uint64_t end);  // [begin, end), bytes from the allocation's start
    void forget();                                      // nothing counts as written
    [[nodiscard]] bool all(std::uint64_t begin, std::uint64_t end) const;
    [[nodiscard]] bool any(std::uint64_t begin, std::uint64_t end) const;
    // Whether all bytes of the allocation are written; checks the bits if that isn't known yet.
    [[nodiscard]] bool complete();
    // Copies the state of `from`, from `from_begin` on, to the bytes here from `begin` on.
    void copy(std::uint64_t begin, const WrittenBytes& from, std::uint64_t from_begin, std::uint64_t bytes);

    // The written runs, ascending, as addresses for an allocation at `address`.
    void append_runs(std::uint64_t address, std::vector<ByteRun>* runs) const;

private:
    std::uint64_t size_ = 0;
    bool complete_ = false;
    std::vector<std::uint64_t> bits_;  // a bit a byte; empty while nothing is written or all is
};

}  // namespace lab::machine

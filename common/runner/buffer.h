// One host array that student code gets, with trip wires around it: a page that can't be touched right after its last
// byte, and a known pattern before its first.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/runner/request.h"

namespace lab::runner {

class Buffer {
public:
    // `content`: carried() elements of an input; unused for an output. Throws std::runtime_error when memory is short.
    Buffer(BufferSpec spec, const std::byte* content);
    ~Buffer();
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    [[nodiscard]] const BufferSpec& spec() const { return spec_; }
    [[nodiscard]] std::byte* data() const { return data_; }
    [[nodiscard]] std::uint64_t bytes() const { return spec_.count * spec_.element_bytes(); }
    void poison() const;  // outputs: as before the call
    // Whether the pattern before the first element is still there.
    [[nodiscard]] bool front_intact() const;
    // Bytes from the array's nearer end to an address in the pages around it: negative before its start, from 0 on past
    // its end. False if the address is elsewhere.
    bool near(std::uintptr_t address, std::int64_t* distance, bool* past_end) const;

private:
    void map_plain(const std::byte* content);
    void map_repeated(const std::byte* content);
    BufferSpec spec_;
    std::byte* mapping_ = nullptr;  // the guard page before, the array, the guard page after
    std::size_t mapping_bytes_ = 0;
    std::byte* data_ = nullptr;
    std::byte front_pattern_{};
};

}  // namespace lab::runner

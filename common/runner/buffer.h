// One array of a request. As a host array of student code it has guards: an inaccessible page directly after its last byte, and a known
// pattern before its first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "common/runner/request.h"

namespace lab::runner {

class Buffer {
public:
    // `content`: carried() elements of an input. `result`: room for all elements of an output after the call. Both have to outlive this
    // object.
    Buffer(BufferSpec spec, const std::byte* content, std::byte* result) : spec_(std::move(spec)), content_(content), result_(result) {}
    ~Buffer();
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    [[nodiscard]] const BufferSpec& spec() const { return spec_; }
    // The host array, allocated at first use. Throws SetupError if memory is short.
    [[nodiscard]] std::byte* data();  // not for an array that lies on the device
    [[nodiscard]] bool has_data() const { return data_ != nullptr; }
    [[nodiscard]] const std::byte* start() const { return data_; }  // the host array; null without one
    [[nodiscard]] const std::byte* content() const { return content_; }
    [[nodiscard]] std::byte* result() const { return result_; }
    [[nodiscard]] std::uint64_t bytes() const { return spec_.count * spec_.element_bytes(); }
    void poison_data() const;                       // outputs: as before the call
    void poison_result(std::uint64_t bytes) const;  // the first bytes of it
    // Whether the pattern before the first element is still there.
    [[nodiscard]] bool front_intact() const;
    // Bytes from the array's nearer end to an address in the pages around it: negative before its start, from 0 on past
    // its end. False if the address is elsewhere.
    bool near(std::uintptr_t address, std::int64_t* distance, bool* past_end) const;

private:
    void map_plain();
    void map_repeated();
    BufferSpec spec_;
    const std::byte* content_;
    std::byte* result_;
    std::byte* mapping_ = nullptr;  // the guard page before, the array, the guard page after
    std::size_t mapping_bytes_ = 0;
    std::byte* data_ = nullptr;
    std::byte front_pattern_{};
};

}  // namespace lab::runner

// Arrays of a call in device memory, placed there by the device's owner; student code gets their addresses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/runner/request.h"

namespace lab::cuda {

class PlacedArrays {
public:
    struct Array {
        runner::BufferSpec spec;
        std::uint64_t address = 0;
        std::vector<std::byte> given;  // content of an input: spec.carried() elements
        [[nodiscard]] std::uint64_t bytes() const { return spec.count * spec.element_bytes(); }
        // Present content; null if student code has freed the array.
        [[nodiscard]] const std::byte* content() const;
    };

    // An input holds what is given; an output holds its poison, and counts as never written. Throws SetupError if there is no room.
    void place(const runner::BufferSpec& spec, std::span<const std::byte> given);
    // Frees those that student code has left.
    void release();
    // Places the released ones again, as they were. False if that is impossible.
    [[nodiscard]] bool place_again();
    [[nodiscard]] const std::vector<Array>& all() const { return all_; }
    // Null if the array was not placed.
    [[nodiscard]] const Array* find(const std::string& name) const;

private:
    static void fill(const Array& array);
    std::vector<Array> all_, released_;
};

}  // namespace lab::cuda

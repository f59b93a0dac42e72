// Record of a call's launches, copies and fills, to repeat them without the program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "common/emulator/machine/memory.h"
#include "common/emulator/server/session.h"
#include "common/runner/request.h"
#include "common/trace/call.h"

namespace lab::cuda {

class PlacedArrays {
public:
    struct Array {
        runner::BufferSpec spec;
        std::uint64_t address = 0;
        std::span<const std::byte> given;  // content of an input: spec.carried() elements
        [[nodiscard]] std::uint64_t bytes() const { return spec.count * spec.element_bytes(); }
        // Present content; null if student code has freed the array.
        [[nodiscard]] const std::byte* content() const;
    };

    // An input holds what is given, which has to outlive it; an output holds its poison, and counts as never written. Throws SetupError if
    // there is no room.
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

class CallLog {
public:
    // Forgets all copies and names.
    void begin() { *this = {}; }
    void name(const void* host, std::size_t bytes, const std::string& name);
    void launches() { ++launches_; }
    void copied(const WatchedCopy& copy);
    // All in order, or none of more than 64 copies and fills.
    [[nodiscard]] const std::vector<trace::Copy>& copies() const { return copies_; }
    [[nodiscard]] const std::vector<trace::Fill>& fills() const { return fills_; }

private:
    [[nodiscard]] trace::End end_of(const WatchedCopy::End& end) const;

    struct HostArray {
        std::uint64_t address = 0, bytes = 0;
        std::string name;
    };
    std::vector<HostArray> arrays_;
    std::vector<trace::Copy> copies_;
    std::vector<trace::Fill> fills_;
    std::size_t launches_ = 0, count_ = 0;
};

// Arguments of the first 64 launches.
[[nodiscard]] std::vector<std::vector<trace::Argument>> arguments_of(const std::vector<trace::Launch>& launches);

class CallRecord {
public:
    void begin() { *this = {}; }
    void launches(const WatchedLaunch& launch);
    void copied(const WatchedCopy& copy);
    // Why the call can't be repeated; "" if it can.
    [[nodiscard]] const std::string& refusal() const { return refusal_; }

    // The host's stub of the first kernel; null if none was launched.
    [[nodiscard]] const void* first_kernel() const;
    // Repeats launches, copies and fills. The arrays that the device's owner has placed are there; the program's own are allocated again,
    // and freed at the end. False if there is no room for them.
    [[nodiscard]] bool repeat();
    // Copies into [into, into + bytes) what the last repetition would have stored in the program's memory at `address`.
    void fetch(std::uint64_t address, std::span<std::byte> into) const;

private:
    // Rows of bytes between two ends. A variable of the device's is known by the program's own copy of it: its address changes when
    // the kernels do.
    struct End {
        std::uint64_t address = 0, pitch = 0;
        bool is_device = false;
        const void* variable = nullptr;  // then `address` is an offset in it
    };
    struct Move {
        End to, from;
        std::uint64_t width = 0, height = 0;
        std::vector<std::byte> content;  // bytes of a fill or of the program's memory, row by row
    };
    [[nodiscard]] End end_of(const WatchedCopy::End& end);
    void needs(std::uint64_t address);
    // Gives the record up, and its memory back.
    void refuse(const std::string& why);
    void repeat(const Move& move);

    std::vector<std::variant<WatchedLaunch, Move>> steps_;
    std::map<std::uint64_t, machine::Allocation> needed_;  // by address
    std::vector<Move> stored_;                             // in the program's memory, by the last repetition
    std::uint64_t bytes_ = 0;                              // of contents
    std::string refusal_;
};

}  // namespace lab::cuda

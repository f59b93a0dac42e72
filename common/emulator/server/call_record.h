// Record of a call's launches, copies and fills, to repeat them without the program.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "common/emulator/machine/memory.h"
#include "common/emulator/server/session.h"

namespace lab::cuda {

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

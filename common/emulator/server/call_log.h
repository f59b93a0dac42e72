// What host code asked of the emulator: its copies, and the arguments of its launches. The suite compares them with those that it expects.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/emulator/server/session.h"
#include "common/trace/call.h"

namespace lab::cuda {

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

}  // namespace lab::cuda

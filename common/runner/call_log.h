// What host code asked of the emulator: its copies, and the arguments of its launches. The suite compares them with those that it expects.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "common/emulator/cuda/session.h"

namespace lab::runner {

class CallLog {
public:
    // Forgets all copies and names.
    void begin();
    void name(const void* host, std::size_t bytes, const std::string& name);
    void launches() { ++launches_; }
    void copied(const cuda::WatchedCopy& copy);
    // All copies in order, or none of more than 64 copies and fills: [{"call", "line" (0: unknown), "order": number of the copy or fill,
    // "launches": number before it, "bytes", "to", "from"}], each end {"array": its name or "", "is_device", "allocated_at": line (0:
    // unknown), "block": a number for each allocation (0: none), "size": of the object, "offset": in it}.
    [[nodiscard]] const nlohmann::json& copies() const { return copies_; }
    // The same of fills, without "bytes" and "from".
    [[nodiscard]] const nlohmann::json& fills() const { return fills_; }

private:
    [[nodiscard]] nlohmann::json end_of(const cuda::WatchedCopy::End& end) const;

    struct HostArray {
        std::uint64_t address = 0, bytes = 0;
        std::string name;
    };
    std::vector<HostArray> arrays_;
    nlohmann::json copies_ = nlohmann::json::array();
    nlohmann::json fills_ = nlohmann::json::array();
    std::size_t launches_ = 0, count_ = 0;
};

// Arguments of the first launches: [[integers of 4 bytes as numbers, pointers as {"array": name or "", "offset": bytes}]].
[[nodiscard]] nlohmann::json arguments_of(const std::vector<cuda::LaunchRecord>& launches);

}  // namespace lab::runner

// Cache of what the emulator modelled for the reference's calls: their times and counters, without their outputs.
//
// Both follow from the reference's program alone, whose bytes include the emulator and the devices that it knows, from the request and,
// where the device is a file, from that file. The values in the arrays have no part in it: no branch and no address in a kernel of the
// reference depends on them. Nothing of a student's program is ever cached.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "common/grading/call.h"

namespace lab::grading {

class ModelledCalls {
public:
    // The cache of one program in `folder`, read at once; "" caches nothing.
    ModelledCalls(const std::filesystem::path& folder, const std::filesystem::path& program);
    [[nodiscard]] std::optional<nlohmann::json> find(const std::string& call) const;
    // Adds a call to the file; what others have added to it meanwhile stays. Where the file can't be written nothing is cached.
    void add(const std::string& call, const nlohmann::json& modelled);
    [[nodiscard]] const std::filesystem::path& file() const { return file_; }

private:
    // The calls in the file; none where it is missing, damaged, another user's, or about another program.
    [[nodiscard]] nlohmann::json read() const;

    std::filesystem::path file_;
    std::string program_;  // checksum of its bytes
    nlohmann::json calls_ = nlohmann::json::object();
};

// Reads the cache of the reference's calls from the folder that the suite was given. To be called before a student's process runs: what
// that writes is then not read by this suite.
void read_modelled_calls();

struct Judged {
    Result result;
    Message problem;
};

// Runs a call in the reference's program and judges its output. In the emulator, the times and counters of a call with a right output are
// cached; a result from the cache has no outputs and is judged no more.
[[nodiscard]] Judged run_reference(Call& call, const std::function<Message(const Result&)>& judge);

}  // namespace lab::grading

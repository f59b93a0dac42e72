// Cache of the emulator's times and counters for the reference's calls, without their outputs.
//
// Both depend only on the reference's program (whose bytes include the emulator and its devices), on the request and, if the device is a
// file, on that file. They don't depend on the arrays' values: no branch and no address in a reference kernel does. Results of a student's
// program are never cached.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "common/grading/call.h"
#include "common/process/installed.h"

namespace lab::grading {

class ModelledCalls {
public:
    // The cache of one program in `folder`, read at once; "" disables it.
    ModelledCalls(const std::filesystem::path& folder, const std::filesystem::path& program,
                  const std::filesystem::path& device = process::installed_device(LAB_BIN_FOLDER));
    [[nodiscard]] std::optional<nlohmann::json> find(const std::string& call) const;
    // Adds a call to the file and keeps concurrent additions of others. If the file can't be written nothing is cached.
    void add(const std::string& call, const nlohmann::json& modelled);
    [[nodiscard]] const std::filesystem::path& file() const { return file_; }

private:
    // The calls in the file; none if it is missing, damaged, owned by another user, or for another program.
    [[nodiscard]] nlohmann::json read() const;

    std::filesystem::path file_;
    std::string program_;  // checksum of its bytes
    nlohmann::json calls_ = nlohmann::json::object();
};

// Reads the cache of the reference's calls from the suite's folder. Call it before a student's process runs, so that this suite never reads
// what that process writes.
void read_modelled_calls();

struct Judged {
    Result result;
    Message problem;
};

// Runs a call in the reference's program and judges its output. In the emulator, times and counters of a call with a right output are
// cached; a cached result has no outputs and is not judged again.
[[nodiscard]] Judged run_reference(Call& call, const std::function<Message(const Result&)>& judge);

}  // namespace lab::grading

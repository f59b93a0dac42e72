// Programs that a suite calls: the student's runner and the reference's. Each is started at first use and restarted after a test has broken
// it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/grading/child.h"

namespace lab::grading {

class Program {
public:
    // `device`: "emulator" or "gpu". `kernels`: PTX that replaces the program's own kernels; "" keeps them.
    Program(std::string path, std::string device, std::string kernels = {}, std::optional<sandbox::Sandbox> sandbox = {})
        : path_(std::move(path)), device_(std::move(device)), kernels_(std::move(kernels)), sandbox_(std::move(sandbox)) {}
    [[nodiscard]] Reply call(const runner::Request& request, std::vector<std::span<const std::byte>> contents, Limits limits);
    // Repeats the last call with other kernels, as Child::replay().
    [[nodiscard]] trace::Answer replay(const std::string& ptx, std::vector<std::byte>* outputs,
                                       std::vector<std::span<const std::byte>> until_wrong) {
        return running().replay(ptx, outputs, std::move(until_wrong));
    }
    [[nodiscard]] double device_seconds() { return running().device_seconds(); }
    // "emulator", "gpu" or "host"; "unknown" if the program can't start.
    [[nodiscard]] std::string backend();
    // Discards the process, which can't serve another test: the next one gets a new process.
    void replace() { child_.reset(); }
    // The same program, in a process of its own.
    [[nodiscard]] Program another() const { return Program(path_, device_, kernels_, sandbox_); }
    // Another program, started in the same way.
    [[nodiscard]] Program another(std::string path) const { return Program(std::move(path), device_, "", sandbox_); }
    // Calls that the present process has been asked for.
    [[nodiscard]] std::uint64_t calls() const { return calls_; }

private:
    Child& running();
    std::string path_, device_, kernels_;
    std::optional<sandbox::Sandbox> sandbox_;
    std::unique_ptr<Child> child_;
    std::uint64_t calls_ = 0;
    std::map<Wait, int> exceeded_;  // calls by the limit that ended them: later ones get less
};

// Those of the device that the running test uses.
Program& student();
Program& reference();
// Whether that is this machine's GPU instead of the emulated device.
[[nodiscard]] bool is_on_gpu();
void use_gpu(bool is_on_gpu);
[[nodiscard]] bool has_gpu();

}  // namespace lab::grading

// Programs that a suite calls: the student's runner and the reference's. Each is started at first use and restarted after a test has broken
// it.
#pragma once

#include <memory>
#include <string>

#include "common/grading/child.h"

namespace lab::grading {

class Program {
public:
    // `kernels`: PTX that replaces the program's own kernels; "" keeps them.
    explicit Program(std::string path, std::string kernels = {}) : path_(std::move(path)), kernels_(std::move(kernels)) {}
    [[nodiscard]] Reply ask(const runner::Frame& request, Limits limits);
    // "emulator", "gpu" or "host"; "unknown" if the program can't start.
    [[nodiscard]] std::string backend();
    // Discards the process, which can't serve another test: the next one gets a new process.
    void replace() { child_.reset(); }

private:
    Child& running();
    std::string path_, kernels_;
    std::unique_ptr<Child> child_;
};

Program& student();
Program& reference();

}  // namespace lab::grading

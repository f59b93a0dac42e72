#include "common/grading/student.h"

#include "common/grading/options.h"

namespace lab::grading {

Child& Program::running() {
    if (!child_ || !child_->alive()) {
        child_ = std::make_unique<Child>(path_, kernels_);
    }
    return *child_;
}

Reply Program::ask(const runner::Frame& request, std::chrono::milliseconds limit) { return running().ask(request, limit); }

std::string Program::backend() {
    const std::string& said = running().backend();
    return said.empty() ? "unknown" : said;
}

Program& student() {
    static Program one(options().runner, options().kernels);
    return one;
}

Program& reference() {
    static Program one(options().reference);
    return one;
}

}  // namespace lab::grading

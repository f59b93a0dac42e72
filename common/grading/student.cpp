#include "common/grading/student.h"

#include "common/grading/options.h"
#include "common/process/installed.h"

namespace lab::grading {
namespace {

bool uses_gpu = false;

}  // namespace

Child& Program::running() {
    // A program that can't start won't start the next time, and may take long to fail.
    const bool may_start = !child_ || child_->start_failure().empty();
    if (may_start && (!child_ || !child_->alive())) {
        child_ = std::make_unique<Child>(path_, device_, kernels_, sandbox_);
        calls_ = 0;
        // Without a device there is nobody else to ask what the program did.
        const bool is_sure = this == &reference() || child_->backend() != "host" || path_ == options().reference;
        if (!is_sure && reference().backend() == device_) child_->reject("the program says that it needs no device");
    }
    return *child_;
}

Reply Program::call(const runner::Request& request, std::vector<std::span<const std::byte>> contents, Limits limits) {
    Child& child = running();
    if (child.start_failure().empty()) ++calls_;
    constexpr int share = 6;
    if (exceeded_[Wait::device_computes_too_long] > 0) limits.device /= share;
    if (exceeded_[Wait::sleeps_too_long] > 0) limits.asleep /= share;
    if (exceeded_[Wait::takes_too_much_memory] > 0) limits.memory /= share;
    // One function that never ends leaves the others their time.
    constexpr int several = 3;
    if (exceeded_[Wait::computes_too_long] >= several) limits.processor /= share;
    Reply reply = child.call(request, std::move(contents), limits);
    if (reply.limit != Wait::goes_on) ++exceeded_[reply.limit];
    return reply;
}

std::string Program::backend() {
    if (path_.empty() && !options().figures.empty()) return "emulator";
    const std::string& said = running().backend();
    return said.empty() ? "unknown" : said;
}

Program& student() {
    static const auto sandbox =
        options().sandbox.empty()
            ? std::nullopt
            : std::optional(sandbox::Sandbox(process::installed("lab-confine", LAB_BIN_FOLDER "lab-confine"), options().sandbox));
    static Program emulated(options().runner, "emulator", options().kernels, sandbox);
    static Program on_gpu(options().gpu_runner, "gpu", "", sandbox);
    return is_on_gpu() ? on_gpu : emulated;
}

Program& reference() {
    static Program emulated(options().reference, "emulator");
    static Program on_gpu(options().gpu_reference, "gpu");
    return is_on_gpu() ? on_gpu : emulated;
}

bool is_on_gpu() { return uses_gpu; }
void use_gpu(bool is_on_gpu) { uses_gpu = is_on_gpu; }
bool has_gpu() { return !options().gpu_runner.empty(); }

}  // namespace lab::grading

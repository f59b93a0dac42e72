// The backend of runners without kernels. The suite measures the processor time of each call: it excludes other processes' time, and a
// student's second thread doesn't shorten it.
#include "common/runner/backend.h"

namespace lab::runner {
namespace {

class HostBackend : public Backend {
public:
    [[nodiscard]] std::string name() const override { return "host"; }
    [[nodiscard]] bool is_timed_by_suite() const override { return true; }
    void begin(const BackendOptions& /*options*/) override {}
    double timed(const std::function<int()>& student, int* status) override {
        *status = student();
        return 0;
    }
    trace::CallTrace report() override {
        trace::CallTrace call{.backend = name(), .device = "this machine's CPU, one thread"};
        return call;
    }
    bool recover() override { return true; }
    [[nodiscard]] std::string describe(int /*status*/) const override { return ""; }
};

}  // namespace

Backend& backend() {
    static HostBackend one;
    return one;
}

}  // namespace lab::runner

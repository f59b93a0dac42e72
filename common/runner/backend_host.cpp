// The backend of runners without kernels: measures processor time around calls. It excludes other processes' time, and a student's second
// thread doesn't shorten it.
#include "common/runner/backend.h"
#include "common/runner/processor_time.h"

namespace lab::runner {
namespace {

class HostBackend : public Backend {
public:
    [[nodiscard]] std::string name() const override { return "host"; }
    void begin(const BackendOptions& /*options*/) override {}
    double timed(const std::function<int()>& student, int* status) override {
        const double start = milliseconds_on(CLOCK_PROCESS_CPUTIME_ID);
        *status = student();
        return milliseconds_on(CLOCK_PROCESS_CPUTIME_ID) - start;
    }
    trace::CallTrace report() override {
        trace::CallTrace call;
        call.backend = name();
        call.device = "this machine's CPU, one thread";
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

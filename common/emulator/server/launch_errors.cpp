
#include <utility>

#include "common/emulator/machine/demangle.h"
#include "common/emulator/server/state.h"

namespace lab::cuda {
namespace {

std::uint64_t this_thread() { return host_thread().number; }

void tell(RuntimeState& state, const LaunchErrors::Failed& launch, const std::string& fate) {
    if (!state.options.checks.api) return;
    Finding finding = finding_of_call(FindingKind::unchecked_launch_error, "kernel launch", launch.where);
    finding.kernel = launch.kernel;
    finding.error = launch.error;
    finding.headline = "the launch of " + machine::without_parameters(launch.kernel) + " failed with " + cudaGetErrorName(launch.error) +
                       ", and nothing asked for the error";
    finding.details = {launch.why, fate};
    finding.advice = "<<<>>> returns nothing: call cudaGetLastError() right after it, and check what that returns";
    keep(state, std::move(finding));
}

}  // namespace

void LaunchErrors::failed(Failed launch) { pending_.emplace(this_thread(), std::move(launch)); }

void LaunchErrors::asked() { pending_.erase(this_thread()); }

void LaunchErrors::replaced(RuntimeState& state, cudaError_t error, const std::string& call, const SourceLine& where) {
    const auto found = pending_.find(this_thread());
    if (found == pending_.end() || found->second.error == error) return;
    const Failed launch = std::move(found->second);
    pending_.erase(found);
    tell(state, launch, "then " + call + at(where) + " failed with " + cudaGetErrorName(error) + ", which hides the launch's error");
}

void LaunchErrors::end(RuntimeState& state) {
    for (const auto& [thread, launch] : std::exchange(pending_, {})) tell(state, launch, "its kernel never ran");
}

}  // namespace lab::cuda

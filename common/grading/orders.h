// Runs a call in several orders of blocks and warps: all results have to be right and bit-identical.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/grading/call.h"
#include "common/grading/findings.h"

namespace lab::grading {

// In the emulator it runs once in forward and once in reversed order, each with all checkers. A GPU has neither a choice of order nor
// checkers, so it runs ten times. `kind`: a finding of this kind takes precedence over a fault that ended the launch.
template <typename T>
[[nodiscard]] Message judge_in_any_order(Call& call, const Shape& shape, const Expected& expected, std::optional<FindingKind> kind = {}) {
    const bool emulated = student().backend() == "emulator";
    const int runs = emulated ? 2 : 10;
    const Ways ways =
        emulated ? Ways{"blocks and warps in order", "blocks and warps in reversed order"} : Ways{"the first run", "a later run"};
    std::vector<T> first;
    for (int run = 0; run < runs; ++run) {
        call.backend().order = emulated && run == 1 ? emulator::Order::reversed : emulator::Order::forward;
        const Result result = call.run(student());
        Message problem = judge_output<T>(result, shape, expected, call, Care::everything);
        if (const Message halt = stopped(result); !halt.empty()) {
            const Message own = result.problem.empty() && kind ? finding(result, *kind) : Message();
            return own.empty() || own.kind == halt.kind ? problem : own.with("then: " + halt.what);
        }
        if (problem.kind != Topic::none || (run == 0 && !problem.empty())) {
            return problem;
        }
        const auto output = result.output<T>(shape.name);
        if (run == 0) {
            first = output;
        } else if (auto differs = compare_orders(shape, first, output, ways); !differs.empty()) {
            return problem.empty() ? differs : differs.with(problem.what + " with " + ways.second);
        }
    }
    return {};
}

}  // namespace lab::grading

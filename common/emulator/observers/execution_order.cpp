#include "common/emulator/observers/execution_order.h"

#include <algorithm>

namespace lab::observers {

using machine::Op;

namespace {

// Accesses of one kind at one source line. The compiler may have made several instructions of it.
bool are_at_one_place(const Op& one, const Op& other) {
    if (&one == &other) return true;
    const auto place = [](const Op& op) { return op.function->module->student_place(op.function->source->body[op.index].where); };
    const ptx::Location at = place(one);
    const ptx::Location also = place(other);
    return at.line != 0 && at.file == also.file && at.line == also.line && one.kind == other.kind;
}

}  // namespace

void ExecutionOrder::start_interval() {
    executed_.clear();
    number_ = 0;
}

void ExecutionOrder::add(const Op* op, std::uint32_t warp) {
    Executed& executed = executed_[op][warp];
    ++number_;
    if (executed.first == 0) executed.first = number_;
    executed.last = number_;
}

void ExecutionOrder::add(std::span<const machine::SharedAccess> accesses) {
    for (const machine::SharedAccess& access : accesses) {
        add(access.op, access.warp);
        if (access.group == nullptr) continue;
        for (const auto& member : access.group->members) add(member.op, access.warp);
    }
}

ExecutionOrder::OfWarps ExecutionOrder::line_of(const Op& op) const {
    OfWarps line{};
    for (const auto& [executed_op, warps] : executed_) {
        if (!are_at_one_place(*executed_op, op)) continue;
        for (std::size_t warp = 0; warp < max_warps; ++warp) {
            const Executed& executed = warps[warp];
            if (executed.first == 0) continue;
            line[warp].first = line[warp].first == 0 ? executed.first : std::min(line[warp].first, executed.first);
            line[warp].last = std::max(line[warp].last, executed.last);
        }
    }
    return line;
}

bool ExecutionOrder::comes_before(const Op& first, const Op& second, std::uint32_t one, std::uint32_t other) const {
    const OfWarps before = line_of(first);
    const OfWarps after = line_of(second);
    const auto executes_both = [&](std::size_t warp) { return before[warp].first != 0 && after[warp].first != 0; };
    std::size_t warp = executes_both(one) ? one : other;
    if (!executes_both(warp)) {
        warp = 0;
        while (warp < max_warps && !executes_both(warp)) ++warp;
    }
    return warp < max_warps && before[warp].last < after[warp].first;
}

}  // namespace lab::observers

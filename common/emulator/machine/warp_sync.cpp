// Warp-level synchronisation: __syncwarp, and the .sync forms of shuffle, vote, match and redux (PTX ISA 9.7.9, 9.7.13).
#include "common/emulator/machine/control.h"
#include "common/emulator/machine/memory_access.h"

namespace lab::machine {

namespace {

const WarpSyncDetail& detail_of(const Path& path) { return *static_cast<const WarpSyncDetail*>(path.pc->detail); }

bool waits_here(const Path& path) { return path.waiting && path.mask != 0 && path.pc->run[1] == &warp_sync; }

// All lanes of a waiting path name the same members: warp_sync ensures that.
Mask members_of(const Path& path) {
    return reinterpret_cast<const Mask*>(path.frame->base + detail_of(path).members)[first_lane(path.mask)];
}

// Whether two waiting paths take part in one operation: any two __syncwarp() match, anywhere in the code; exchanges of values match only at
// one instruction.
bool match(const Path& one, const Path& other) {
    if (!waits_here(other) || members_of(one) != members_of(other)) return false;
    if (detail_of(one).run == nullptr) return detail_of(other).run == nullptr;
    return one.pc == other.pc && one.frame == other.frame;
}

}  // namespace

void pass_sync(Warp& warp, Mask members, bool orders_memory) {
    const Worker& worker = *warp.worker;
    if (!worker.log_shared && !worker.log_global) return;
    if (!orders_memory && !worker.config->checks.lockstep) return;
    if (!warp.noted && !warp.sync_members.empty() && warp.sync_members.back() == members) return;
    warp.noted = false;
    ++warp.sync_epoch;
    warp.sync_members.push_back(members);
}

bool complete_warp_sync(Warp& warp) {
    bool any = false;
    for (std::size_t i = 0; i < warp.paths.size(); ++i) {
        if (!waits_here(warp.paths[i])) continue;
        const Path first = warp.paths[i];
        const Mask named = members_of(first) & warp.live;
        Mask here = 0;
        for (const Path& path : warp.paths) {
            if (match(first, path)) here |= path.mask;
        }
        if ((here & named) != named) continue;
        pass_sync(warp, here, detail_of(first).run == nullptr);
        if (detail_of(first).run != nullptr) {
            warp.registers = first.frame->base;
            warp.set_mask(here);
            detail_of(first).run(first.pc, warp, here);
        }
        for (Path& path : warp.paths) {
            if ((path.mask & here) == 0 || !match(first, path)) continue;
            path.waiting = false;
            ++path.pc;
        }
        any = true;
    }
    return any;
}

bool split_by_members(const Op* op, Warp& warp) {
    const auto& detail = *static_cast<const WarpSyncDetail*>(op->detail);
    const auto* members = lanes_of<Mask>(warp, detail.members);
    const Mask all = warp.mask;
    Mask groups[warp_size];
    unsigned count = 0;
    bool all_there = true;
    for (Mask left = all; left != 0; left &= ~groups[count++]) {
        const Mask named = members[first_lane(left)];
        groups[count] = lanes_with(named, left, [&](unsigned lane) { return members[lane]; });
        all_there = all_there && (groups[count] & named & warp.live) == (named & warp.live);
    }
    if (all_there) {
        for (unsigned i = 0; i < count; ++i) {
            pass_sync(warp, groups[i], detail.run == nullptr);
            warp.set_mask(groups[i]);
            if (detail.run != nullptr) detail.run(op, warp, groups[i]);
        }
        warp.set_mask(all);
        return false;
    }
    Path path = warp.paths.back();
    path.pc = op;
    path.waiting = true;
    for (unsigned i = 0; i < count; ++i) {
        path.mask = groups[i];
        if (i == 0) {
            warp.paths.back() = path;
        } else {
            ++path.frame->users;
            warp.paths.push_back(path);
        }
    }
    return true;
}

const Op* warp_sync(const Op* op, Warp& warp) {
    const auto& detail = *static_cast<const WarpSyncDetail*>(op->detail);
    const auto* members = lanes_of<Mask>(warp, detail.members);
    const Mask first = members[first_lane(warp.mask)];
    Mask differ = 0;
    Mask named = 0;  // lanes that their own mask names
    for (unsigned lane = 0; lane < warp_size; ++lane) {
        differ |= ((warp.mask >> lane) & 1U) != 0 ? members[lane] ^ first : 0;
        named |= members[lane] & (1U << lane);
    }
    if (const Mask unnamed = warp.mask & ~named; unnamed != 0) [[unlikely]] {
        if (report_mask_violation(op, warp, unnamed, members[first_lane(unnamed)],
                                  "warp-level operation whose mask does not name the thread that calls it"))
            return nullptr;
        // No lane outside the mask can be waited for: the present lanes execute it.
        pass_sync(warp, warp.mask, detail.run == nullptr);
        if (detail.run != nullptr) detail.run(op, warp, warp.mask);
        return warp.state == WarpState::fault ? nullptr : op + 1;
    }
    if (differ != 0) [[unlikely]] {
        if (!split_by_members(op, warp)) return warp.state == WarpState::fault ? nullptr : op + 1;
    } else if ((warp.mask & first & warp.live) == (first & warp.live)) [[likely]] {
        pass_sync(warp, warp.mask & first, detail.run == nullptr);
        if (detail.run != nullptr) detail.run(op, warp, warp.mask);
        return warp.state == WarpState::fault ? nullptr : op + 1;
    } else {
        warp.paths.back().pc = op;
        warp.paths.back().waiting = true;
    }
    complete_warp_sync(warp);
    return warp.state == WarpState::fault ? nullptr : next_path(warp);
}

}  // namespace lab::machine

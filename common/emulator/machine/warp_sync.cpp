// Warp-level synchronisation: __syncwarp, and the .sync forms of shuffle, vote, match and redux (PTX ISA 9.7.9, 9.7.13).
#include "common/emulator/machine/control.h"

namespace lab::machine {

namespace {

const WarpSyncDetail& detail_of(const Path& path) { return *static_cast<const WarpSyncDetail*>(path.pc->detail); }

bool waits_here(const Path& path) { return path.waiting && path.mask != 0 && path.pc->run[1] == &warp_sync; }

// All lanes of a path that waits name the same members: warp_sync sees to that.
Mask members_of(const Path& path) {
    return reinterpret_cast<const Mask*>(path.frame->base + detail_of(path).members)[first_lane(path.mask)];
}

// Whether two waiting paths take part in one operation: any two __syncwarp() meet, wherever they stand; what exchanges
// values is one instruction for all.
bool meet(const Path& one, const Path& other) {
    if (!waits_here(other) || members_of(one) != members_of(other)) return false;
    if (detail_of(one).run == nullptr) return detail_of(other).run == nullptr;
    return one.pc == other.pc && one.frame == other.frame;
}

}  // namespace

bool complete_warp_sync(Warp& warp) {
    bool any = false;
    for (std::size_t i = 0; i < warp.paths.size(); ++i) {
        if (!waits_here(warp.paths[i])) continue;
        const Path first = warp.paths[i];
        const Mask named = members_of(first) & warp.live;
        Mask here = 0;
        for (const Path& path : warp.paths) {
            if (meet(first, path)) here |= path.mask;
        }
        if ((here & named) != named) continue;
        ++warp.sync_epoch;
        if (detail_of(first).run != nullptr) {
            warp.registers = first.frame->base;
            warp.set_mask(here);
            detail_of(first).run(first.pc, warp, here);
        }
        for (Path& path : warp.paths) {
            if ((path.mask & here) == 0 || !meet(first, path)) continue;
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
        ++warp.sync_epoch;
        for (unsigned i = 0; i < count && detail.run != nullptr; ++i) {
            warp.set_mask(groups[i]);
            detail.run(op, warp, groups[i]);
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

}  // namespace lab::machine

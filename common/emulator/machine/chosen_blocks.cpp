#include "common/emulator/machine/chosen_blocks.h"

#include <algorithm>
#include <cmath>

#include "common/emulator/machine/block_runner.h"

namespace lab::machine {
namespace {

// One class of positions along an axis of `size` blocks.
struct Stretch {
    std::uint32_t begin = 0, end = 0;
    [[nodiscard]] std::uint64_t size() const { return end - begin; }
};
std::vector<Stretch> stretches(std::uint32_t size) {
    std::vector<Stretch> all{{0, 1}};
    if (size > 2) all.push_back({1, size - 1});
    if (size > 1) all.push_back({size - 1, size});
    return all;
}

// That many of the numbers below `count`, evenly spread, without a period that a grid could share: multiples of the golden ratio.
std::vector<std::uint64_t> spread(std::uint64_t count, std::uint64_t wanted) {
    std::vector<std::uint64_t> numbers;
    for (std::uint64_t i = 0; i < std::min(count, wanted); ++i) {
        constexpr double golden = 0.6180339887498949;
        const double place = static_cast<double>(i) * golden;
        numbers.push_back(wanted >= count ? i : static_cast<std::uint64_t>((place - std::floor(place)) * static_cast<double>(count)));
    }
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    return numbers;
}

std::vector<std::uint64_t> wanted_by(const BlockSampler& sampler, const LaunchConfig& config, bool can_be_spared) {
    std::vector<std::uint64_t> positions;
    for (std::uint64_t position = 0; position < config.grid.count(); ++position) {
        const std::uint64_t block = block_at_position(config, position);
        if (sampler.lines_wanted(block) != 0 && sampler.can_spare(block) == can_be_spared) positions.push_back(position);
    }
    return positions;
}

}  // namespace

std::vector<BlockClass> choose_blocks(const Dim3& grid, std::uint64_t most) {
    constexpr std::uint64_t fewest = 4;
    const auto share = [&](std::uint64_t alike) {
        if (most >= grid.count()) return alike;  // all of them: a product of doubles can fall one short
        const double part = static_cast<double>(alike) / static_cast<double>(grid.count());
        return std::max(fewest, static_cast<std::uint64_t>(part * static_cast<double>(most)));
    };
    std::vector<BlockClass> classes;
    for (const Stretch& z : stretches(grid.z)) {
        for (const Stretch& y : stretches(grid.y)) {
            for (const Stretch& x : stretches(grid.x)) {
                BlockClass& added = classes.emplace_back();
                added.stands_for = x.size() * y.size() * z.size();
                for (const std::uint64_t at : spread(added.stands_for, share(added.stands_for))) {
                    const std::uint64_t column = x.begin + at % x.size();
                    const std::uint64_t row = y.begin + at / x.size() % y.size();
                    const std::uint64_t layer = z.begin + at / x.size() / y.size();
                    added.positions.push_back((layer * grid.y + row) * grid.x + column);
                }
            }
        }
    }
    return classes;
}

Outcome run_some(const LoadedModule& module, const std::string& mangled_name, LaunchConfig config, Memory& memory, std::uint64_t most) {
    if (config.sampler != nullptr) {
        const std::vector<std::uint64_t> needed = wanted_by(*config.sampler, config, false);
        config.positions = &needed;
        Outcome looked_at = run(module, mangled_name, config, memory);
        if (looked_at.violation) return looked_at;
        // Adds as many of the others as are affordable, judged by the instructions of the first ones.
        constexpr std::uint64_t max_instructions = 2'000'000;
        const std::uint64_t of_one = looked_at.counters.warp_instructions / std::max<std::uint64_t>(1, needed.size()) + 1;
        std::vector<std::uint64_t> spare = wanted_by(*config.sampler, config, true);
        spare.resize(std::min<std::uint64_t>(spare.size(), max_instructions / of_one));
        if (!spare.empty()) {
            config.positions = &spare;
            if (Outcome more = run(module, mangled_name, config, memory); more.violation) return more;
        }
        config.sampler = nullptr;
    }
    Outcome whole;
    for (const BlockClass& alike : choose_blocks(config.grid, most)) {
        config.positions = &alike.positions;
        Outcome some = run(module, mangled_name, config, memory);
        if (some.violation) return some;
        whole.counters += scaled(some.counters, alike.stands_for, alike.positions.size());
        const std::uint64_t each_for = alike.stands_for / alike.positions.size();
        whole.contention.sectors += some.contention.sectors * each_for;
        whole.contention.serialised += some.contention.serialised * each_for;
        whole.contention.all_sectors += some.contention.all_sectors * each_for;
        for (const PlaceCounts& place : some.places) {
            whole.places.push_back({place.where, scaled(place.counters, alike.stands_for, alike.positions.size())});
        }
    }
    return whole;
}

}  // namespace lab::machine


#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "common/findings/finding_text.h"
#include "common/grading/outside_access.h"

namespace lab::grading {
namespace {

// "blockDim.x and gridDim.y": those sides of a launch's blocks and grid that are equal to a number; "" if none is.
std::string names_of_number(std::size_t number, const Launched& launched) {
    const std::array<std::pair<const char*, std::size_t>, 4> known{{{"blockDim.x", launched.block_x},
                                                                    {"blockDim.y", launched.block_y},
                                                                    {"gridDim.x", launched.grid_x},
                                                                    {"gridDim.y", launched.grid_y}}};
    std::string names;
    for (const auto& [name, value] : known) {
        if (value == number) {
            names += (names.empty() ? "" : " and ") + std::string(name);
        }
    }
    return names;
}

struct Writer {
    OwnElement own;
    Index block, thread;
};

bool is_outside(const OwnElement& own, const Shape& shape) { return own.row >= shape.rows || own.col >= shape.cols; }

// Whether both threads would store to the same row, or column, without their blocks' numbers in the index.
bool may_lack_block(const std::array<Writer, 2>& writers, bool of_row, std::size_t at, const Shape& shape) {
    return std::all_of(writers.begin(), writers.end(),
                       [&](const Writer& one) { return at == (of_row == shape.x_is_row ? one.thread.x : one.thread.y); });
}

std::optional<std::array<Writer, 2>> writers_of(const Finding& race, const Launched& launched, const Shape& shape) {
    std::array<Writer, 2> writers;
    for (std::size_t at = 0; at < writers.size(); ++at) {
        const Place& place = race.places[at];
        const auto own = own_element(place, launched, shape);
        if (!own || place.role != PlaceRole::write) {
            return {};
        }
        writers.at(at) = {*own, *place.block, *place.thread};
    }
    return writers;
}

// Number of the element that both threads write; nothing if the race is not in the output.
std::optional<std::size_t> raced_element(const Finding& race, const Shape& shape) {
    if (race.kind != FindingKind::race || race.space != MemorySpace::global || race.places.size() != 2 || race.locations.empty()) {
        return {};
    }
    const Location& location = race.locations.front();
    const std::size_t elements = shape.rows * shape.cols;
    // A host function's output is an allocation of its own, without a name.
    const bool has_its_name = location.object.name == shape.name;
    const bool has_its_size = location.object.name.empty() && location.object.size == elements * sizeof(float);
    const bool is_output = location.object.kind == ObjectKind::allocation && (has_its_name || has_its_size) &&
                           location.relation == Relation::inside && location.offset >= 0;
    if (!is_output || elements == 0 || location.object.size % elements != 0) {
        return {};
    }
    return static_cast<std::size_t>(location.offset) / (location.object.size / elements);
}

// The number S for which blockIdx * S + threadIdx is a coordinate of the element in both threads; nothing if there is none.
std::optional<std::size_t> common_factor(const std::array<Writer, 2>& writers, std::size_t at, bool is_x) {
    std::optional<std::size_t> factor;
    for (const Writer& one : writers) {
        const std::size_t block = is_x ? one.block.x : one.block.y;
        const std::size_t thread = is_x ? one.thread.x : one.thread.y;
        if (at < thread || (block == 0 && at != thread) || (block > 0 && (at - thread) % block != 0)) {
            return {};
        }
        if (block > 0) {
            if (factor && *factor != (at - thread) / block) {
                return {};
            }
            factor = (at - thread) / block;
        }
    }
    return factor;
}

// Question about the factor of a block's number: along one axis blocks start another number of rows or columns apart than they have
// threads, and that number is another one of the launch.
std::string question_about_factor(const std::array<Writer, 2>& writers, std::size_t row, std::size_t col, const Launched& launched,
                                  const Shape& shape) {
    if (shape.rows == 1 || shape.maps_tiles) {
        return "";
    }
    const auto is_own = [&](bool of_row) {
        return std::all_of(writers.begin(), writers.end(),
                           [&](const Writer& one) { return of_row ? one.own.row == row : one.own.col == col; });
    };
    for (const bool of_row : {true, false}) {
        const bool is_x = of_row == shape.x_is_row;
        const std::size_t side = is_x ? launched.block_x : launched.block_y;
        const auto factor = is_own(!of_row) ? common_factor(writers, of_row ? row : col, is_x) : std::nullopt;
        const std::string names = factor && *factor > 0 && *factor != side ? names_of_number(*factor, launched) : "";
        if (!names.empty()) {
            const char axis = is_x ? 'x' : 'y';
            return fmt::format(
                "{0} {1} is blockIdx.{2} * {3} + threadIdx.{2} in both threads, and {3} is {4}: should it be blockDim.{2}, "
                "{5}?",
                of_row ? "row" : "column", of_row ? row : col, axis, *factor, names, side);
        }
    }
    return "";
}

// Question about the guard of a thread outside the output that stores to the element (row, col).
std::string question_about_edge(const std::array<Writer, 2>& writers, std::size_t row, std::size_t col, const Shape& shape) {
    const auto outside = std::find_if(writers.begin(), writers.end(), [&](const Writer& one) { return is_outside(one.own, shape); });
    const auto all = [&](const auto& index) {
        return std::all_of(writers.begin(), writers.end(), [&](const Writer& one) { return index(one.own) == row * shape.cols + col; });
    };
    if (outside == writers.end()) {
        return "";
    }
    const OwnElement& own = outside->own;
    const std::string who = fmt::format("thread {} of block {}", to_text(outside->thread), to_text(outside->block));
    if (shape.rows > 1 && all([&](const OwnElement& one) { return one.row * shape.cols + one.col; })) {
        return fmt::format(
            "{} stores to row {} and column {} of {}, which ends at column {}: in memory that is row {}, column {}. Does a guard "
            "test the column?",
            who, own.row, own.col, shape.name, shape.cols - 1, row, col);
    }
    if (!all([&](const OwnElement& one) { return std::min(one.row, shape.rows - 1) * shape.cols + std::min(one.col, shape.cols - 1); })) {
        return "";
    }
    const bool is_row = own.row >= shape.rows;
    const bool is_col = own.col >= shape.cols;
    const std::string last = shape.rows == 1 ? "element" : is_row && is_col ? "row and column" : is_row ? "row" : "column";
    const std::string question = may_lack_block(writers, is_row, is_row ? row : col, shape)
                                     ? fmt::format("is blockIdx.{} part of the index, or should a guard keep that thread from storing?",
                                                   is_row == shape.x_is_row ? 'x' : 'y')
                                     : "is its index limited to the last one, where a guard should keep it from storing?";
    return fmt::format("{}, which is at {}, outside {}, stores to the last {}: {}", who,
                       shape.rows == 1 ? fmt::format("element {}", own.col) : fmt::format("row {} and column {}", own.row, own.col),
                       shape.name, last, question);
}

std::string cause_of(const Finding& race, const Launched& launched, const Shape& shape) {
    const auto element = raced_element(race, shape);
    const auto writers = element ? writers_of(race, launched, shape) : std::nullopt;
    if (!writers) {
        return "";
    }
    const std::size_t row = *element / shape.cols;
    const std::size_t col = *element % shape.cols;
    const std::string edge = question_about_edge(*writers, row, col, shape);
    const std::string factor = question_about_factor(*writers, row, col, launched, shape);
    return edge.empty() ? factor : factor.empty() ? edge : "";
}

}  // namespace

Message explained_by_writers(Message found, const Launched& launched, const Shape& shape) {
    if (found.kind != Topic::race || found.findings.empty() || !shape.by_grid || shape.unroll > 1) {
        return found;
    }
    const Finding& race = found.findings.front();
    if (const std::string cause = cause_of(race, launched, shape); !cause.empty()) {
        const std::string headline = is_written_twice(race) ? fmt::format("{} at line {}", race.headline, race.line()) : headline_of(race);
        found.what = headline + ": " + cause;
        found.proof = Proof::terms;  // an index that the elements prove explains more
    }
    return found;
}

}  // namespace lab::grading

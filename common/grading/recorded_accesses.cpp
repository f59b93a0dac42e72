#include "common/grading/recorded_accesses.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

#include "common/grading/repairs.h"

namespace lab::grading {
namespace {

using trace::Recording;
using trace::Space;

constexpr std::int64_t shared_banks = 32;

// A thread of the block, by its place along x and in the other directions.
struct BlockPlace {
    std::int64_t x = 0, row = 0;
};

BlockPlace place_of_lane(const Recording::Request& request, std::size_t lane, std::int64_t block_x) {
    const std::int64_t thread = trace::thread_of(request, lane);
    return {thread % block_x, thread / block_x};
}

// Offsets of two threads that are neighbours along x.
struct Neighbours {
    std::int64_t here = 0, next = 0;
};

std::vector<Neighbours> neighbours_in(const Recording::Request& request, std::int64_t block_x) {
    std::vector<Neighbours> found;
    for (std::size_t lane = 0; lane + 1 < request.lanes.size(); ++lane) {
        const auto& [here, next] = std::tie(request.lanes[lane], request.lanes[lane + 1]);
        if (here && next && place_of_lane(request, lane, block_x).x + 1 != block_x) found.push_back({*here, *next});
    }
    return found;
}

// The distance of at least three of four pairs.
std::optional<std::int64_t> common_distance(const std::map<std::int64_t, std::size_t>& pairs) {
    std::size_t all = 0;
    for (const auto& [distance, count] : pairs) all += count;
    for (const auto& [distance, count] : pairs) {
        if (4 * count >= 3 * all) return distance;
    }
    return std::nullopt;
}

// Sets the words and banks that the first row of threads in a request asks for, and the number of rows.
void look_at_rows(const Recording::Request& request, CostlyAccess* access) {
    std::set<std::int64_t> rows, words, banks;
    for (std::size_t lane = 0; lane < request.lanes.size(); ++lane) {
        if (!request.lanes[lane]) continue;
        rows.insert(place_of_lane(request, lane, access->block_x).row);
        if (rows.size() > 1) continue;
        const std::int64_t word = (static_cast<std::int64_t>(request.address) + *request.lanes[lane]) / trace::word_bytes;
        words.insert(word);
        banks.insert(word % shared_banks);
    }
    access->rows = rows.size();
    access->words = words.size();
    access->banks = banks.size();
}

// Order of accesses, the costliest first: minus the cost beyond what the bytes need, and then the place, so that of equal costs every
// compiler's order gives the same access.
std::tuple<double, std::uint32_t, std::uint32_t> rank_of(const Recording::Access& access) {
    return {static_cast<double>(access.seen_ideal) - static_cast<double>(access.seen_cost), access.where.line, access.where.column};
}

std::string place_of(const Recording::Access& access) {
    return access.where.line == 0 ? ""
                                  : fmt::format("{}:{}", std::filesystem::path(access.where.file).filename().string(), access.where.line);
}

bool is_load_of_global(const Recording::Access& access) { return access.space == Space::global && access.kind == trace::AccessKind::load; }

struct FirstLine {
    std::string text, cause;
};

Message with_first_line(Message message, FirstLine line, const CostlyAccess& access) {
    message.what = std::move(line.text);
    message.cause = std::move(line.cause);
    if (!access.place.empty()) message.where.push_back(access.place);
    return message;
}

std::string question_about(const CostlyAccess& access, std::int64_t apart, const Uncoalesced& seen) {
    // Elements that one thread of an unrolled kernel takes.
    constexpr std::int64_t max_unrolled = 16;
    const auto row = seen.rows.find(access.array);
    if (row != seen.rows.end() && apart == row->second) {
        return seen.is_column_major ? access.array + " is column-major, does threadIdx.x choose the column instead of the row?"
                                    : "does threadIdx.x choose the row instead of the column?";
    }
    if (apart <= max_unrolled) return "does each thread take elements side by side instead of blockDim.x apart?";
    return "what is threadIdx.x multiplied by in the index?";
}

}  // namespace

RecordedAccesses::RecordedAccesses(Call call) {
    if (is_trial()) return;
    call.backend().records_accesses = true;
    Result result = call.run(student());
    if (result.problem.empty() && result.launches.size() == 1) launch_ = std::move(result.launches.front());
}

std::optional<CostlyAccess> RecordedAccesses::costliest(Space space, const std::string& kind) const {
    if (!launch_.recording) return std::nullopt;
    const Recording::Access* most = nullptr;
    for (const Recording::Access& access : launch_.recording->accesses) {
        if (access.space != space || name_of(access.kind) != kind || std::get<0>(rank_of(access)) >= 0) continue;
        if (most == nullptr || rank_of(access) < rank_of(*most)) most = &access;
    }
    if (most == nullptr) return std::nullopt;
    CostlyAccess found{launch_.name_of(*most), place_of(*most)};
    found.bytes = most->bytes;
    found.block_x = launch_.block.x;
    found.block_y = launch_.block.y;
    std::map<std::int64_t, std::size_t> pairs;
    for (const Recording::Request& request : most->kept) {
        if (request.cost <= request.ideal) continue;
        for (const auto& [here, next] : neighbours_in(request, found.block_x)) ++pairs[next - here];
        if (found.rows == 0) look_at_rows(request, &found);
    }
    const auto apart = common_distance(pairs);
    if (!apart || found.array.empty()) return std::nullopt;
    found.apart = std::abs(*apart);
    return found;
}

std::map<std::string, double> RecordedAccesses::loaded_bytes() const {
    if (!launch_.recording) return {};
    std::map<std::tuple<std::string, std::uint32_t, std::uint32_t>, std::string> arrays;
    std::map<std::string, double> bytes;
    for (const Recording::Access& access : launch_.recording->accesses) {
        if (!is_load_of_global(access)) continue;
        const std::string array = launch_.name_of(access);
        const auto [place, is_new] = arrays.try_emplace({access.where.file, access.where.line, access.where.column}, array);
        if (array.empty() || place->second != array) return {};
        if (is_new) bytes[array] += static_cast<double>(access.requested);
    }
    return bytes;
}

Message explained_by_distance(Message message, const RecordedAccesses& accesses, const Uncoalesced& seen) {
    const auto access = accesses.costliest(Space::global, seen.kind);
    if (!access || access->apart <= access->bytes || access->apart % access->bytes != 0) return message;
    const std::int64_t apart = access->apart / access->bytes;
    std::string line = fmt::format("{}: neighbouring threads {} elements of {} that lie {} apart ({}): {}", seen.rule, seen.kind,
                                   access->array, apart, seen.counts, question_about(*access, apart, seen));
    return with_first_line(std::move(message), {std::move(line), "distance_of_threads"}, *access);
}

Message explained_by_banks(Message message, const RecordedAccesses& accesses, const std::string& kind, const std::string& counts,
                           const AskAboutBanks& ask) {
    const auto access = accesses.costliest(Space::shared, kind);
    if (!access || access->banks == access->words || access->apart % trace::word_bytes != 0) return message;
    const std::int64_t apart = access->apart / trace::word_bytes;
    const std::string banks = access->banks == 1 ? "all in one bank" : fmt::format("in {} of {} banks", access->banks, shared_banks);
    std::string line = fmt::format("bank conflicts: neighbouring threads {} words of {} that lie {} apart, {} ({}): {}", kind,
                                   access->array, apart, banks, counts, ask(access->array, apart));
    return with_first_line(std::move(message), {std::move(line), "distance_in_banks"}, *access);
}

std::string ask_for_padding(const std::string& array, std::int64_t words) {
    return words % 2 == 0 && words % shared_banks != 0
               ? fmt::format("is a row of {} {} words long instead of an odd number?", array, words)
               : fmt::format("is a row of {} {} words long instead of {}?", array, words, words + 1);
}

Message explained_by_rows(Message message, const RecordedAccesses& accesses) {
    const auto access = accesses.costliest(Space::constant, "load");
    if (!access) return message;
    std::string line = message.what;
    if (access->apart == 0 && access->rows > 1) {
        line += fmt::format(": a warp of a {} x {} block has {} rows", access->block_x, access->block_y, access->rows);
    }
    return with_first_line(std::move(message), {std::move(line), "reads_of_other_words"}, *access);
}

namespace {

using trace::Recording;

// Addresses of a request, by the number of the thread in its block.
std::map<std::int64_t, std::int64_t> addresses_of(const Recording::Request& request) {
    std::map<std::int64_t, std::int64_t> addresses;
    for (std::size_t lane = 0; lane < request.lanes.size(); ++lane) {
        if (const auto& offset = request.lanes[lane])
            addresses[trace::thread_of(request, lane)] = static_cast<std::int64_t>(request.address) + *offset;
    }
    return addresses;
}

}  // namespace

std::optional<Distances> distances(const trace::Launch& launch, const std::string& array, trace::AccessKind kind) {
    if (!launch.recording) return std::nullopt;
    const std::int64_t block_x = launch.block.x;
    std::set<std::int64_t> along_x, along_y;
    for (const Recording::Access& access : launch.recording->accesses) {
        const bool is_to_it = access.space == trace::Space::global && access.kind == kind && launch.name_of(access) == array;
        if (!is_to_it || access.bytes != trace::word_bytes) continue;
        // The first element of each thread of a block; warps of one block follow one another.
        std::map<std::uint32_t, std::map<std::int64_t, std::int64_t>> by_block;
        for (const Recording::Request& request : access.kept) by_block[request.block].merge(addresses_of(request));
        for (const auto& [block, addresses] : by_block) {
            for (const auto& [thread, address] : addresses) {
                const auto right = addresses.find(thread + 1);
                const auto below = addresses.find(thread + block_x);
                if (right != addresses.end() && (thread + 1) % block_x != 0) along_x.insert(right->second - address);
                if (below != addresses.end()) along_y.insert(below->second - address);
            }
        }
    }
    if (along_x.size() != 1 || along_y.size() != 1) return std::nullopt;
    return Distances{*along_x.begin() / trace::word_bytes, *along_y.begin() / trace::word_bytes};
}

bool exchanges_axes(const Distances& seen, const AccessedMatrix& matrix) {
    const auto row = static_cast<std::int64_t>(matrix.row_elements);
    return row > 1 && seen == (matrix.x_is_row ? Distances{1, row} : Distances{row, 1});
}

std::string wrong_distances(const Distances& seen, const AccessedMatrix& matrix, trace::AccessKind kind) {
    const auto row = static_cast<std::int64_t>(matrix.row_elements);
    const char* const verb = kind == trace::AccessKind::store ? "store" : "load";
    if (exchanges_axes(seen, matrix)) {
        return fmt::format(
            "; neighbouring threads {} elements of {} that lie {} apart along x and {} along y: does x choose the {}, or are row and "
            "column exchanged in the index?",
            verb, matrix.name, seen.x, seen.y, matrix.x_is_row ? "column instead of the row" : "row instead of the column");
    }
    const auto& [columns, rows] = matrix.x_is_row ? std::pair{seen.y, seen.x} : std::pair{seen.x, seen.y};
    if (columns != 1 || rows <= 1 || rows == row) return "";
    return fmt::format(
        "; threads that are neighbours along {} {} elements of {} that lie {} apart, but a row has {}: what is the row "
        "multiplied by in the index?",
        matrix.x_is_row ? "x" : "y", verb, matrix.name, rows, row);
}

}  // namespace lab::grading

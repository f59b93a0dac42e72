// Mistakes in lab 4's launching functions: sizes of shared memory, copies to constant memory, bands of rows, arguments.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/grading/findings.h"
#include "common/grading/host_calls.h"

namespace lab::grading {

inline constexpr int constant_floats = 64 * 1024 / static_cast<int>(sizeof(float));  // the CUDA guide's limit, and common/api/lab4.h's

struct MatvecSize {
    int rows, cols;
    int block = 16;  // its side; of the functions that are told one
};

struct MatmulSize {
    int m, n, k;
};

// A launch in blocks of another shape than block x block threads.
[[nodiscard]] inline std::string wrong_block(const Result& result, const std::string& function, const MatvecSize& size) {
    const Launched launched = launched_in(result);
    const auto side = static_cast<std::size_t>(size.block);
    return launched.block_x == 0 || (launched.block_x == side && launched.block_y == side)
               ? ""
               : fmt::format("{} is launched in blocks of {} x {} threads instead of {} x {}", function, launched.block_x, launched.block_y,
                             side, side);
}

// A grid that is so large that the launch was stopped before its end. `rows`, `cols`: of an output that square blocks cover.
[[nodiscard]] inline Cause far_too_many_blocks(const Message& wrong, const Result& result, int rows, int cols) {
    if (wrong.kind != Topic::endless || result.launches.empty()) return {};
    const trace::Launch& launch = result.launches.front();
    const auto over = [&](int elements) { return (static_cast<std::uint64_t>(elements) + launch.block.x - 1) / launch.block.x; };
    const std::uint64_t blocks = launch.grid.count(), needed = over(rows) * over(cols);
    if (blocks <= 2 * needed) return {};
    return {.text = fmt::format("{} blocks were launched; {} are enough", blocks, needed), .name = "blocks_of_launch"};
}

// A kernel of the lab that is launched where another one is asked for.
[[nodiscard]] inline Cause other_kernel(const Result& result, const std::string& function) {
    static const std::set<std::string> kernels{"matvec_static",   "matvec_dynamic", "matvec_any",
                                               "matvec_constant", "matmul_any",     "matmul_constant"};
    if (result.launches.empty() || !kernels.contains(function)) return {};
    const trace::Launch& launch = result.launches.front();
    const std::string launched = launch.kernel.substr(0, launch.kernel.find_first_of("<("));
    if (launched == function || !kernels.contains(launched)) return {};
    return {.text = fmt::format("line {} launches {} instead of {}", launch.where.line, launched, function), .name = "kernel_of_launch"};
}

// Dynamic shared memory that ends before the two tiles do; "" unless an access past its end was found.
[[nodiscard]] inline std::string too_few_shared_bytes(const Result& result, const MatvecSize& size) {
    const bool is_beyond = std::any_of(result.findings.begin(), result.findings.end(), [](const Finding& finding) {
        return finding.kind == FindingKind::out_of_bounds && finding.space == MemorySpace::shared;
    });
    if (!is_beyond || result.launches.size() != 1) {
        return "";
    }
    const std::int64_t bytes = result.launches[0].dynamic_shared_bytes;
    const std::int64_t block = size.block;
    const std::int64_t tile = block * block;
    const std::int64_t needed = (tile + block) * static_cast<std::int64_t>(sizeof(float));
    if (bytes >= needed) {
        return "";
    }
    const std::int64_t elements = bytes / static_cast<std::int64_t>(sizeof(float));
    const std::string asked =
        fmt::format("{} bytes of dynamic shared memory, both tiles take ({} * {} + {}) * 4 = {}", bytes, block, block, block, needed);
    if (block == 1) return asked;  // where sizes can't be told apart
    return asked + (bytes == tile + block ? ": is the size in elements?"
                    : elements == tile    ? ": x's tile is left out"
                    : elements > tile     ? fmt::format(": of x's tile {} of {} elements are counted", elements - tile, block)
                                          : "");
}

// The copy of x to in_constant.
[[nodiscard]] inline std::string mistake_in_constant_vector(const Result& result, const MatvecSize& size) {
    const std::uint64_t bytes = static_cast<std::uint64_t>(size.cols) * sizeof(float);
    const std::vector<trace::Copy>& copies = result.copies;
    if (copies.size() != 1 || copies[0].to.array != "in_constant" || copies[0].from.array.empty()) {
        return "";
    }
    const trace::Copy& copy = copies[0];
    if (copy.from.array != "x") {
        return fmt::format("in_constant is filled from {} instead of x, at line {}", copy.from.array, copy.line);
    }
    if (copy.launches > 0) {
        return fmt::format("x is copied to in_constant at line {}, after the launch: the kernel has read what was there before", copy.line);
    }
    if (copy.from.offset != 0 || copy.to.offset != 0) {
        return fmt::format("x is copied from its byte {} to byte {} of in_constant, at line {}, instead of from 0 to 0", copy.from.offset,
                           copy.to.offset, copy.line);
    }
    return copy.bytes < bytes ? fmt::format("only {} of x's {} bytes are copied to in_constant, at line {}{}", copy.bytes, bytes, copy.line,
                                            copy.bytes * sizeof(float) == bytes ? ": is the size in elements?" : "")
                              : "";
}

// Arguments of a launch of matmul_constant: the first row of C that it stores, and the number of rows.
struct ToldRows {
    std::int64_t first = 0, count = 0;
};
[[nodiscard]] inline std::optional<ToldRows> told_rows(const Result& result, std::size_t launch, const MatmulSize& size) {
    if (launch >= result.arguments.size()) {
        return std::nullopt;
    }
    const std::vector<trace::Argument>& given = result.arguments[launch];
    if (given.size() != 5 || given[1].array != "C" || given[2].is_pointer) {
        return std::nullopt;
    }
    const auto row_bytes = static_cast<std::int64_t>(size.n) * static_cast<std::int64_t>(sizeof(float));
    return ToldRows{given[1].offset / row_bytes, given[2].number};
}

// A launch that is told more rows than C has from its first one on.
[[nodiscard]] inline std::string rows_beyond_the_last(const Result& result, const MatmulSize& size) {
    for (std::size_t at = 0; const auto told = told_rows(result, at, size); ++at) {
        if (told->first + told->count > size.m) {
            return fmt::format("launch {} is told {} rows, but C has {} from its row {} on: is the last band as long as the others?",
                               at + 1, told->count, size.m - told->first, told->first);
        }
    }
    return "";
}

// A launch without blocks, before anything was copied.
[[nodiscard]] inline std::string band_without_rows(const Result& result, const MatmulSize& size) {
    const int fit = constant_floats / std::max(size.k, 1);
    const auto has_no_blocks = [](const Finding& finding) { return finding.grid && finding.grid->x * finding.grid->y == 0; };
    const auto launch = std::find_if(result.findings.begin(), result.findings.end(), has_no_blocks);
    if (launch == result.findings.end() || result.api.copies != 0 || fit == 0) {
        return "";
    }
    return fmt::format(
        "a grid without blocks, ({}, {}), and nothing copied to in_constant: is a band 0 rows long, or constant_floats taken for bytes? {} "
        "of k = {} fit",
        launch->grid->x, launch->grid->y, counted(fit, "row", "rows"), size.k);
}

// A band of A, the copy of this number, as it lies in A and as the launch after it uses it. `first`: the row after the bands before it.
[[nodiscard]] inline std::string mistake_in_band(const Result& result, const MatmulSize& size, const trace::Copy& copy, std::size_t at,
                                                 std::int64_t first) {
    const std::int64_t row_bytes = static_cast<std::int64_t>(size.k) * static_cast<std::int64_t>(sizeof(float));
    const std::string band = fmt::format("band {} of A, copied to in_constant at line {},", at + 1, copy.line);
    if (copy.from.array != "A") {
        return fmt::format("in_constant is filled from {} instead of A, at line {}", copy.from.array, copy.line);
    }
    if (copy.from.offset % row_bytes != 0) {
        const std::int64_t element = copy.from.offset / static_cast<std::int64_t>(sizeof(float));
        return fmt::format("{} begins at A[{}], ", band, element) +
               (element == first ? fmt::format("but row {} is at A[{}]", first, first * static_cast<std::int64_t>(size.k))
                                 : fmt::format("where no row of k = {} floats does", size.k));
    }
    if (copy.bytes % static_cast<std::uint64_t>(row_bytes) != 0) {
        return fmt::format("{} has {} bytes, which are no whole rows of k = {} floats: is the size in bytes?", band, copy.bytes, size.k);
    }
    if (at == 0 && copy.launches > 0) {
        return fmt::format("{} comes after the launch: the kernel has read what was there before", band);
    }
    if (copy.launches < at) {
        return fmt::format("{} comes before a launch has used the band before it", band);
    }
    const auto told = copy.launches == at ? told_rows(result, at, size) : std::nullopt;
    const std::int64_t row = copy.from.offset / row_bytes;
    if (!told || told->first == row) return "";
    // The first element of C that is stored, where the start of the band is counted in rows of A, or in elements.
    const bool is_in_rows_of_A = row > 0 && size.k != size.n && told->first == row * size.k / size.n;
    const bool is_in_elements = row > 0 && told->first == row / size.n;
    const std::string start = fmt::format(": row {} of C is at {} * n, does the launch add {}", row, row, row);
    return fmt::format("launch {} stores C from row {} on, but in_constant holds A from row {} on", at + 1, told->first, row) +
           (is_in_rows_of_A  ? start + " * k?"
            : is_in_elements ? start + "?"
                             : "");
}

// A copy to in_constant that failed since its source is not where the next band of A begins. `band`, `first`: its number and first row.
[[nodiscard]] inline std::string source_of_failed_copy(const Result& result, const MatmulSize& size, const trace::Copy& earlier,
                                                       std::size_t band, std::int64_t first) {
    const auto has_failed = [](const Finding& finding) {
        return finding.call == "cudaMemcpyToSymbol" && finding.kind == FindingKind::wrong_copy_size && !finding.locations.empty() &&
               finding.locations[0].object.kind != ObjectKind::constant_variable;
    };
    const auto failed = std::find_if(result.findings.begin(), result.findings.end(), has_failed);
    if (failed == result.findings.end()) {
        return "";
    }
    constexpr std::int64_t element_bytes = sizeof(float);
    const std::int64_t from = static_cast<std::int64_t>(failed->locations[0].address - earlier.from.block);
    const std::int64_t start = first * size.k;
    return from == start * element_bytes
               ? ""
               : fmt::format("band {} of A, copied to in_constant at line {}, begins at A[{}], but row {} is at A[{}]{}", band,
                             failed->line(), from / element_bytes, first, start,
                             from == start * element_bytes * element_bytes ? ": is a pointer's distance in bytes?" : "");
}

// The bands of A in constant memory: each holds the rows that the launch after it stores, and together they are all of A.
[[nodiscard]] inline std::string mistake_in_bands(const Result& result, const MatmulSize& size) {
    if (std::string text = band_without_rows(result, size); !text.empty()) {
        return text;
    }
    const std::vector<trace::Copy>& copies = result.copies;
    std::int64_t first = 0;
    for (std::size_t at = 0; at < copies.size(); ++at) {
        if (copies[at].to.array != "in_constant" || copies[at].from.array.empty()) {
            return "";
        }
        if (std::string text = mistake_in_band(result, size, copies[at], at, first); !text.empty()) {
            return text;
        }
        first += static_cast<std::int64_t>(copies[at].bytes / sizeof(float)) / size.k;
    }
    if (std::string text = copies.empty() ? "" : source_of_failed_copy(result, size, copies[0], copies.size() + 1, first); !text.empty()) {
        return text;
    }
    const bool has_ended = result.status == 0 && result.findings.empty();
    if (has_ended && !copies.empty() && first < size.m) {
        return fmt::format("only {} of {} rows of A were ever copied to in_constant, in {}: does the loop over the bands end too early?",
                           first, size.m, counted(static_cast<std::int64_t>(copies.size()), "band", "bands"));
    }
    return rows_beyond_the_last(result, size);
}

// A grid that has as many blocks as the columns take, in a launch that left rows out.
[[nodiscard]] inline std::string grid_of_columns(const Message& wrong, const Result& result, const MatvecSize& size) {
    const auto blocks_over = [&](int elements) { return static_cast<std::size_t>((elements + size.block - 1) / size.block); };
    const std::size_t blocks = launched_in(result).grid_x;
    const bool leaves_out = wrong.topics.count(Topic::unwritten_elements) != 0 && blocks > 0 && blocks < blocks_over(size.rows);
    return leaves_out && blocks == blocks_over(size.cols) && blocks != static_cast<std::size_t>(size.rows / size.block)
               ? fmt::format("the grid has {} block{} of {}, as many as cols = {} take, but rows = {} take {}", blocks,
                             blocks == 1 ? "" : "s", size.block, size.cols, size.rows, blocks_over(size.rows))
               : "";
}

// The verdict with the cause that the host code's calls prove, if its own first line proves none.
[[nodiscard]] inline Message explained_by_host_code(Message wrong, const Result& result, const Call& call, const MatvecSize& size) {
    if (const Cause cause = other_kernel(result, call.function()); !cause.empty()) return explained_by_cause(std::move(wrong), cause);
    if (const Cause cause = far_too_many_blocks(wrong, result, size.rows, 1); !cause.empty()) {
        return explained_by_cause(std::move(wrong), cause);
    }
    if (const std::string cause = call.function() == "matvec_any" ? grid_of_columns(wrong, result, size) : ""; !cause.empty()) {
        return explained_by_cause(std::move(wrong), {.text = cause, .name = "grid_of_columns"});
    }
    if (wrong.empty() || wrong.proof != Proof::none || !result.problem.empty()) {
        return wrong;
    }
    const std::string& function = call.function();
    const bool is_constant = function == "matvec_constant";
    std::vector<AskedArgument> asked{{"A", "A"}, {"x", "x"}, {"y", "y"}, {"rows", "", size.rows}, {"cols", "", size.cols}};
    if (is_constant) {
        asked.erase(asked.begin() + 1);
    }
    const bool has_arguments = is_constant || function == "matvec_dynamic" || function == "matvec_any";
    Cause cause = has_arguments ? wrong_arguments(result, function, asked) : Cause{};
    if (cause.empty() && has_arguments && !is_constant) cause = {.text = wrong_block(result, function, size), .name = "block_of_launch"};
    if (cause.empty() && is_constant) cause = {.text = mistake_in_constant_vector(result, size), .name = "constant_vector"};
    if (cause.empty() && has_arguments) cause = {.text = too_few_shared_bytes(result, size), .name = "bytes_of_launch"};
    return explained_by_cause(std::move(wrong), cause);
}

[[nodiscard]] inline Message explained_by_host_code(Message wrong, const Result& result, const Call& call, const MatmulSize& size) {
    if (const Cause cause = other_kernel(result, call.function()); !cause.empty()) return explained_by_cause(std::move(wrong), cause);
    const bool has_square_blocks = call.function() == "matmul_any";
    if (const Cause cause = far_too_many_blocks(wrong, result, size.m, size.n); has_square_blocks && !cause.empty()) {
        return explained_by_cause(std::move(wrong), cause);
    }
    if (wrong.empty() || wrong.proof != Proof::none || !result.problem.empty()) {
        return wrong;
    }
    if (call.function() == "matmul_any") {
        return explained_by_cause(
            std::move(wrong),
            wrong_arguments(result, "matmul_any",
                            {{"A", "A"}, {"B", "B"}, {"C", "C"}, {"m", "", size.m}, {"n", "", size.n}, {"k", "", size.k}}));
    }
    const bool refuses = result.status_text.rfind("cudaErrorInvalidValue", 0) == 0 && result.api.failed_calls == 0;
    if (refuses && size.k <= constant_floats) {
        return explained_by_cause(std::move(wrong),
                                  {.text = fmt::format("refused k = {}, which fits: constant memory has room for {} floats: is a "
                                                       "size in bytes compared, or the last that fits left out?",
                                                       size.k, constant_floats),
                                   .name = "refusal"});
    }
    return explained_by_cause(std::move(wrong), {.text = mistake_in_bands(result, size), .name = "bands_of_constant_memory"});
}

}  // namespace lab::grading

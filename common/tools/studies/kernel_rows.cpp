#include "common/tools/studies/kernel_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <tuple>

#include "common/tools/errors.h"
#include "common/tools/safe_files.h"

namespace lab::tools {
namespace {

using Json = nlohmann::json;

auto key_of(const KernelRow& row) { return std::make_tuple(row.lab, row.kernel, row.size.x, row.size.y, row.block.x, row.block.y); }

void count_orders(const std::vector<RowPair>& pairs, RowFidelity* fidelity) {
    std::map<std::pair<int, int>, std::vector<const RowPair*>> of_size;
    for (const RowPair& pair : pairs) of_size[{pair.measured->size.x, pair.measured->size.y}].push_back(&pair);
    for (const auto& [size, alike] : of_size) {
        for (const RowPair* const slow : alike) {
            for (const RowPair* const fast : alike) {
                constexpr double differs = 1.15;
                if (slow->measured->ms <= differs * fast->measured->ms) continue;
                ++fidelity->pairs;
                if (slow->modelled->ms <= fast->modelled->ms) ++fidelity->exchanged;
            }
        }
    }
}

}  // namespace

std::string KernelRow::at() const { return fmt::format("{}, {}", show(size, size.x == size.y), show(block)); }

bool KernelRows::is_fitted(const KernelRow& row) const {
    const Json sizes = about.value("fitted_sizes", Json::array());
    return std::find(sizes.begin(), sizes.end(), row.size.x) != sizes.end();
}

KernelRow row_of(const Json& line) {
    KernelRow row;
    row.lab = line.at("lab");
    row.kernel = line.at("kernel");
    row.size = {line.at("size").at(0), line.at("size").at(1)};
    row.block = {line.at("block").at(0), line.at("block").at(1)};
    row.ms = line.at("ms");
    if (const auto counts = line.find("counts"); counts != line.end()) {
        const auto& load = counts->at("load");
        const auto& store = counts->at("store");
        row.counts = {load.at(0), load.at(1), store.at(0), store.at(1)};
    }
    return row;
}

std::string to_line(const KernelRow& row) {
    std::string line = fmt::format(R"({{"lab": "{}", "kernel": "{}", "size": [{}, {}], "block": [{}, {}], "ms": {:.6f})", row.lab,
                                   row.kernel, row.size.x, row.size.y, row.block.x, row.block.y, row.ms);
    if (row.counts) {
        line += fmt::format(R"(, "counts": {{"load": [{}, {}], "store": [{}, {}]}})", row.counts->load_requests, row.counts->load_sectors,
                            row.counts->store_requests, row.counts->store_sectors);
    }
    return line + "}";
}

std::string to_lines(const KernelRows& rows) {
    std::string text = rows.about.dump() + "\n";
    for (const KernelRow& row : rows.rows) text += to_line(row) + "\n";
    return text;
}

KernelRows read_rows(const std::filesystem::path& file) {
    KernelRows rows;
    std::istringstream lines(read_whole(file));
    std::size_t number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        const auto refuse = [&](const char* what) {
            throw BadInput(fmt::format("{}:{}: {}; ./lab fidelity --measure makes such files", file.string(), number, what));
        };
        const Json json = Json::parse(line, nullptr, false);
        if (!json.is_object()) refuse("no JSON object");
        if (number == 1) {
            if (!json.contains("device")) refuse("names no device");
            rows.about = json;
            continue;
        }
        try {
            rows.rows.push_back(row_of(json));
        } catch (const Json::exception&) {
            refuse("no row with lab, kernel, size, block and ms");
        }
        if (!(rows.rows.back().ms > 0)) refuse("a time has to be above 0");
    }
    if (rows.rows.empty()) throw BadInput(fmt::format("{}: holds no rows; ./lab fidelity --measure makes such files", file.string()));
    return rows;
}

std::vector<RowPair> paired(const KernelRows& measured, const std::vector<KernelRow>& modelled) {
    std::map<decltype(key_of(KernelRow())), const KernelRow*> by_key;
    for (const KernelRow& row : modelled) by_key[key_of(row)] = &row;
    std::vector<RowPair> pairs;
    for (const KernelRow& row : measured.rows) {
        const auto found = by_key.find(key_of(row));
        if (found != by_key.end()) pairs.push_back({&row, found->second, measured.is_fitted(row)});
    }
    return pairs;
}

void RowErrors::add(const RowPair& pair) {
    ++rows;
    sum += std::abs(pair.error());
    if (worst == nullptr || std::abs(pair.error()) > std::abs(worst->error())) worst = &pair;
}

RowFidelity fidelity_of(const std::vector<RowPair>& pairs) {
    RowFidelity fidelity;
    for (const RowPair& pair : pairs) {
        fidelity.of_kernel[pair.measured->name()].add(pair);
        fidelity.all.add(pair);
        (pair.is_fitted ? fidelity.fitted : fidelity.predicted).add(pair);
        constexpr double half = 0.5;
        fidelity.beyond_half += std::abs(pair.error()) > half ? 1 : 0;
        if (!pair.measured->counts || !pair.modelled->counts) continue;
        ++fidelity.counted;
        if (*pair.measured->counts != *pair.modelled->counts) fidelity.other_counts.push_back(&pair);
    }
    count_orders(pairs, &fidelity);
    return fidelity;
}

}  // namespace lab::tools

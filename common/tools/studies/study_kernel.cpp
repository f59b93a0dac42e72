#include "common/tools/studies/study_kernel.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <sstream>

#include "common/tools/errors.h"

namespace lab::tools {
namespace {

// Kernels compute indices as int: the side of a square matrix is limited so that no index exceeds 2^31 - 1.
constexpr double max_elements = 2147483647.0;

// A whole number from 1 up; 0 for anything else.
int positive(std::string_view text) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size() && value > 0 ? value : 0;
}

// The numbers of "1000x600", or that of "512" twice; 0 for what is none.
std::pair<int, int> numbers_in(const std::string& text) {
    const std::size_t by = text.find('x');
    return {positive(text.substr(0, by)), positive(by == std::string::npos ? text : text.substr(by + 1))};
}

// The labs' entries in the order of static initialisation.
std::vector<StudyKernel>& catalogue() {
    static std::vector<StudyKernel> all;
    return all;
}

// n of "lab<n>".
int number_of(const std::string& lab) { return positive(std::string_view(lab).substr(3)); }

// The entries that `is_wanted`, lab by lab.
template <typename IsWanted>
std::vector<StudyKernel> entries(IsWanted is_wanted) {
    std::vector<StudyKernel> kernels = catalogue();
    std::erase_if(kernels, std::not_fn(is_wanted));
    std::ranges::stable_sort(kernels, {}, [](const StudyKernel& kernel) { return number_of(kernel.lab); });
    return kernels;
}

std::string names_of(const std::string& lab) {
    std::vector<std::string> names;
    for (const StudyKernel& kernel : study_kernels()) {
        if (kernel.lab == lab) names.push_back(kernel.name);
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

StudyCall transpose(Size size, BlockShape block) {
    const auto count = static_cast<std::uint64_t>(size.x) * static_cast<std::uint64_t>(size.y);
    return {{{"nx", size.x}, {"ny", size.y}, {"block_x", block.x}, {"block_y", block.y}}, {{"in", count, false}, {"out", count, true}}};
}

// For kernels with one block shape, which their runners represent by 0 x 0.
StudyCall transpose_in_its_block(Size size, BlockShape /*that one*/) { return transpose(size, {0, 0}); }

}  // namespace

AddKernels::AddKernels(const std::vector<StudyKernel>& kernels) { catalogue().insert(catalogue().end(), kernels.begin(), kernels.end()); }

const std::vector<StudyKernel>& study_kernels() {
    static const std::vector<StudyKernel> all = entries([](const StudyKernel& kernel) { return !kernel.is_on_host; });
    return all;
}

const std::vector<StudyKernel>& demo_kernels() {
    static const std::vector<StudyKernel> all = [] {
        std::vector<StudyKernel> kernels = entries([](const StudyKernel& kernel) { return kernel.demo_step.has_value(); });
        std::ranges::stable_sort(kernels, {}, &StudyKernel::demo_step);
        return kernels;
    }();
    return all;
}

const StudyKernel& find_kernel(const Project& project, const std::string& lab, const std::string& name, std::string_view subcommand) {
    const std::size_t slash = name.find('/');
    const std::string lab_given = slash == std::string::npos ? lab : name.substr(0, slash);
    const std::string kernel_name = slash == std::string::npos ? name : name.substr(slash + 1);
    const std::string lab_name = project.select_one(lab_given, std::string(subcommand)).name();
    const std::string known = names_of(lab_name);
    if (known.empty()) {
        const std::string other = study_kernels().empty() ? "" : study_kernels().front().lab;
        throw BadInput(fmt::format("{} has no kernels that run on a GPU; try {}: {}", lab_name, other, names_of(other)));
    }
    if (kernel_name.empty()) {
        throw BadInput(fmt::format("say which kernel, as in ./lab {} {} {}; {} has: {}", subcommand, lab_name,
                                   known.substr(0, known.find(',')), lab_name, known));
    }
    const auto is_it = [&](const StudyKernel& each) { return each.lab == lab_name && each.name == kernel_name; };
    const auto found = std::ranges::find_if(study_kernels(), is_it);
    if (found == study_kernels().end()) throw BadInput(fmt::format("{} has no kernel '{}'; it has: {}", lab_name, kernel_name, known));
    return *found;
}

Size parse_size(const std::string& text, const std::string& option) {
    const auto [x, y] = numbers_in(text);
    if (x == 0 || y == 0)
        throw BadInput(fmt::format("{} {}: give a whole number from 1 up, as in 512, or two, as in 1000x600", option, text));
    return {x, y};
}

BlockShape parse_block(const std::string& text, const std::string& option) {
    const auto [x, y] = numbers_in(text);
    if (x == 0 || y == 0 || text.find('x') == std::string::npos)
        throw BadInput(fmt::format("{} {}: give threads along x and y, as in 32x8", option, text));
    return {x, y};
}

std::vector<BlockShape> parse_blocks(const std::string& text, const std::string& option) {
    std::vector<BlockShape> shapes;
    std::istringstream stream(text);
    for (std::string one; std::getline(stream, one, ',');) {
        const BlockShape block = parse_block(one, option);
        if (std::find(shapes.begin(), shapes.end(), block) == shapes.end()) shapes.push_back(block);
    }
    if (shapes.empty()) throw BadInput(fmt::format("{} {}: give shapes with commas between, as in 32x32,16x16", option, text));
    return shapes;
}

std::string show(Size size, bool is_square) { return is_square ? fmt::format("{}", size.x) : fmt::format("{}x{}", size.x, size.y); }
std::string show(BlockShape block) { return block.x == 0 ? "its own" : fmt::format("{}x{}", block.x, block.y); }

Size size_for(const StudyKernel& kernel, const std::string& text) {
    const Size size = text.empty() ? kernel.usual_size : parse_size(text, "--size");
    if (kernel.is_square && size.x != size.y) {
        throw BadInput(fmt::format("--size {}: {} works on square matrices; give one number", text, kernel.name));
    }
    if (size.count() > max_elements) {
        throw BadInput(
            fmt::format("--size {}: kernels index with an int, so a matrix has at most 2147483647 elements (46340x46340)", text));
    }
    return size;
}

UsefulWork square_product_work(Size size, double element_bytes) {
    const double elements = size.count();
    return {2 * elements * size.x, 3 * elements * element_bytes};
}

UsefulWork transpose_work(Size size, double element_bytes) { return {0, 2 * size.count() * element_bytes}; }

StudyKernel transposing_kernel(const std::string& lab, const std::string& name) {
    StudyKernel kernel;
    kernel.lab = lab;
    kernel.name = name;
    kernel.usual_size = {2048, 2048};
    kernel.is_square = false;
    kernel.usual_block = {16, 16};
    kernel.work = transpose_work;
    kernel.call = transpose;
    return kernel;
}

StudyKernel tile_transposing_kernel(const std::string& lab, const std::string& name) {
    StudyKernel kernel = transposing_kernel(lab, name);
    kernel.usual_block = {32, 8};
    kernel.blocks.only = {{32, 8}};
    kernel.call = transpose_in_its_block;
    return kernel;
}

}  // namespace lab::tools

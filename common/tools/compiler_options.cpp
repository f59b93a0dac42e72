#include "common/tools/compiler_options.h"

#include <algorithm>
#include <filesystem>
#include <regex>
#include <sstream>

namespace lab::tools {
namespace fs = std::filesystem;
namespace {

constexpr const char* form =
    // Changes nothing here; with a value.
    "--?(?:(lineinfo|generate-line-info|G|device-debug|g|debug|pg|m64|dc|use_fast_math|restrict|keep|src-in-ptx|res(?:ource)?-usage|"
    "(?:expt-)?extended-lambda|expt-relaxed-constexpr|Wno-deprecated-gpu-targets)|"
    "(?:(arch|code|gencode|gpu-architecture|gpu-code|generate-code|maxrregcount|Xptxas|ptxas-options|Xcudafe|ccbin|compiler-bindir|o|"
    "output-file|cudart|x|rdc|relocatable-device-code|ftz|prec-div|prec-sqrt|diag-suppress)|"
    // Makes no program to run.
    "(c|compile|ptx|cubin|fatbin|E|S|M|shared|lib|dryrun|default-stream)|"
    "(Xcompiler|compiler-options|Xlinker|isystem|include|l|L))(?:=(.*))?)";

bool is_source(const std::string& word) { return std::regex_match(word, std::regex(R"([^-].*\.(cu|cpp|cc|cxx|c|o))")); }

// One word of the host compiler's or the linker's options.
void add(const std::string& word, CompilerOptions* options) {
    static const std::regex of_cuda("-l(cu(da|dart|dadevrt|blas|rand|fft)|nvToolsExt)\\w*");
    if (word.starts_with("-l") || word.starts_with("-Wl,")) {
        if (!std::regex_match(word, of_cuda)) options->link.push_back(word);
    } else if (word.starts_with("-L")) {
        options->link.push_back("-L" + fs::absolute(word.substr(2)).string());
    } else if (word.starts_with("-fmad")) {
        if (word.ends_with("=false")) options->both.emplace_back("-ffp-contract=off");
    } else {
        options->host.push_back(word);
        if (word == "-fopenmp" || word == "-pthread") options->link.push_back(word);
    }
}

}  // namespace

CompilerOptions take_compiler_options(std::vector<std::string>* words) {
    static const std::regex named(form);
    static const std::regex joined("-([lLWfm].+|w|pthread)");
    CompilerOptions options;
    std::vector<std::string> rest;
    std::smatch part;
    for (std::size_t i = 0; i < words->size(); ++i) {
        const std::string word = (*words)[i];
        if (!std::regex_match(word, part, named)) {
            if (std::regex_match(word, joined)) {
                add(word, &options);
            } else if (is_source(word) && std::any_of(rest.begin(), rest.end(), is_source)) {
                options.problem = word + ": lab runs a program of one source file; include the others in it by #include";
            } else {
                rest.push_back(word);
            }
            continue;
        }
        if (part[3].matched) options.problem = word + ": leave it out; lab compiles a whole program and runs it";
        if (part[1].matched || part[3].matched) continue;
        const bool has_value = part[5].matched || i + 1 < words->size();
        if (!has_value) options.problem = word + " needs a value";
        std::string value = part[5].matched ? part[5].str() : has_value ? (*words)[++i] : "";
        const std::string name = part[4];
        if (name == "l" || name == "L" || name == "Xlinker") {
            add((name == "Xlinker" ? "-Wl," : "-" + name) + value, &options);
        } else if (name == "isystem" || name == "include") {
            options.both.insert(options.both.end(), {"-" + name, fs::absolute(value).string()});
        } else if (part[4].matched) {  // -Xcompiler -Wall,-fopenmp
            std::replace(value.begin(), value.end(), ',', ' ');
            std::istringstream split(value);
            while (split >> value) add(value, &options);
        }
    }
    *words = rest;
    return options;
}

}  // namespace lab::tools

#include "common/tools/kernel_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "common/tools/cuda_toolkit.h"
#include "common/tools/errors.h"

namespace lab::tools {
namespace fs = std::filesystem;
namespace {

std::string find_nvcc() {
    std::string nvcc = find_in_toolkit("nvcc");
    if (!nvcc.empty()) return nvcc;
    throw BadInput("--ptx nvcc: nvcc is not on PATH, in CUDA_HOME or in /usr/local/cuda; name a file of PTX instead, or leave --ptx out");
}

// The same source with the user's own flags, without those of clang's driver.
std::vector<std::string> nvcc_words(const std::vector<std::string>& clang) {
    std::vector<std::string> words{find_nvcc(), "-ptx", "-lineinfo", "-arch=sm_90"};
    std::string standard;
    for (std::size_t i = 0; i < clang.size(); ++i) {
        const std::string& word = clang[i];
        const std::string extension = fs::path(word).extension();
        if (word.rfind("-std=", 0) == 0) {
            standard = word;  // nvcc takes only one: the last, like clang
        } else if (word.rfind("-I", 0) == 0 || word.rfind("-D", 0) == 0 || extension == ".cu" || extension == ".cpp") {
            words.push_back(word);
        } else if (word == "-o") {
            words.insert(words.end(), {word, clang.at(i + 1)});
        }
    }
    if (!standard.empty()) words.push_back(standard);
    return words;
}

}  // namespace

void take_kernels_from(const std::string& ptx, std::vector<Command>* commands) {
    const auto is_device_pass = [](const Command& command) {
        return std::find(command.words.begin(), command.words.end(), "--cuda-device-only") != command.words.end();
    };
    const auto pass = std::find_if(commands->begin(), commands->end(), is_device_pass);
    if (pass == commands->end()) throw BadInput("--ptx needs the emulator: ./lab --backend emulator run ...");
    if (ptx == "nvcc") {
        pass->words = nvcc_words(pass->words);
        return;
    }
    if (!fs::is_regular_file(ptx)) throw BadInput(fmt::format("--ptx {}: no such file; give a file of PTX or the word nvcc", ptx));
    const auto out = std::find(pass->words.begin(), pass->words.end(), "-o") + 1;
    pass->words = {"cp", fs::absolute(ptx).string(), *out};
}

}  // namespace lab::tools

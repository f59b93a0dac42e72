#include "common/tools/depfile.h"

#include <fstream>
#include <sstream>
#include <utility>

namespace lab::tools {

std::vector<std::string> files_in_depfile(const std::filesystem::path& depfile) {
    std::ostringstream whole;
    if (std::ifstream stream(depfile); stream.peek() != EOF) whole << stream.rdbuf();
    const std::string text = whole.str();
    const std::size_t colon = text.find(": ");
    std::vector<std::string> files;
    if (colon == std::string::npos) return files;
    std::string file;
    for (std::size_t i = colon + 1; i <= text.size(); ++i) {
        if (i + 1 < text.size() && text[i] == '\\' && text[i + 1] == ' ') {
            file += text[++i];
        } else if (i == text.size() || text[i] == ' ' || text[i] == '\n' || text[i] == '\\') {
            if (!file.empty()) files.push_back(std::exchange(file, {}));
        } else {
            file += text[i];
        }
    }
    return files;
}

}  // namespace lab::tools

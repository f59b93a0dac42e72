#include "tests/tools/sandbox.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace lab::tools {
namespace fs = std::filesystem;

Sandbox::Sandbox() {
    std::string name = (fs::temp_directory_path() / "lab-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = name;
}

Sandbox::~Sandbox() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
}

fs::path Sandbox::write(const std::string& name, const std::string& text) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
}

fs::path Sandbox::program(const std::string& name, const std::string& body) const {
    fs::path path = write(name, "#!/bin/bash\n" + body + "\n");
    fs::permissions(path, fs::perms::owner_all);
    return path;
}

std::string Sandbox::read(const std::string& name) const {
    std::ifstream stream(folder_ / name);
    return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace lab::tools

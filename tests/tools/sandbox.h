// A temporary folder with programs of our own making in it, for tests that must not touch the machine.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "common/tools/process.h"

namespace lab::tools {

class Sandbox {
public:
    Sandbox();
    ~Sandbox();
    Sandbox(const Sandbox&) = delete;
    Sandbox& operator=(const Sandbox&) = delete;

    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
    std::filesystem::path write(const std::string& name, const std::string& text) const;
    // A bash script; `name` may hold folders.
    std::filesystem::path program(const std::string& name, const std::string& body) const;
    [[nodiscard]] std::string read(const std::string& name) const;  // "" if it isn't there

private:
    std::filesystem::path folder_;
};

}  // namespace lab::tools

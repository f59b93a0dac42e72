// The script `lab` in a folder and with a PATH of stand-ins, so that nothing is ever installed here.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/tools/sandbox.h"

namespace lab::tools {

class FrontDoor : public ::testing::Test {
protected:
    // Has everything that grading in the emulator needs; Ninja makes a lab-tool that only prints its arguments.
    FrontDoor();

    // A program of that name on PATH, a bash script.
    void have(const std::string& name, const std::string& body) { box_.program("bin/" + name, body); }
    void lack(const std::string& name) { std::filesystem::remove(box_.folder() / "bin" / name); }
    void be_user(int id) { have("id", "echo " + std::to_string(id)); }
    // An apt-get that records its arguments and then "installs" clang++.
    void have_apt();

    Ending lab(const std::vector<std::string>& words, const std::string& clang = "");
    [[nodiscard]] bool installed_anything() const { return !box_.read("apt.log").empty(); }

    Sandbox box_;
};

}  // namespace lab::tools

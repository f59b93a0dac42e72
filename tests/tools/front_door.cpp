#include "tests/tools/front_door.h"

namespace lab::tools {
namespace fs = std::filesystem;

FrontDoor::FrontDoor() {
    fs::create_directories(box_.folder() / "project");
    fs::copy_file(fs::path(LAB_SOURCE_FOLDER) / "lab", box_.folder() / "project/lab");
    fs::create_directories(box_.folder() / "bin");
    for (const char* name :
         {"bash", "dirname", "readlink", "sed", "sort", "head", "tail", "cut", "mkdir", "env", "cat", "grep", "tee", "touch", "chmod"}) {
        for (const fs::path folder : {"/usr/bin", "/bin"}) {
            if (!fs::exists(folder / name)) continue;
            fs::create_symlink(folder / name, box_.folder() / "bin" / name);
            break;
        }
    }
    be_user(0);
    have("clang++", "echo 14.0.6");
    have("bwrap", "true");
    have("cmake",
         "if [[ $1 == --version ]]; then echo 'cmake version 3.25.1'; else mkdir -p build/emulator; touch build/emulator/build.ninja; "
         "fi");
    have("ninja", "mkdir -p \"$2/bin\"; printf '#!/bin/bash\\necho \"asked: $*\"\\n' > \"$2/bin/lab-tool\"; chmod +x \"$2/bin/lab-tool\"");
    for (const char* header :
         {"gtest/gtest.h", "nlohmann/json.hpp", "fmt/format.h", "CLI/CLI.hpp", "seccomp.h", "sqlite3.h", "archive.h", "sha2.h"}) {
        box_.write(std::string("usr/include/") + header, "");
    }
}

void FrontDoor::have_apt() {
    const std::string clang = (box_.folder() / "bin/clang++").string();
    have("apt-get", "echo \"apt-get $*\" >> '" + (box_.folder() / "apt.log").string() +
                        "'; if [[ $1 == install ]]; then printf '#!/bin/bash\\necho 14\\n' > '" + clang + "'; chmod +x '" + clang +
                        "'; fi");
}

Ending FrontDoor::lab(const std::vector<std::string>& words, const std::string& clang) {
    Command command{{(box_.folder() / "bin/bash").string(), (box_.folder() / "project/lab").string()},
                    box_.folder().string(),
                    {{"PATH", (box_.folder() / "bin").string()},
                     {"LAB_INCLUDE_ROOT", (box_.folder() / "usr").string()},
                     {"LAB_CLANG", clang},
                     {"LAB_BACKEND", ""}}};
    command.words.insert(command.words.end(), words.begin(), words.end());
    return run(command);
}

}  // namespace lab::tools

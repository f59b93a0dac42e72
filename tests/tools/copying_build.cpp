#include "tests/tools/copying_build.h"

#include <algorithm>
#include <filesystem>

namespace lab::tools {
namespace fs = std::filesystem;

CopyingBuild::CopyingBuild() : path_((box_.folder() / "bin").string() + ":/usr/bin:/bin") {
    box_.program("bin/ninja", R"(
if [[ $3 == -t ]]; then
  echo "$2/../bin/device $2/stub.cu --cuda-device-only -S -o CMakeFiles/lab_program_unit.dir/kernels.ptx"
  echo "$2/../bin/compile $2/stub.cu -MF CMakeFiles/lab_program_unit.dir/stub.cu.o.d -o CMakeFiles/lab_program_unit.dir/stub.cu.o"
  echo "$2/../bin/link CMakeFiles/lab_program_unit.dir/stub.cu.o -o bin/lab_program"
fi)");
    box_.program("bin/device", R"(if grep -q 'syntax error' "$1"; then echo "$1:1:1: error: syntax"; exit 1; fi; cp "$1" "$5")");
    // compile SOURCE -MF DEPFILE -o OBJECT [flags]
    box_.program("bin/compile", R"(
echo "$*" >> ')" + (box_.folder() / "compile.log").string() +
                                    R"('
if grep -q 'syntax error' "$1"; then echo "$1:1:1: error: syntax"; exit 1; fi
echo "x: $1" > "$3"; cp "$1" "$5")");
    box_.program("bin/link", "cp \"$1\" \"$3\"; chmod +x \"$3\"; echo \"${@:4}\" >> '" + (box_.folder() / "link.log").string() + "'");
    box_.write("build/nothing", "");
}

Command CopyingBuild::command(const std::vector<std::string>& words) const {
    Command command{{LAB_TOOL},
                    box_.folder().string(),
                    {{"LAB_ROOT", box_.folder().string()}, {"LAB_BUILD", (box_.folder() / "build").string()}, {"PATH", path_}}};
    command.environment.emplace_back("CUDA_HOME", (box_.folder() / "cuda").string());  // what is in /usr/local/cuda doesn't matter then
    command.words.insert(command.words.end(), words.begin(), words.end());
    return command;
}

Ending CopyingBuild::lab(const std::vector<std::string>& words) const { return run(command(words)); }

std::size_t CopyingBuild::compilations() const {
    const std::string log = box_.read("compile.log");
    return static_cast<std::size_t>(std::count(log.begin(), log.end(), '\n'));
}

void CopyingBuild::lack_toolkit() {
    path_ = (box_.folder() / "bin").string();
    for (const char* name : {"cp", "grep", "chmod"}) {
        for (const fs::path folder : {"/usr/bin", "/bin"}) {
            if (!fs::exists(folder / name)) continue;
            fs::create_symlink(folder / name, box_.folder() / "bin" / name);
            break;
        }
    }
}

}  // namespace lab::tools

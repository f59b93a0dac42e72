// A file saved while the compiler reads the previous version: the saved one must be judged. Ninja is the real one here.
#include "tests/tools/stand_in_project.h"

namespace lab::tools {
namespace {
namespace fs = std::filesystem;

class SaveWhileBuilding : public StandInProject {
protected:
    SaveWhileBuilding() {
        fs::remove(box_.folder() / "bin/ninja");
        // Reads the source at once, writes the object a second later: newer than a save in between, but made from the earlier text.
        box_.program("bin/slow-compile", R"(text=$(<"$1"); echo started >> "$(dirname "$0")/started"; sleep 1; echo "$text" > "$3")");
        const std::string bin = (box_.folder() / "bin").string();
        const std::string source = (box_.folder() / "root/labs/lab3_shared_tiling/tiled.cu").string();
        box_.write("build/build.ninja", "rule compile\n  command = " + bin + "/slow-compile $in -o $out\n" +  //
                                            "rule link\n  command = cp $in $out && : $in -o $out\n" +         //
                                            "build CMakeFiles/lab3_runner_unit.dir/tiled.cu.o: compile " + source +
                                            "\nbuild bin/lab3_runner: link CMakeFiles/lab3_runner_unit.dir/tiled.cu.o\n" +
                                            "build lab3_runner: phony bin/lab3_runner\n" +
                                            "build lab3_test: phony\nbuild lab3_reference: phony\n");
        fs::create_directories(box_.folder() / "build/CMakeFiles/lab3_runner_unit.dir");
    }
};

TEST_F(SaveWhileBuilding, GradesWhatWasSavedLast) {
    const Ending ending = script(R"(
file=root/labs/lab3_shared_tiling/tiled.cu
echo first > $file
"$tool" grade lab3 & grading=$!
for _ in {1..100}; do [[ -e bin/started ]] && break; sleep 0.05; done
sleep 0.2; echo second > $file
wait $grading)");
    EXPECT_EQ(ending.status, 0) << ending.output;
    EXPECT_EQ(box_.read("bin/started"), "started\nstarted\n");
    EXPECT_EQ(box_.read("build/bin/lab3_runner"), "second\n");
}

TEST_F(SaveWhileBuilding, CompilesOnceWhatStaysAsItIs) {
    box_.write("root/labs/lab3_shared_tiling/tiled.cu", "only\n");
    EXPECT_EQ(lab({"grade", "lab3"}).status, 0);
    EXPECT_EQ(lab({"grade", "lab3"}).status, 0);
    EXPECT_EQ(box_.read("bin/started"), "started\n");
    EXPECT_EQ(box_.read("build/bin/lab3_runner"), "only\n");
}

}  // namespace
}  // namespace lab::tools

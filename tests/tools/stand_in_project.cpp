#include "tests/tools/stand_in_project.h"

#include <sstream>

namespace lab::tools {

StandInProject::StandInProject() {
    box_.write("root/labs/lab1_cpu_baseline/baseline.cpp", "");
    box_.write("root/labs/lab3_shared_tiling/tiled.cu", "");
    // Builds nothing and records its targets; a target named in broken.txt fails like a compile error. `-t commands` prints steps that copy
    // the source.
    box_.program("bin/ninja", R"(
build=$2; shift 2
echo "$*" >> "$build/ninja.log"
if [[ $1 == -t ]]; then
  echo "/bin/cp $build/stub.cu $build/CMakeFiles/${3}_unit.dir/stub.cu.o"
  echo "$build/../bin/link $build/CMakeFiles/${3}_unit.dir/stub.cu.o -o bin/$3"
  exit 0
fi
for target; do
  if grep -qx "$target" "$build/broken.txt" 2>/dev/null; then
    echo "[1/1] Building"; echo "FAILED: x.o"; echo "/usr/bin/c++ x.cu -o x.o"; echo "x.cu:3:5: error: expected ';'"; exit 1
  fi
done)");
    // Confines nothing.
    box_.program("build/bin/lab-confine", R"(
[[ $1 != check ]] || exit 0
while [[ $1 != -- ]]; do [[ $1 != --folder ]] || cd "$2"; shift; done
shift
exec "$@")");
    box_.program("bin/link", "cp \"$1\" \"$3\"");
    suite("lab1", {passed("Lab1.A", 4)});
    suite("lab3", {passed("Lab3.A", 6)});
}

nlohmann::json StandInProject::passed(const std::string& name, int points) {
    return {{"name", name.substr(5)}, {"status", "RUN"},    {"result", "COMPLETED"},
            {"time", "0.1s"},         {"group", "correct"}, {"points", std::to_string(points)}};
}

nlohmann::json StandInProject::failed(const std::string& name, int points, const std::string& why, const std::vector<std::string>& topics) {
    nlohmann::json test = passed(name, points);
    test["failures"] = {{{"failure", why}}};
    std::istringstream lines(why);
    nlohmann::json message{{"where", nlohmann::json::array()}, {"topics", topics}, {"findings", nlohmann::json::array()}};
    std::string line;
    std::getline(lines, line);
    message["what"] = line;
    const std::string where = "  where: ";
    while (std::getline(lines, line)) {
        if (line.rfind(where, 0) == 0) message["where"].push_back(line.substr(where.size()));
    }
    test["messages"] = nlohmann::json::array({message}).dump();
    return test;
}

void StandInProject::suite(const std::string& lab, const std::vector<nlohmann::json>& tests) {
    const std::string name = lab == "lab1" ? "Lab1" : "Lab3";
    nlohmann::json report{{"testsuites", {{{"name", name}, {"testsuite", tests}}}}};
    // A suite tells at its end what searches have found.
    nlohmann::json repairs = nlohmann::json::object();
    for (const nlohmann::json& test : tests) {
        if (test.contains("repairs")) repairs[name + "." + test.at("name").get<std::string>()] = test.at("repairs");
    }
    report["repairs"] = repairs.dump();
    box_.write(lab + ".report", report.dump());
    for (const char* program : {"_runner", "_reference"}) box_.write("build/bin/" + lab + program, lab + program);
    box_.program("build/bin/" + lab + "_test", R"(
[[ $1 == --runner ]] && cp "$2" ')" + (box_.folder() / (lab + ".judged")).string() +
                                                   R"('
for word; do [[ $word == --gtest_output=json:* ]] && cp ')" +
                                                   (box_.folder() / (lab + ".report")).string() +
                                                   R"(' "${word#--gtest_output=json:}"; done
echo "$*" > ')" + (box_.folder() / (lab + ".asked")).string() +
                                                   "'");
}

Ending StandInProject::lab(const std::vector<std::string>& words) const {
    Command command{{LAB_TOOL}, box_.folder().string(), environment()};
    command.words.insert(command.words.end(), words.begin(), words.end());
    return run(command);
}

Ending StandInProject::script(const std::string& body) const {
    return run({{"bash", "-c", "tool='" + std::string(LAB_TOOL) + "'\n" + body}, box_.folder().string(), environment()});
}

bool StandInProject::asked(const std::string& lab, const std::string& words) const {
    return box_.read(lab + ".asked").find(words) != std::string::npos;
}

std::vector<std::pair<std::string, std::string>> StandInProject::environment() const {
    return {{"LAB_ROOT", (box_.folder() / "root").string()},
            {"LAB_BUILD", (box_.folder() / "build").string()},
            {"LAB_STATE", (box_.folder() / "state").string()},
            {"PATH", (box_.folder() / "bin").string() + ":/usr/bin:/bin"}};
}

}  // namespace lab::tools

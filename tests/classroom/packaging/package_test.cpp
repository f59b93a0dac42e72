// A students' bundle, moved to another folder: it grades as the repository does, and holds nothing of a solution.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "common/classroom/packaging/secrets.h"
#include "common/process/installed.h"
#include "common/tools/lines.h"
#include "common/tools/process.h"
#include "common/tools/project.h"
#include "common/tools/safe_files.h"
#include "tests/tools/sandbox.h"

namespace lab::classroom {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

const fs::path source = LAB_SOURCE_FOLDER;

struct Graded {
    int status = 0;
    double points = 0, of = 0;
    std::string output;
};

class Package : public ::testing::Test {
protected:
    static void SetUpTestSuite() {
        box_ = new tools::Sandbox;
        fs::permissions(box_->folder(), fs::perms(0755));  // the sandbox's user has to come through
        const fs::path made = box_->folder() / "made";
        const tools::Ending ending = tools::run(
            {{std::string(LAB_BUILD_FOLDER) + "/bin/lab-tool", "package", "students", "--labs", "lab1,lab3", "--out", made.string()},
             "",
             {}});
        ASSERT_EQ(ending.status, 0) << ending.output;
        fs::rename(made, bundle());
        for (const char* const needless : {"ninja", "cmake", "ld.lld"}) box_->program(std::string("bin/") + needless, "exit 77");
    }
    static void TearDownTestSuite() { delete box_; }

    static fs::path bundle() { return box_->folder() / "a student's folder"; }
    static tools::Ending lab(std::vector<std::string> words) {
        words.insert(words.begin(), {(bundle() / "lab").string(), "--no-install"});
        return tools::run({words, "/", {{"PATH", (box_->folder() / "bin").string() + ":/usr/bin:/bin"}, {"LAB_CLANG", LAB_CLANG}}});
    }
    static Graded grade(std::vector<std::string> words) {
        const fs::path scores = box_->folder() / "scores.json";
        fs::remove(scores);
        words.insert(words.end(), {"--json", scores.string()});
        const tools::Ending ending = lab(words);
        const Json json = tools::read_json(scores);
        if (!json.is_object()) return {ending.status, -1, -1, ending.output};
        return {ending.status, json.at("points"), json.at("of"), ending.output};
    }
    static tools::Lab lab3() { return tools::labs_in(source / "labs").at(2); }
    static fs::path own_file() { return bundle() / "labs" / lab3().folder / lab3().file; }
    static void hand_in(const fs::path& file) { fs::copy_file(file, own_file(), fs::copy_options::overwrite_existing); }
    void SetUp() override { hand_in(source / "common/stubs" / lab3().folder / lab3().file); }

    static tools::Sandbox* box_;
};
tools::Sandbox* Package::box_ = nullptr;

TEST_F(Package, FollowsACourse) {
    const fs::path out = box_->folder() / "of a course";
    const std::string course =
        box_->write("course.json", R"({"labs": {"lab1": {"points": {"correct": 30, "MatmulIkjBeatsIjkAtWidth1024": 5}}}})");
    const tools::Ending made =
        tools::run({{std::string(LAB_BUILD_FOLDER) + "/bin/lab-tool", "package", "students", "--course", course, "--out", out.string()},
                    "",
                    {{"PATH", box_->program("failing/doxygen", "exit 1").parent_path().string() + ":" + std::getenv("PATH")}}});
    ASSERT_EQ(made.status, 0) << made.output;
    EXPECT_NE(made.output.find("the bundle goes without the site: docs: doxygen is not installed"), std::string::npos) << made.output;
    EXPECT_FALSE(fs::exists(out / "site"));
    EXPECT_FALSE(fs::exists(out / "labs" / lab3().folder)) << "no lab of the course";
    const tools::Lab lab1 = tools::labs_in(source / "labs").at(0);
    const std::string page = tools::read_whole(out / "handouts" / (lab1.folder + ".md"));
    EXPECT_NE(page.find("\n| correct | 30 | fresh random input"), std::string::npos) << page;
    EXPECT_NE(page.find("\n| safe | 10 | "), std::string::npos) << page;
    EXPECT_NE(page.find("\n| fast | 5 | "), std::string::npos) << page;
    EXPECT_NE(page.find(", 0 of 60 points:"), std::string::npos) << page;
    const tools::Ending graded = tools::run({{(out / "lab").string(), "--no-install", "grade"}, "/", {{"LAB_CLANG", LAB_CLANG}}});
    EXPECT_NE(graded.output.find(" 0/30 "), std::string::npos) << graded.output;
    EXPECT_NE(graded.output.find(" 0/60 "), std::string::npos) << graded.output;
}

TEST_F(Package, GivesStubsNothingAndSolutionsAllPoints) {
    const Graded stub = grade({"grade", "lab3"});
    EXPECT_EQ(stub.points, 0) << stub.output;
    hand_in(source / "solutions" / lab3().folder / lab3().file);
    const Graded solution = grade({"grade", "lab3"});
    EXPECT_EQ(solution.points, solution.of) << solution.output;
    EXPECT_EQ(solution.of, 100);
}

// At each strength: what compiler and program read of the bundle is within their reach.
TEST_F(Package, GradesFilesOfOthersInItsOwnSandbox) {
    const std::string file = (source / "solutions" / lab3().folder / lab3().file).string();
    EXPECT_TRUE(fs::exists(bundle() / "prebuilt/bin/lab-confine"));
    for (const char* const strength : {"namespaces", "user", "landlock"}) {
        const Graded graded = grade({"grade", "lab3", "--from", file, "--sandbox", strength});
        if (graded.output.find("not on this machine") != std::string::npos) continue;
        EXPECT_EQ(graded.points, 100) << strength << graded.output;
    }
}

// The user of a sandbox has no way through a folder such as root's own. Without bubblewrap, root's next strength is another user.
TEST_F(Package, GradesOnlyWhereItsSandboxCanRead) {
    const std::string file = (source / "solutions" / lab3().folder / lab3().file).string();
    if (::geteuid() != 0) GTEST_SKIP() << "only root becomes another user";
    const fs::path& folder = box_->folder();
    const fs::path closed_file = folder / "closed.cu";
    fs::copy_file(file, closed_file);
    fs::permissions(closed_file, fs::perms(0600));
    for (const char* const strength : {"namespaces", "user"}) {
        const Graded unread = grade({"grade", "lab3", "--from", closed_file.string(), "--sandbox", strength});
        if (unread.output.find("not on this machine") != std::string::npos) continue;
        EXPECT_EQ(unread.status, 2) << strength << unread.output;
        EXPECT_NE(unread.output.find("/closed.cu is closed to the sandbox's user: open it"), std::string::npos) << unread.output;
    }
    fs::permissions(folder, fs::perms(0700));
    const Graded user = grade({"grade", "lab3", "--from", file, "--sandbox", "user"});
    EXPECT_EQ(user.status, 2) << user.output;
    EXPECT_NE(user.output.find(folder.string() + " is closed to the sandbox's user: open it"), std::string::npos) << user.output;
    EXPECT_EQ(std::ranges::count(user.output, '\n'), 1) << user.output;
    const std::string refusing = box_->program("refusing/bwrap", "echo bwrap: no namespaces; exit 1");
    const std::string refused = R"(mount --bind "$0" /usr/bin/bwrap && exec "$1" grade lab3 --from "$2")";
    const tools::Ending next = tools::run(
        {{"unshare", "--mount", "sh", "-c", refused, refusing, (bundle() / "lab").string(), file}, "/", {{"LAB_CLANG", LAB_CLANG}}});
    fs::permissions(folder, fs::perms(0755));
    if (next.output.starts_with("unshare: ") || next.output.starts_with("mount: ")) return;
    EXPECT_EQ(next.status, 0) << next.output;
    EXPECT_NE(next.output.find("no stronger sandbox than landlock: "), std::string::npos) << next.output;
}

TEST_F(Package, OfACourseSystemGradesAFolder) {
    const fs::path made = box_->folder() / "autolab", at = box_->folder() / "container";
    const tools::Ending packed = tools::run(
        {{std::string(LAB_BUILD_FOLDER) + "/bin/lab-tool", "package", "autolab", "--labs", "lab3", "--out", made.string()}, "", {}});
    ASSERT_EQ(packed.status, 0) << packed.output;
    EXPECT_TRUE(fs::exists(made / "autograde-Makefile"));
    fs::create_directories(at);
    ASSERT_EQ(tools::run({{"tar", "-C", at.string(), "-xf", (made / "autograde.tar").string()}, "", {}}).status, 0);
    EXPECT_EQ(secret_in(at, secrets_of(source, tools::labs_in(source / "labs"))), "");
    const auto graded = [&](const fs::path& folder, const std::string& system = "autolab") {
        const tools::Ending ending =
            tools::run({{"bash", (at / "grader/autograde").string(), system, folder.string(), (at / "result").string(), "300"},
                        "/",
                        {{"LAB_CLANG", LAB_CLANG}}});
        EXPECT_EQ(ending.status, 0) << ending.output;
        const std::vector<std::string> lines = tools::lines_of(tools::read_whole(at / "result"));
        return lines.empty() ? "" : lines.back();
    };
    EXPECT_EQ(graded(source / "solutions" / lab3().folder), R"({"scores":{"lab3":100.0}})");
    EXPECT_EQ(graded(source / "handouts"), R"({"scores":{"lab3":0.0}})");
    EXPECT_FALSE(fs::exists(at / "report.html"));
    (void)graded(source / "common/stubs" / lab3().folder, "classroom50");
    EXPECT_NE(tools::read_whole(at / "report.html").find("LoadsEachElementOncePerTile"), std::string::npos);
    fs::remove(at / "report.html");
    tools::replace_file(at / "grader/course.json", R"({"labs": {"lab3": {"seen": {"before": "points"}}}})");
    (void)graded(source / "common/stubs" / lab3().folder, "classroom50");
    EXPECT_FALSE(fs::exists(at / "report.html")) << "the course hides messages";
}

TEST_F(Package, MeasuresBaselinesOfTheHost) {
    const fs::path solutions = source / "solutions";
    const Graded graded =
        grade({"grade", "lab1", "--sandbox", "never", "--from", solutions.string(), "--filter", "*MemoryInOrder:*Beats*"});
    EXPECT_EQ(graded.output.find("could not"), std::string::npos) << graded.output;
    EXPECT_GT(graded.points, 0) << graded.output;
}

TEST_F(Package, HoldsNoLineOfASolution) {
    const std::vector<std::string> secrets = secrets_of(source, tools::labs_in(source / "labs"));
    EXPECT_GT(secrets.size(), 100);
    fs::remove_all(bundle() / "prebuilt/own");  // a student's program, from the other tests
    EXPECT_EQ(secret_in(bundle(), secrets), "");
    EXPECT_EQ(secret_in(bundle(), {"Generated by LLVM NVPTX Back-End"}), "");
    // Compiled for the host, a solution is no text: its functions' names would be there.
    EXPECT_EQ(tools::read_whole(bundle() / "prebuilt/bin/lab1_reference").find("matmul_ikj"), std::string::npos);
#ifdef LAB_RELOCATABLE
    EXPECT_EQ(secret_in(bundle(), {LAB_SOURCE_FOLDER "/"}), "");
#endif
}

// Ubuntu 22.04 has glibc 2.35 and libstdc++ 12 (GLIBCXX_3.4.30); all else has to come along.
TEST_F(Package, NeedsNothingThatUbuntu2204Lacks) {
    const std::regex version("\\b(GLIBC|GLIBCXX|CXXABI)_([0-9]+)\\.([0-9]+)(?:\\.([0-9]+))?");
    const std::map<std::string, std::array<int, 3>> newest{{"GLIBC", {2, 35, 0}}, {"GLIBCXX", {3, 4, 30}}, {"CXXABI", {1, 3, 13}}};
    const std::regex needed("\\s(lib[a-z]+)\\S* => (.+) \\(0x");
    const std::set<std::string> everywhere{"libc", "libm", "libstdc", "libgcc"};
    for (const char* const folder : {"bin", "lib"}) {
        for (const fs::directory_entry& entry : fs::directory_iterator(bundle() / "prebuilt" / folder)) {
            const std::string symbols = tools::run({{"objdump", "-T", entry.path().string()}, "", {}}).output;
            for (std::sregex_iterator at(symbols.begin(), symbols.end(), version), end; at != end; ++at) {
                const std::array<int, 3> has{std::stoi((*at)[2]), std::stoi((*at)[3]), (*at)[4].matched ? std::stoi((*at)[4]) : 0};
                EXPECT_LE(has, newest.at((*at)[1])) << entry.path() << ": " << at->str();
            }
            const std::string libraries = tools::run({{"ldd", entry.path().string()}, "", {}}).output;
            for (std::sregex_iterator at(libraries.begin(), libraries.end(), needed), end; at != end; ++at) {
                EXPECT_TRUE(everywhere.contains((*at)[1]) || (*at)[2].str().starts_with(bundle().string())) << libraries;
            }
        }
    }
}

// Figures of lab 3 by the device of one level, the others out of the way.
Json figures_by(const fs::path& prebuilt, const std::string& level, const fs::path& file) {
    const auto hide = [&](bool away) {
        for (const std::string other : process::device_levels) {
            const fs::path program = prebuilt / "bin" / ("lab-device" + other), hidden = program.string() + ".hidden";
            if (other != level && fs::exists(away ? program : hidden)) fs::rename(away ? program : hidden, away ? hidden : program);
        }
    };
    const std::string reference = LAB_BUILD_FOLDER "/bin/lab3_reference";
    hide(true);
    const tools::Ending ending = tools::run({{(prebuilt / "bin/lab3_test").string(), "--runner", reference, "--reference", reference,
                                              "--save-figures", file.string(), "--gtest_filter=*Reference*"}});
    hide(false);
    EXPECT_EQ(ending.status, 0) << ending.output;
    return tools::read_json(file).value("calls", Json());
}

TEST_F(Package, ModelsTheSameAtEachLevelOfProcessor) {
    const fs::path prebuilt = bundle() / "prebuilt";
    const Json base = figures_by(prebuilt, "", box_->folder() / "base.json");
    EXPECT_FALSE(base.empty());
    for (const std::string level : process::device_levels) {
        if (level.empty() || !process::has_level(level) || !fs::exists(prebuilt / "bin" / ("lab-device" + level))) continue;
        EXPECT_EQ(figures_by(prebuilt, level, box_->folder() / ("level" + level)), base) << level;
    }
}

TEST_F(Package, CompilesWithoutThisMachinesTools) {
    EXPECT_EQ(secret_in(bundle() / "prebuilt/recipes", {"-fuse-ld=", "-include-pch", "/usr/", LAB_SOURCE_FOLDER "/"}), "");
}

TEST_F(Package, HasItsPagesAsASite) {
    if (!tools::run({{"doxygen", "--version"}}).ok()) GTEST_SKIP() << "no doxygen";
    const fs::path site = bundle() / "site";
    EXPECT_NE(tools::read_whole(site / "handouts_primer.html").find("handouts_" + lab3().folder + ".html"), std::string::npos);
    const std::string tree = tools::read_whole(site / "navtreedata.js");
    EXPECT_NE(tree.find("labs_" + lab3().folder), std::string::npos) << tree;
    for (const char* const strange : {"solutions", "Examples", "instructors", "lab2"}) {
        EXPECT_EQ(tree.find(strange), std::string::npos) << strange;
        EXPECT_EQ(tools::read_whole(site / "search/index.js").find(std::string("\"handouts_") + strange), std::string::npos) << strange;
    }
    EXPECT_FALSE(fs::exists(site / "examples"));
    EXPECT_FALSE(fs::exists(bundle() / "common/tools/docs"));
}

TEST_F(Package, IsRefusedIfItHoldsOne) {
    const std::vector<std::string> secrets = secrets_of(source, tools::labs_in(source / "labs"));
    const fs::path planted = box_->folder() / "planted";
    tools::replace_file(planted / "bin/program", std::string("\0\1", 2) + secrets.front() + "\2");
    EXPECT_NE(secret_in(planted, secrets).find(secrets.front()), std::string::npos);
}

TEST_F(Package, RefusesFiguresOfAnotherModel) {
    const fs::path file = bundle() / "prebuilt/figures/lab3.json";
    const std::string right = tools::read_whole(file);
    Json other = Json::parse(right);
    other["model"] = std::string(32, '0');
    tools::replace_file(file, other.dump());
    const Graded graded = grade({"grade", "lab3"});
    tools::replace_file(file, right);
    EXPECT_EQ(graded.status, 3) << graded.output;
    EXPECT_NE(graded.output.find("figures of another version of the model"), std::string::npos) << graded.output;
}

TEST_F(Package, SaysWhichDevicesItModels) {
    hand_in(source / "solutions" / lab3().folder / lab3().file);
    const Graded graded = grade({"grade", "lab3", "--device", "v100"});
    EXPECT_EQ(graded.status, 3) << graded.output;
    EXPECT_NE(graded.output.find("the reference's figures have none of matmul_tiled on v100"), std::string::npos) << graded.output;
}

TEST_F(Package, KnowsItsDevicesBeforeAnythingIsBuilt) {
    const tools::Ending ending = tools::run({{std::string(LAB_BUILD_FOLDER) + "/bin/lab-tool", "package", "students", "--devices", "v200",
                                              "--out", (box_->folder() / "none").string()},
                                             "",
                                             {}});
    EXPECT_EQ(ending.status, 2);
    EXPECT_NE(ending.output.find("v200"), std::string::npos) << ending.output;
    EXPECT_FALSE(fs::exists(box_->folder() / "none"));
}

TEST_F(Package, ExplainsAndStudies) {
    EXPECT_EQ(lab({"hint", "lab3"}).status, 0);
    hand_in(source / "solutions" / lab3().folder / lab3().file);
    const tools::Ending profile = lab({"profile", "lab3", "matmul_tiled"});
    EXPECT_EQ(profile.status, 0) << profile.output;
    const std::string program = (source / "tests/emulator/programs/first_program.cu").string();
    const tools::Ending run = lab({"run", program});
    EXPECT_EQ(run.status, 0) << run.output;
    const tools::Ending refused = lab({"class", "folder"});
    EXPECT_EQ(refused.status, 2);
    EXPECT_NE(refused.output.find("is not in a students' bundle"), std::string::npos) << refused.output;
}

}  // namespace
}  // namespace lab::classroom

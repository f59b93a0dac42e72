// `lab bandwidth` from the outside, with a stand-in for the measuring program; and that program itself in the emulator.
#include "common/tools/studies/bandwidth.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>

#include "common/emulator/devices/device.h"
#include "common/tools/errors.h"
#include "common/tools/lines.h"
#include "tests/tools/copying_build.h"

namespace lab::tools {
namespace {

constexpr const char* bandwidth_program = "common/tools/studies/bandwidth.cu";

// 4 us and 1 GB/s along every path: n bytes take 4000 + n ns. Records its arguments.
constexpr const char* bandwidth_stand_in = R"(
echo "$2 ${LAB_DEVICE:-the GPU}" > "$NOTE"
echo '{"device": "Some GPU", "peak_gb_per_s": 100}'
for path in host_to_device_pageable host_to_device_pinned device_to_host_pageable device_to_host_pinned device_to_device saxpy; do
  for size in ${1//,/ }; do
    ns=$((4000 + size))
    printf '{"path": "%s", "bytes": %d, "ms": %d.%06d}\n' "$path" "$size" $((ns / 1000000)) $((ns % 1000000))
  done
  if [[ $path == host_to_device_pinned && -e wait_here ]]; then touch waiting; sleep 20; fi
done)";

class Bandwidth : public ::testing::Test {
protected:
    Bandwidth() : old_path_(std::getenv("PATH")) {
        setenv("NOTE", (box_.folder() / "note").c_str(), 1);
        box_.program(bandwidth_program, bandwidth_stand_in);
    }
    ~Bandwidth() override { setenv("PATH", old_path_.c_str(), 1); }
    [[nodiscard]] Ending lab(std::vector<std::string> words) const {
        words.insert(words.begin(), "bandwidth");
        return build_.lab(words);
    }
    CopyingBuild build_;
    const Sandbox& box_ = build_.box();
    std::string old_path_;
};

TEST_F(Bandwidth, FitsEveryWayAndLabelsWhatIsModelled) {
    const Ending ending = lab({"--sizes", "1K,64K,4M", "--json", "-"});
    ASSERT_EQ(ending.status, 0) << ending.output;
    const auto figures = nlohmann::json::parse(ending.output, nullptr, false);
    ASSERT_TRUE(figures.is_object()) << ending.output;
    EXPECT_EQ(figures["times"], "modelled for h100");
    EXPECT_EQ(box_.read("note"), "1 h100\n") << "what is modelled is the same every time";
    EXPECT_EQ(figures["interrupted"], false);
    ASSERT_EQ(figures["paths"].size(), 6U);
    for (const auto& path : figures["paths"]) {
        const double moved = path["path"] == "saxpy" ? 3 : 1;
        EXPECT_NEAR(path["alpha_us"], 4, 1e-3) << path;
        EXPECT_NEAR(path["beta_gb_per_s"], moved, 1e-4) << path;
        EXPECT_NEAR(path["half_power_bytes"], 4000 * moved, 4) << path;
        EXPECT_EQ(path["transfers"].size(), 3U);
    }
}

TEST_F(Bandwidth, ShowsFitsRatesPlotAndBoundOnOneScreen) {
    const std::string text = lab({"--sizes", "1K,64K,4M", "--json", "out.json"}).output;
    for (const char* part : {"modelled for h100", "alpha, us", "n1/2", "host to device, pinned", "3.906 KiB", "64 KiB",
                             "where two coincide", "bound by memory's clock and width", "100.0 GB/s"}) {
        EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
    }
    EXPECT_EQ(nlohmann::json::parse(box_.read("out.json"), nullptr, false)["paths"].size(), 6U);
}

TEST_F(Bandwidth, KeepsWhatWasDoneWhenInterrupted) {
    box_.write("wait_here", "");
    Command command = build_.command({"bash", "-c",
                                      R"("$0" bandwidth --sizes 1K,64K --json out.json & tool=$!
for i in {1..500}; do [[ -e waiting ]] && break; sleep 0.02; done
kill -INT $tool; wait $tool)",
                                      LAB_TOOL});
    command.words.erase(command.words.begin());
    const Ending ending = run(command);
    EXPECT_EQ(ending.status, 130) << ending.output;
    EXPECT_NE(ending.output.find("interrupted: this is what was done"), std::string::npos) << ending.output;
    EXPECT_NE(ending.output.find("host to device, pinned"), std::string::npos) << ending.output;
    EXPECT_EQ(ending.output.find("saxpy"), std::string::npos) << ending.output;
    const auto figures = nlohmann::json::parse(box_.read("out.json"), nullptr, false);
    EXPECT_EQ(figures["interrupted"], true);
    EXPECT_EQ(figures["paths"].size(), 2U);
}

TEST_F(Bandwidth, PassesOnWhatTheProgramRefuses) {
    box_.program(bandwidth_program, "echo '{\"refused\": \"--sizes takes too much\"}'; exit 2");
    const Ending ending = lab({});
    EXPECT_EQ(ending.status, 2);
    EXPECT_EQ(ending.output, "lab: --sizes takes too much\n");
}

TEST_F(Bandwidth, SaysWhatToDoWithoutAGpu) {
    box_.program(bandwidth_program, "echo '{\"no_gpu\": \"no driver\"}'; exit 2");
    EXPECT_EQ(lab({}).output, "lab: no GPU answers: no driver; without one, ./lab --backend emulator bandwidth models one\n");
}

TEST_F(Bandwidth, TellsHowTheProgramFailed) {
    box_.program(bandwidth_program, "echo out of luck; exit 7");
    const Ending ending = lab({});
    EXPECT_EQ(ending.status, 2);
    EXPECT_EQ(ending.output, "lab: bandwidth.cu ended with status 7: out of luck\n\n");
}

TEST_F(Bandwidth, AnswersBadInputWithOneLineAndStatusTwo) {
    const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
        {{"--sizes", "0,1K"}, "'0' is 0; give bytes from 4 up, with K, M or G"},
        {{"--sizes=-4,1K"}, "'-4' is negative"},
        {{"--sizes", "2,1K"}, "'2' is too small"},
        {{"--sizes", "1K,,2K"}, "'' is no size"},
        {{"--sizes", "1K,big"}, "'big' is no size"},
        {{"--sizes", "1K,1T"}, "'1T' is no size"},
        {{"--sizes", "1K,1KB"}, "'1KB' is no size"},
        {{"--sizes", "1K,99999999999999999999"}, "is too large"},
        {{"--sizes", "1K,1024"}, "give two different sizes or more"},
        {{"--sizes", "1K,40G"}, "lab: --sizes takes three arrays of 40960 MiB on the device: the 81079 MiB of h100 are less"},
        {{"--device", "voodoo"}, "lab: --device voodoo: no such device; there is gtx280"},
        {{"--repeats", "0"}, "lab: --repeats 0: give 1 to 1000"},
        {{"--repeats", "1001"}, "lab: --repeats 1001: give 1 to 1000"},
        {{"--json", "a/b/c"}, "lab: --json a/b/c: can't write there"},
        {{"everything"}, "lab: "},
    };
    for (const auto& [words, text] : cases) {
        const Ending ending = lab(words);
        EXPECT_EQ(ending.status, 2) << text << "\n" << ending.output;
        EXPECT_NE(ending.output.find(text), std::string::npos) << text << "\n" << ending.output;
        EXPECT_EQ(ending.output.find('\n'), ending.output.size() - 1) << ending.output;
    }
}

TEST_F(Bandwidth, MeasuresTheGpuThatIsThere) {
    setenv("PATH", build_.path().c_str(), 1);
    unsetenv("LAB_DEVICE");
    const Project gpu{box_.folder(), box_.folder() / "build", "gpu", {}};
    BandwidthOptions options;
    options.sizes = "1K,4K";
    options.repeats = 7;
    options.json = (box_.folder() / "out.json").string();
    EXPECT_EQ(bandwidth(gpu, options), 0);
    EXPECT_EQ(box_.read("note"), "7 the GPU\n");
    EXPECT_EQ(nlohmann::json::parse(box_.read("out.json"), nullptr, false)["times"], "measured on Some GPU");
    options.device = "h100";
    EXPECT_THROW((void)bandwidth(gpu, options), BadInput);
}

TEST(Sizes, AreAscendingAndEachOnce) { EXPECT_EQ(sizes_in("1M,4,2K,1024K"), (std::vector<std::uint64_t>{4, 2048, 1 << 20})); }

#ifdef LAB_BANDWIDTH_PROGRAM
// The program's own events, in the emulator, tell the figures of the device's file.
TEST(BandwidthProgram, GetsTheModelledDevicesFigures) {
    const Ending ending = run({{LAB_BANDWIDTH_PROGRAM, "1024,65536,4194304", "1"}, {}, {{"LAB_DEVICE", "h100"}}});
    ASSERT_EQ(ending.status, 0) << ending.output;
    std::map<std::string, std::vector<Transfer>> transfers;
    for (const std::string& line : lines_of(ending.output)) {
        const auto object = nlohmann::json::parse(line, nullptr, false);
        ASSERT_TRUE(object.is_object()) << line;
        if (object.contains("path")) transfers[object["path"]].push_back({object["bytes"], object["ms"]});
    }
    ASSERT_EQ(transfers.size(), 6U);
    const devices::Device& device = devices::device_of("h100");
    for (const std::string way : {"host_to_device", "device_to_host"}) {
        EXPECT_NEAR(fit(transfers[way + "_pinned"]).gb_per_s, device.pinned_gb_per_s, 0.01);
        EXPECT_NEAR(fit(transfers[way + "_pageable"]).gb_per_s, device.pageable_gb_per_s, 0.01);
        EXPECT_NEAR(fit(transfers[way + "_pinned"]).alpha_us, device.copy_us + device.event_us, 0.01);
    }
    EXPECT_NEAR(fit(transfers["device_to_device"]).gb_per_s, device.memory_gb_per_s * device.memory_efficiency / 2, 0.1);
}
#endif

}  // namespace
}  // namespace lab::tools

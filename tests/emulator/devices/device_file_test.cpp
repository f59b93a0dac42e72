// Device files: parsing, rejection with messages, completeness of the files in known/.
#include "common/emulator/devices/device_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "common/emulator/devices/known_devices.h"

namespace lab::devices {
namespace {

// A device's file with one line put in place of another.
std::string changed(const std::string& from, const std::string& to) {
    std::string text;
    for (const KnownDevice& known : known_devices()) {
        if (std::string(known.id) == "h100") text = known.text;
    }
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

std::string complaint(const std::string& text) {
    try {
        (void)read_device(text, "my.json", "my");
    } catch (const BadDevice& problem) {
        return problem.what();
    }
    return "none";
}

TEST(DeviceFile, GivesFiguresAndTheLimitsOfItsComputeCapability) {
    const Device device = read_device(changed("\"sm_count\": 132", "\"sm_count\": 66"), "my.json", "my");
    EXPECT_EQ(device.id, "my");
    EXPECT_EQ(device.name, "NVIDIA H100 80GB HBM3");
    EXPECT_EQ(device.sm_count, 66U);
    EXPECT_EQ(device.major, 9);
    EXPECT_EQ(device.max_threads_per_sm, 2048U);
    EXPECT_DOUBLE_EQ(device.blocks_per_us, 1650);
    EXPECT_EQ(device.memory_bytes, 85017493504U);
    EXPECT_EQ(device.partitions, 0U);
}

TEST(DeviceFile, SaysInOneLineWhatIsWrong) {
    EXPECT_EQ(complaint("{\n\"name\" \"x\"\n}"), "my.json:2: this is not JSON (a comma too few or too many?)");
    EXPECT_EQ(complaint("[]"), "my.json: has to hold one object, {...}, with the figures of a GPU");
    EXPECT_EQ(complaint(changed("\"clock_mhz\": 1980,", "")),
              "my.json: \"clock_mhz\" is missing; ./lab devices h100 shows all that a device has");
    EXPECT_EQ(complaint(changed("\"clock_mhz\": 1980", "\"clock_mhz\": 0")), "my.json: \"clock_mhz\" is 0 and has to be a number above 0");
    EXPECT_EQ(complaint(changed("\"clock_mhz\": 1980", "\"clock_mhz\": \"1980\"")),
              "my.json: \"clock_mhz\" is \"1980\" and has to be a number above 0");
    EXPECT_EQ(complaint(changed("\"sm_count\": 132", "\"sm_count\": 1.5")), "my.json: \"sm_count\" is 1.5 and has to be a whole number");
    EXPECT_EQ(complaint(changed("\"sm_count\": 132", "\"sm_count\": 5000000000")),
              "my.json: \"sm_count\" is 5000000000 and has to be a whole number");
    EXPECT_EQ(complaint(changed("\"copy_us\": 6.5", "\"copy_us\": -1")), "my.json: \"copy_us\" is -1 and has to be a number, at least 0");
    EXPECT_EQ(complaint(changed("\"memory_efficiency\": 0.91", "\"memory_efficiency\": 91")),
              "my.json: \"memory_efficiency\" is 91 and has to be a number above 0, at most 1");
    EXPECT_EQ(complaint(changed("\"9.0\"", "\"9.9\"")),
              "my.json: \"compute_capability\" is \"9.9\" and has to be one that there is, such as \"9.0\" (./lab occupancy --cc ... knows "
              "them)");
    EXPECT_EQ(complaint(changed("\"9.0\"", "9.0")), "my.json: \"compute_capability\" is 9.0 and has to be a text in quotes");
    EXPECT_EQ(complaint(changed("\"has_ecc\": true", "\"has_ecc\": 1")), "my.json: \"has_ecc\" is 1 and has to be true or false");
    EXPECT_EQ(complaint(changed("\"clock_mhz\"", "\"clok_mhz\"")),
              "my.json: there is no figure \"clok_mhz\"; ./lab devices h100 shows all that there are");
    EXPECT_EQ(complaint(changed("\"has_ecc\": true", "\"partitions\": 8")), "my.json: \"partitions\" needs \"partition_bytes\" beside it");
}

TEST(DeviceFile, IsFoundByItsNameFromAnyFolder) {
    const std::filesystem::path file = std::filesystem::temp_directory_path() / ("lab-device-" + std::to_string(::getpid()) + ".json");
    std::ofstream(file) << changed("\"sm_count\": 132", "\"sm_count\": 4");
    const Device& device = device_of(file.string());
    EXPECT_EQ(device.sm_count, 4U);
    EXPECT_EQ(device.id, file.stem().string());
    EXPECT_EQ(&device_of(device.found_as), &device);
    std::filesystem::remove(file);
    EXPECT_THROW((void)device_of("no/such/device"), BadDevice);
    EXPECT_EQ(device_of("h100").found_as, "h100");
}

TEST(KnownDevices, AgreeWithThemselves) {
    for (const Device& device : all_devices()) {
        SCOPED_TRACE(device.id);
        EXPECT_FALSE(device.name.empty());
        EXPECT_NEAR(device.memory_gb_per_s, 2 * device.memory_clock_mhz * device.memory_bus_bits / 8 * 1e-3,
                    device.memory_gb_per_s * 0.002);
    }
}

}  // namespace
}  // namespace lab::devices

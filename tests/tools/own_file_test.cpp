// Files through which our own programs pass their results.
#include <gtest/gtest.h>
#include <unistd.h>

#include "common/tools/safe_files.h"
#include "tests/tools/sandbox.h"

namespace lab::tools {
namespace {

TEST(OwnFile, IsAnotherInAnotherProcessAndGoesWithItsObject) {
    const Sandbox box;
    std::filesystem::path path;
    {
        const OwnFile file(box.folder(), "launches");
        path = file.path();
        EXPECT_EQ(path.parent_path(), box.folder());
        EXPECT_NE(path.filename().string().find(std::to_string(getpid())), std::string::npos);
        EXPECT_FALSE(std::filesystem::exists(path));
        (void)box.write(path.filename().string(), "{}");
        EXPECT_TRUE(std::filesystem::exists(path));
    }
    EXPECT_FALSE(std::filesystem::exists(path));
    { const OwnFile never_written(box.folder(), "launches"); }
}

}  // namespace
}  // namespace lab::tools

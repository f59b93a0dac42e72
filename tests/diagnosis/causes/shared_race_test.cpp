// First lines of races in shared memory that follow from the use of an array.

#include <gtest/gtest.h>

#include "common/diagnosis/causes/shared_use.h"

namespace lab::diagnosis {
namespace {

std::string buffer_of(std::int64_t first, std::int64_t end, std::int64_t words, std::int64_t element_words = 1) {
    SharedUse use;
    use.all_words = words;
    use.element_words = element_words;
    use.used = {{first, end}};
    return unused_buffer(use, "Ns");
}

TEST(SharedRace, NamesABufferThatIsNeverUsed) {
    EXPECT_EQ(buffer_of(0, 256, 512),
              "only elements 0 to 255 of the 512 of Ns are used, one part of 2: does the index of a buffer never change?");
    EXPECT_NE(buffer_of(512, 1024, 1536, 2).find("only elements 256 to 511 of the 768 of Ns are used, one part of 3"), std::string::npos);
    EXPECT_EQ(buffer_of(0, 256, 256), "");  // all
    EXPECT_EQ(buffer_of(0, 250, 512), "");  // no equal part
    EXPECT_EQ(buffer_of(1, 257, 512), "");  // across two
    EXPECT_EQ(buffer_of(0, 32, 512), "");   // too many
}

}  // namespace
}  // namespace lab::diagnosis

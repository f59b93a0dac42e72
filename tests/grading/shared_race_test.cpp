// First lines of races in shared memory that follow from the use of an array.

#include <gtest/gtest.h>

#include <functional>

#include "common/grading/shared_use.h"

namespace lab::grading {
namespace {

// Block of x x y threads of which each stores the words that `stores` names, of those in a tile of as many words.
SharedUse use_of(std::int64_t x, std::int64_t y, std::int64_t words,
                 const std::function<bool(std::int64_t, std::int64_t, std::int64_t)>& stores) {
    SharedUse use;
    use.block_x = x;
    use.block_y = y;
    use.all_words = words;
    for (std::int64_t thread = 0; thread < x * y; ++thread) {
        for (std::int64_t word = 0; word < words; ++word) {
            if (stores(thread % x, thread / x, word)) use.stored_at_once[thread].insert(word);
        }
    }
    for (std::int64_t word = 0; word < words; ++word) use.loaded.insert(word);
    return use;
}

TEST(SharedRace, SaysThatThreadsRepeatEachOthersStores) {
    const auto column = [](std::int64_t x, std::int64_t, std::int64_t word) { return word % 4 == x; };
    EXPECT_EQ(repeated_stores(use_of(4, 4, 16, column), "sN", 2),
              "the 4 threads with threadIdx.x = 2 each store the same 4 elements of sN: should each of them store only one?");
    const auto row = [](std::int64_t, std::int64_t y, std::int64_t word) { return word / 4 == y; };
    EXPECT_NE(repeated_stores(use_of(4, 4, 16, row), "sM", 15).find("the 4 threads with threadIdx.y = 3 each store"), std::string::npos);
    const auto all = [](std::int64_t, std::int64_t, std::int64_t) { return true; };
    EXPECT_NE(repeated_stores(use_of(3, 1, 4, all), "xs", 0).find("should they divide these among them?"), std::string::npos);
    SharedUse doubles = use_of(2, 1, 8, all);
    doubles.element_words = 2;
    EXPECT_NE(repeated_stores(doubles, "xs", 0).find("store the same 4 elements"), std::string::npos);
}

TEST(SharedRace, LeavesAnIndexThatLacksAPart) {
    // One element a thread: the index lacks y. Two rows a thread, of which the index lacks y: other rows are loaded, too.
    EXPECT_EQ(repeated_stores(use_of(4, 4, 16, [](auto x, auto, auto word) { return word == x; }), "sums", 2), "");
    EXPECT_EQ(repeated_stores(use_of(4, 2, 16, [](auto x, auto, auto word) { return word == x || word == 8 + x; }), "sN", 2), "");
    // Threads that store different elements beside the same one.
    EXPECT_EQ(repeated_stores(use_of(4, 1, 4, [](auto x, auto, auto word) { return word == 0 || word == x; }), "sN", 0), "");
}

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
}  // namespace lab::grading

// First lines about arrays of shared memory of which elements are read that no thread stores.

#include <gtest/gtest.h>

#include <functional>

#include "common/diagnosis/causes/shared_use.h"

namespace lab::diagnosis {
namespace {

SharedUse filled_by(std::int64_t block_x, std::int64_t block_y, const std::function<bool(std::int64_t, std::int64_t)>& stores,
                    std::int64_t words) {
    SharedUse filling;
    filling.block_x = block_x;
    filling.block_y = block_y;
    filling.all_words = words;
    filling.words.resize(2);
    for (std::int64_t thread = 0; thread < block_x * block_y; ++thread) {
        if (!stores(thread % block_x, thread / block_x)) continue;
        filling.threads.insert(thread);
        if (thread < words) filling.words[0].insert(thread);
    }
    return filling;
}

TEST(UnfilledTile, NamesTheThreadsThatFillIt) {
    const auto all = [](std::int64_t, std::int64_t) { return true; };
    EXPECT_EQ(who_fills(filled_by(
                            8, 8, [](auto, auto y) { return y == 0; }, 64),
                        false),
              "only threads with threadIdx.y = 0 store to it, 8 of its 64 elements: is a guard too narrow?");
    EXPECT_NE(who_fills(filled_by(
                            8, 8, [](auto x, auto y) { return x < 4 && y < 3; }, 64),
                        false)
                  .find("threadIdx.x = 0 to 3 and threadIdx.y = 0 "
                        "to 2 store"),
              std::string::npos);
    EXPECT_EQ(who_fills(filled_by(
                            8, 8, [](auto, auto) { return false; }, 64),
                        false),
              "no thread stores to it");
    EXPECT_EQ(who_fills(filled_by(8, 1, all, 64), false),
              "the 8 x 1 threads of a block store to 8 of its 64 elements: which threads should store the others?");
    const SharedUse corner = filled_by(
        8, 8, [](auto x, auto y) { return x < 4 && y < 3; }, 64);
    EXPECT_NE(who_fills(corner, true).find("is a guard too narrow, or 0 not stored past the edge?"), std::string::npos);
    const SharedUse far = filled_by(
        8, 8, [](auto x, auto) { return x > 3; }, 64);
    EXPECT_EQ(who_fills(far, true).find("past the edge"), std::string::npos);
    SharedUse overlapping = filled_by(8, 8, all, 64);
    overlapping.words[0] = {0, 1, 2, 3};
    overlapping.element_words = 2;
    EXPECT_EQ(who_fills(overlapping, false), "the 8 x 8 threads of a block store to 2 of its 32 elements: does an index lack a part?");
}

TEST(UnfilledTile, TellsBlocksAtTheEdge) {
    SharedUse filling = filled_by(
        4, 4, [](auto, auto) { return true; }, 16);
    filling.words_begun = filling.words;
    filling.words_begun[1] = {0, 1, 2};
    EXPECT_EQ(who_fills(filling, true), "inner blocks fill all of its 16 elements, those at the edge do not: is 0 stored past the edge?");
    EXPECT_EQ(who_fills(filling, false), "");
    filling.words_begun[1] = filling.words_begun[0];
    EXPECT_EQ(who_fills(filling, true), "");
    filling.words_begun[0] = {0, 1, 2};
    EXPECT_EQ(who_fills(filling, true), "");
}

// Words of `rows` rows of `width` elements that begin `pitch` elements apart; each has `words` words.
SharedUse::Words in_rows(std::int64_t rows, std::int64_t width, std::int64_t pitch, std::int64_t words = 1) {
    SharedUse::Words all;
    for (std::int64_t at = 0; at < rows * width * words; ++at) all.insert(at / (width * words) * pitch * words + at % (width * words));
    return all;
}

std::string pitch_of(const SharedUse::Words& stored, const SharedUse::Words& loaded, std::int64_t element_words = 1) {
    SharedUse use;
    use.words = {stored, stored};
    use.loaded = loaded;
    use.element_words = element_words;
    return other_pitch(use);
}

TEST(UnfilledTile, TellsThatStoresAndLoadsDifferInTheirPitch) {
    EXPECT_EQ(pitch_of(in_rows(16, 16, 17), in_rows(16, 16, 16)),
              "its rows of 16 begin 17 elements apart where they are stored, 16 where they are loaded: do both use the same pitch?");
    EXPECT_NE(pitch_of(in_rows(8, 8, 8, 2), in_rows(8, 8, 9, 2), 2).find("rows of 8 begin 8 elements apart where they are stored, 9"),
              std::string::npos);
    EXPECT_NE(pitch_of(in_rows(8, 8, 9), in_rows(8, 8, 10)).find("rows of 8 begin 9 elements apart where they are stored, 10"),
              std::string::npos);
}

TEST(UnfilledTile, KnowsNoPitchOfOtherLoads) {
    // One column too many, with the same pitch; a row too few; equal ones; elements without rows.
    EXPECT_EQ(pitch_of(in_rows(16, 16, 17), in_rows(16, 17, 17)), "");
    EXPECT_EQ(pitch_of(in_rows(15, 16, 17), in_rows(16, 16, 16)), "");
    EXPECT_EQ(pitch_of(in_rows(16, 16, 17), in_rows(16, 16, 17)), "");
    EXPECT_EQ(pitch_of(in_rows(1, 16, 16), in_rows(1, 16, 16)), "");
    EXPECT_EQ(pitch_of({0, 1, 3, 4, 7, 8}, in_rows(3, 2, 2)), "");
    EXPECT_EQ(pitch_of({}, in_rows(3, 2, 2)), "");
}

TEST(UnfilledTile, TellsThatLoadsTakeAnotherPart) {
    const auto said = [](std::int64_t stored, std::int64_t loaded, std::int64_t count, std::int64_t element_words) {
        SharedUse use;
        use.element_words = element_words;
        for (std::int64_t at = 0; at < 16; ++at) use.stored_then.insert(stored + at);
        for (std::int64_t at = 0; at < count; ++at) use.loaded_then.insert(loaded + at);
        return other_part(use);
    };
    EXPECT_EQ(said(0, 16, 16, 1),
              "first its elements 0 to 15 are stored, but 16 to 31 loaded: do both use the same buffer, or part of it?");
    EXPECT_NE(said(32, 0, 16, 2).find("elements 16 to 23 are stored, but 0 to 7 loaded"), std::string::npos);
    EXPECT_EQ(said(0, 15, 16, 1), "");  // they overlap
    EXPECT_EQ(said(0, 16, 15, 1), "");  // not as many
    EXPECT_EQ(said(0, 16, 0, 1), "");
}

}  // namespace
}  // namespace lab::diagnosis

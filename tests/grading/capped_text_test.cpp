#include "common/grading/capped_text.h"

#include <gtest/gtest.h>

namespace lab::grading {
namespace {

TEST(CappedText, KeepsAllOfAShortTextAndTheEndsOfALongOne) {
    CappedText text;
    EXPECT_EQ(text.size(), 0);
    text.add("one\n");
    text.add("two\n");
    EXPECT_EQ(text.text(), "one\ntwo\n");
    constexpr std::size_t chunks = 100000;
    std::size_t bytes = 8;
    for (std::size_t i = 0; i < chunks; ++i) {
        const std::string line = "line " + std::to_string(i) + "\n";
        bytes += line.size();
        text.add(line);
    }
    const std::string kept = text.text();
    EXPECT_EQ(kept.substr(0, 15), "one\ntwo\nline 0\n");
    EXPECT_EQ(kept.substr(kept.size() - 11), "line 99999\n");
    const std::size_t whole = CappedText::max_head + CappedText::max_tail;
    EXPECT_NE(kept.find("... and " + std::to_string(bytes - whole) + " bytes more ..."), std::string::npos);
    EXPECT_LT(kept.size(), whole + 100);
}

TEST(CappedText, KeepsATextThatJustFits) {
    const std::string whole(CappedText::max_head + CappedText::max_tail, 'x');
    CappedText text;
    text.add(whole);
    EXPECT_EQ(text.text(), whole);
}

TEST(Printable, LeavesWholeCharactersAndNoControls) {
    EXPECT_EQ(printable("a\tb\n\u00b7\u20ac\U0001F600"), "a\tb\n\u00b7\u20ac\U0001F600");
    EXPECT_EQ(printable("\x1b[31mred\x07\r"), "?[31mred??");
    EXPECT_EQ(printable("\xff\xc3"), "??");                                         // no character begins so; one that is cut off
    EXPECT_EQ(printable("\xc0\xaf \xed\xa0\x80 \xf4\x90\x80\x80"), "?? ??? ????");  // overlong, a surrogate, beyond the last
}

}  // namespace
}  // namespace lab::grading

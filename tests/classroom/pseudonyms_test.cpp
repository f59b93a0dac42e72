// Numbers in place of names: the order tells nothing, and names in texts are found in their usual forms.
#include "common/classroom/pseudonyms.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace lab::classroom {
namespace {

TEST(Pseudonyms, NumberStudentsInAnOrderOfTheirOwn) {
    std::vector<std::string> students;
    for (int i = 0; i < 100; ++i) students.push_back(fmt::format("student of {:03}", i));
    const Pseudonyms one(students, 1), same(students, 1), other(students, 2);
    EXPECT_EQ(one.students(), same.students());
    EXPECT_NE(one.students(), other.students());
    EXPECT_NE(one.students(), students);
    EXPECT_TRUE(std::is_permutation(one.students().begin(), one.students().end(), students.begin()));
    EXPECT_EQ(one.of(one.students()[0]), "student 1");
    EXPECT_EQ(one.of(one.students()[99]), "student 100");
}

class Names : public ::testing::Test {
protected:
    // `text` of one of the authors, with her number as "#".
    [[nodiscard]] std::string without(const std::string& text, const std::string& author = "Ada Lovelace") const {
        std::string made = pseudonyms_.without_names(text, {author});
        for (const std::string& student : pseudonyms_.students()) {
            const std::string shown = pseudonyms_.of(student), mark = "#" + student.substr(0, 2);
            for (std::size_t at = made.find(shown); at != std::string::npos; at = made.find(shown, at))
                made.replace(at, shown.size(), mark);
        }
        return made;
    }
    Pseudonyms pseudonyms_{{"Ada Lovelace", "hopper_17", "Zoë Öztürk", "42", "1234567", "x"}, 7};
};

TEST_F(Names, AreFoundInTheirUsualForms) {
    EXPECT_EQ(without("Ada Lovelace/a.cu, ADA_LOVELACE; Lovelace, Ada!"), "#Ad/a.cu, #Ad; #Ad!");
    EXPECT_EQ(without("by Zoë Öztürk and hopper_17 and Hopper 17"), "by #Zo and #ho and #ho");
    EXPECT_EQ(without("1234567.cu"), "#12.cu");
}

TEST_F(Names, AreWordsAndNotPartsOfWords) {
    EXPECT_EQ(without("Adamant adalovelace hopper_170 12345678", "hopper_17"), "Adamant adalovelace #ho_170 12345678");
    EXPECT_EQ(without("Ada is here. Lovelace too", "hopper_17"), "Ada is here. Lovelace too")
        << "one word of somebody else's name may be any word";
}

TEST_F(Names, OfAuthorsAreFoundWordByWord) {
    EXPECT_EQ(without("ada_kernel, lovelace"), "#Ad_kernel, #Ad");
    EXPECT_EQ(without("element 17 of hopper", "hopper_17"), "element 17 of #ho");
}

TEST_F(Names, ThatAnyMessageHoldsStay) { EXPECT_EQ(without("42 elements of x", "x"), "42 elements of x"); }

TEST_F(Names, LeaveOtherTextAsItIs) {
    using namespace std::string_literals;
    const std::string text = "\xff</b> P[0] \xe2\x80\xa8 and nothing else\0."s;
    EXPECT_EQ(without(text), text);
    EXPECT_EQ(without(""), "");
}

}  // namespace
}  // namespace lab::classroom

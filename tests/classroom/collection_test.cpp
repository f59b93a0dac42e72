#include "common/classroom/collection.h"

#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <utility>

#include "common/tools/errors.h"
#include "tests/tools/sandbox.h"

namespace lab::classroom {
namespace {

namespace fs = std::filesystem;
using Files = std::vector<std::pair<std::string, std::string>>;

void write_archive(const fs::path& file, const Files& files) {
    archive* const made = archive_write_new();
    if (file.extension() == ".zip") {
        archive_write_set_format_zip(made);
    } else {
        archive_write_add_filter_gzip(made);
        archive_write_set_format_pax_restricted(made);
    }
    fs::create_directories(file.parent_path());
    archive_write_open_filename(made, file.c_str());
    for (const auto& [path, text] : files) {
        archive_entry* const entry = archive_entry_new();
        archive_entry_set_pathname(entry, path.c_str());
        archive_entry_set_size(entry, static_cast<la_int64_t>(text.size()));
        archive_entry_set_filetype(entry, AE_IFREG);
        constexpr unsigned readable = 0644;
        archive_entry_set_perm(entry, readable);
        archive_write_header(made, entry);
        archive_write_data(made, text.data(), text.size());
        archive_entry_free(entry);
    }
    archive_write_free(made);
}

class CollectionOf : public ::testing::Test {
protected:
    // Labs 2 and 3.
    const std::vector<tools::Lab> labs_{{2, "lab2_global", "matmul.cu"}, {3, "lab3_tiling", "tiled.cu"}};
    tools::Sandbox box_;

    [[nodiscard]] Collection found() const { return collect(box_.folder() / "class", labs_); }
    // "text", or "!problem", by student and lab.
    [[nodiscard]] std::map<std::string, std::string> texts() const {
        std::map<std::string, std::string> made;
        for (const Submission& each : found().submissions)
            made[each.student + "/" + each.lab] = each.problem.empty() ? each.text : "!" + each.problem;
        return made;
    }
    void hand_in(const std::string& path, const std::string& text) const { box_.write("class/" + path, text); }
    void hand_in_archive(const std::string& path, const Files& files) const { write_archive(box_.folder() / "class" / path, files); }
};
using Found = std::map<std::string, std::string>;

TEST_F(CollectionOf, MayHaveEachLabOfEachStudent) {
    hand_in("ada/tiled.cu", "of ada");
    hand_in("kay/notes.txt", "");
    Collection all = found();
    expect_all(labs_, &all);
    EXPECT_TRUE(all.empty.empty());
    ASSERT_EQ(all.submissions.size(), 4);
    std::string text;
    for (const Submission& each : all.submissions) text += each.student + " " + each.lab + " " + each.problem + each.text + "\n";
    EXPECT_NE(text.find("ada lab3 of ada\n"), std::string::npos) << text;
    for (const char* const line :
         {"ada lab2 matmul.cu was not handed in\n", "kay lab2 matmul.cu was not handed in\n", "kay lab3 tiled.cu was not handed in\n"})
        EXPECT_NE(text.find(line), std::string::npos) << text;
}

TEST_F(CollectionOf, FoldersHasLabsFilesAnywhereByName) {
    hand_in("ada/tiled.cu", "a");
    hand_in("grace/labs/lab3_tiling/tiled.cu", "g3");
    hand_in("grace/deep/er/matmul.cu", "g2");
    hand_in("grace/main.cpp", "no lab's");
    EXPECT_EQ(texts(), (Found{{"ada/lab3", "a"}, {"grace/lab3", "g3"}, {"grace/lab2", "g2"}}));
}

TEST_F(CollectionOf, ArchivesIsReadWithoutUnpacking) {
    hand_in_archive("ada.zip", {{"x/tiled.cu", "a"}, {"x/huge.bin", std::string(1000, 'x')}});
    hand_in_archive("grace.tar.gz", {{"matmul.cu", "g"}});
    hand_in_archive("both/work.zip", {{"tiled.cu", "b"}});
    EXPECT_EQ(texts(), (Found{{"ada/lab3", "a"}, {"grace/lab2", "g"}, {"both/lab3", "b"}}));
}

TEST_F(CollectionOf, CourseSystemsNamesGivesTheStudent) {
    hand_in("Ada Lovelace_123_assignsubmission_file_/tiled.cu", "moodle");
    hand_in("hoppergrace_LATE_17_4711_tiled.cu", "canvas");
    hand_in("kay_18_4712_tiled-2.cu", "second");
    hand_in("kay_18_4713_tiled-1.cu", "first");
    hand_in("noether_matmul.cu", "plain");
    hand_in_archive("turing_19_4714_all.zip", {{"tiled.cu", "zip"}});
    EXPECT_EQ(texts(), (Found{{"Ada Lovelace_123/lab3", "moodle"},
                              {"hoppergrace_17/lab3", "canvas"},
                              {"kay_18/lab3", "second"},
                              {"noether/lab2", "plain"},
                              {"turing_19/lab3", "zip"}}));
}

TEST_F(CollectionOf, TwoFilesOfALabIsUndecidedUnlessTheyAreEqual) {
    hand_in("ada/a/tiled.cu", "one");
    hand_in("ada/b/tiled.cu", "two");
    hand_in("grace/a/tiled.cu", "same");
    hand_in("grace/b/tiled.cu", "same");
    hand_in("kay/old/tiled.cu", "old");
    hand_in("kay/labs/lab3_tiling/tiled.cu", "in its place");
    EXPECT_EQ(texts(), (Found{{"ada/lab3", "!two files of lab3: ada/a/tiled.cu and ada/b/tiled.cu; keep one"},
                              {"grace/lab3", "same"},
                              {"kay/lab3", "in its place"}}));
}

TEST_F(CollectionOf, LinksAndPathsThatLeadOutIsNeverFollowed) {
    hand_in("secret", "secret");
    hand_in("ada/x", "");
    fs::create_symlink("../secret", box_.folder() / "class/ada/tiled.cu");
    fs::create_directory_symlink("..", box_.folder() / "class/ada/up");
    hand_in_archive("grace.zip", {{"../tiled.cu", "outside"}, {"a/../../matmul.cu", "outside"}});
    const Collection all = found();
    EXPECT_EQ(texts(), (Found{{"ada/lab3", "!tiled.cu is a link: hand in the file itself"}}));
    EXPECT_EQ(all.empty, std::vector<std::string>{"grace"});
}

TEST_F(CollectionOf, ArchivesThatCannotBeReadIsAVerdictWithItsReason) {
    hand_in("ada.zip", "no archive");
    hand_in_archive("grace.tar.gz", {{"fill", std::string((std::size_t{128} << 20) + 1, 'x')}, {"tiled.cu", "late"}});
    const Found all = texts();
    EXPECT_EQ(all.at("ada/lab2").find("!ada.zip can't be read as an archive"), 0) << all.at("ada/lab2");
    EXPECT_EQ(all.at("grace/lab3"), "!grace.tar.gz unpacks to more than 128 MiB");
    EXPECT_EQ(found().unplaced.size(), 2);
}

TEST_F(CollectionOf, LargeFilesIsAProblemOfTheirs) {
    hand_in("ada/tiled.cu", std::string((1 << 20) + 1, ' '));
    hand_in_archive("grace.zip", {{"tiled.cu", std::string((1 << 20) + 1, ' ')}});
    EXPECT_EQ(texts(), (Found{{"ada/lab3", "!tiled.cu has more than 1 MiB"}, {"grace/lab3", "!tiled.cu has more than 1 MiB"}}));
}

TEST_F(CollectionOf, StrangeNamesIsPrintable) {
    hand_in("new\nline/tiled.cu", "1");
    hand_in("\xff\xfe/tiled.cu", "2");
    hand_in("caf\xc3\xa9 two/tiled.cu", "3");
    EXPECT_EQ(texts(), (Found{{"new\\x0aline/lab3", "1"}, {"\\xff\\xfe/lab3", "2"}, {"caf\xc3\xa9 two/lab3", "3"}}));
}

TEST_F(CollectionOf, OtherEntriesIsNamed) {
    hand_in("tiled.cu", "whose");
    hand_in("notes.txt", "");
    hand_in(".DS_Store", "");
    hand_in("__MACOSX/tiled.cu", "");
    hand_in("empty/x", "");
    const Collection all = found();
    EXPECT_TRUE(all.submissions.empty());
    EXPECT_EQ(all.unplaced, (std::vector<std::string>{"notes.txt: no lab's file, no folder and no archive",
                                                      "tiled.cu: whose? put it into a folder with the student's name"}));
    EXPECT_EQ(all.empty, std::vector<std::string>{"empty"});
}

TEST_F(CollectionOf, ClassWithoutFolderIsBadInput) {
    EXPECT_THROW((void)found(), tools::BadInput);
    box_.write("class", "");
    EXPECT_THROW((void)found(), tools::BadInput);
}

TEST(Submission, HasAHashOfAllThatTheVerdictDependsOn) {
    // SHA-256, by sha256sum(1).
    EXPECT_EQ((Submission{"ada", "lab3", "ada/tiled.cu", "int x;\n", ""}.hash()),
              "4228246b81109c9edc5a8a2b072b0ebeedb9d317a3c426153004f5d7d5b460d0");
    const Submission one{"ada", "lab3", "", "a", ""}, other_lab{"ada", "lab2", "", "a", ""}, other_text{"ada", "lab3", "", "b", ""},
        with_problem{"ada", "lab3", "", "a", "x"}, other_student{"kay", "lab3", "elsewhere", "a", ""};
    EXPECT_EQ(one.hash(), other_student.hash());
    for (const Submission* other : {&other_lab, &other_text, &with_problem}) EXPECT_NE(one.hash(), other->hash());
}

}  // namespace
}  // namespace lab::classroom

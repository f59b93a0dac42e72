// Submissions of a class, found in a folder as course systems export it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "common/tools/project.h"

namespace lab::classroom {

// One student's file for one lab.
struct Submission {
    std::string student;         // UTF-8: the folder's, the archive's or the file's name, without what course systems add
    std::string lab;             // "lab<n>"
    std::string origin;          // where the file was found, relative to the class's folder; for the instructor
    std::string text;            // the file's text; empty if there is a problem
    std::string problem;         // why it can't be graded, in one line; "" if nothing is wrong
    std::int64_t handed_in = 0;  // when the file or archive was last changed, in seconds since 1970; 0: not known
    // SHA-256 of lab, problem and text: equal ones share a verdict, so nobody may be able to make two that are alike.
    [[nodiscard]] std::string hash() const;
};

// What was found in a class's folder.
struct Collection {
    std::vector<Submission> submissions;  // by student and lab, one for each pair
    std::vector<std::string> unplaced;    // lines: what could not be taken for a submission, and why
    std::vector<std::string> empty;       // students without any lab's file
};

// Submissions of `labs` in a folder. Each entry of the folder is one student's: a folder or an archive (zip, tar) with the labs' files
// anywhere in it, by name; or a file whose name ends with that of a lab's file ("lovelace_17_matmul_tiled.cu"). Throws BadInput if the
// folder can't be read.
[[nodiscard]] Collection collect(const std::filesystem::path& folder, const std::vector<tools::Lab>& labs);

// Makes a submission with a problem, which has no points, of each lab that a student has nothing of.
void expect_all(const std::vector<tools::Lab>& labs, Collection* collection);

// SHA-256 of a text, as 64 hexadecimal digits.
[[nodiscard]] std::string sha256_of(const std::string& text);

// `text` as valid UTF-8 without control characters: each other byte as "\xNN".
[[nodiscard]] std::string printable(const std::string& text);

}  // namespace lab::classroom

// Results of a class in one SQLite file: who handed in what, and the verdict on each text. A verdict is written whole or not at all.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/classroom/collection.h"
#include "common/tools/score.h"

struct sqlite3;

namespace lab::classroom {

// The verdict on one text, whoever handed it in. Of its tests' messages the texts are kept, without their fields.
struct Verdict {
    tools::LabScore score;
    std::string hash, version, device;
    std::int64_t graded_at = 0;  // seconds since 1970
};

// A submission with its verdict, if it has one yet.
struct Graded {
    std::string student, lab, origin, hash;
    std::int64_t handed_in = 0;  // seconds since 1970; 0: not known
    std::optional<Verdict> verdict;
};

// One test in all submissions of its lab.
struct TestFigures {
    std::string lab, name;
    std::size_t passed = 0, failed = 0;
    std::vector<std::pair<std::string, std::size_t>> causes;  // first lines of its failures, the commonest first
};

// Selects the verdicts that a run grades again.
struct Choice {
    std::vector<std::string> labs;  // none: all
    std::string student;            // "": all
    bool only_failed = false;       // verdicts without full points
};

class Results {
public:
    enum class Opened { to_write, to_read };

    // Opens a database; makes one that isn't there, to write. Throws BadInput for a file that is none, is of a newer version, or can't be
    // written.
    explicit Results(const std::filesystem::path& file, Opened how = Opened::to_write);
    ~Results();
    Results(const Results&) = delete;
    Results& operator=(const Results&) = delete;

    // Takes the database for one run that writes; another one throws BadInput meanwhile.
    void lock();
    // In a forked child: the lock is the parent's alone, and ends with it.
    void leave_lock_to_parent() const;

    // Settings of the class that hold for all its verdicts: "seed", "device", "folder"; and "course", which may be replaced.
    [[nodiscard]] std::string setting(const std::string& name) const;  // "" if there is none
    void set(const std::string& name, const std::string& value);

    // Replaces the list of submissions. Verdicts stay with their texts.
    void replace_submissions(const std::vector<Submission>& submissions);
    // Whether the text has a verdict by this version of the project, which no `again` has taken back.
    [[nodiscard]] bool has(const std::string& lab, const std::string& hash, const std::string& version) const;
    void keep(const Verdict& verdict) { keep(std::vector{verdict}); }
    void keep(const std::vector<Verdict>& verdicts);  // all or none
    // Marks verdicts as to be made again; they stay until then. Returns how many.
    int take_back(const Choice& choice);

    // Calls `use` for each submission with its verdict, in the order of `students`, by lab. It is the same object each time, which `use`
    // may move from. An error of the database throws DatabaseError (sqlite.h), here and above.
    void each(const std::vector<std::string>& students, const std::function<void(Graded&)>& use) const;
    [[nodiscard]] std::vector<std::string> students() const;  // sorted
    [[nodiscard]] std::vector<std::string> labs() const;      // by number: "lab<9>" before "lab<10>"
    // Students by lab and hash of what they handed in.
    [[nodiscard]] std::map<std::string, std::map<std::string, std::vector<std::string>>> authors() const;
    // By lab, in the order of the suite.
    [[nodiscard]] std::vector<TestFigures> tests() const;

private:
    [[noreturn]] void refuse(const std::string& why) const;
    void keep_one(const Verdict& verdict);
    void update_tables();  // makes those of an empty database
    [[nodiscard]] std::vector<std::string> texts(const char* question) const;

    sqlite3* database_ = nullptr;
    int lock_ = -1;
    std::filesystem::path file_;
};

}  // namespace lab::classroom

// `lab class` and what is asked of its results.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/classroom/results.h"
#include "common/classroom/slurm.h"
#include "common/tools/project.h"

namespace lab::classroom {

struct ClassOptions {
    std::string folder;
    std::vector<std::string> labs;  // none: all
    int jobs = 0;                   // submissions at a time; 0: one for each processor
    std::string results = "class.db";
    std::string sandbox = "auto";
    std::string device;                 // that the emulator models times for
    std::string course;                 // settings of the course (course.h); "": those of the class's last run
    std::string times;                  // CSV with the times of handing in; "": that of the last run, else the files' own times
    std::optional<std::uint64_t> seed;  // random inputs' seed; the database keeps the first run's
    SlurmOptions slurm;
    bool dry_run = false;    // only say what would be graded
    bool every_lab = false;  // a lab without a file has no points either
    double within = 0;       // seconds; what is not judged by then is undecided. 0: no limit
    Choice again;            // verdicts to be made again
    bool is_again = false;   // `lab class again`: of the folder that the database names
};

// `lab class`: finds submissions, says what it found, grades what has no verdict yet, and shows the points. Returns 0 when all are graded,
// 3 when the grader could not judge some, 130 when interrupted. Throws BadInput.
[[nodiscard]] int grade_folder(const tools::Project& project, const ClassOptions& options);

struct AskOptions {
    std::string results = "class.db";
    std::string student;
    bool verbose = false;  // all failures, in full
};

// `lab class status`: submissions, verdicts and points of each lab.
[[nodiscard]] int show_status(const tools::Project& project, const AskOptions& options);
// `lab class show STUDENT`: the student's verdicts, as `lab grade` shows them.
[[nodiscard]] int show_student(const tools::Project& project, const AskOptions& options);
// `lab class stats`: of each test how many pass, and the first lines of its failures by how many have them.
[[nodiscard]] int show_stats(const tools::Project& project, const AskOptions& options);

// All students, or the one who is named. Throws BadInput, with the nearest names, if the database has none such; `file` is its name.
[[nodiscard]] std::vector<std::string> chosen_students(const Results& results, const std::string& file, const std::string& student);

struct ExportOptions {
    std::string format;  // "": the list of them
    std::string results = "class.db";
    std::string course;  // settings for `scores`; the database has its own
    std::string scores;  // JSON of `lab grade`, in place of the database
    std::string out;     // "": stdout
    std::string into, column;
    std::string student;
    std::vector<std::string> labs;  // none: all
};

// `lab class export FORMAT`: scores as course systems read them. Returns 0, or 3 where the grader could not judge some. Throws BadInput.
[[nodiscard]] int export_results(const tools::Project& project, const ExportOptions& options);

struct SimilarOptions {
    std::string results = "class.db";
    std::string out = "similar";    // a new folder
    std::vector<std::string> labs;  // none: all
};

// `lab class similar`: writes the submissions of the class's folder for programs that look for copies, and prints their commands.
[[nodiscard]] int write_for_similarity(const tools::Project& project, const SimilarOptions& options);

}  // namespace lab::classroom

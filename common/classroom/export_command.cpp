#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "common/classroom/class_commands.h"
#include "common/classroom/course.h"
#include "common/classroom/exports/exports.h"
#include "common/tools/errors.h"
#include "common/tools/safe_files.h"
#include "common/tools/terminal.h"

namespace lab::classroom {
namespace fs = std::filesystem;
namespace {

using exports::Format;
using exports::StudentScores;

// Scores of one student, whom the option names, from the JSON of `lab grade`.
StudentScores scores_in_file(const tools::Project& project, const ExportOptions& options, Course* course) {
    if (!options.course.empty()) *course = read_course(project, options.course);
    const nlohmann::json json = nlohmann::json::parse(tools::read_whole(options.scores), nullptr, false);
    try {
        if (json.is_discarded()) throw tools::BadInput("no JSON");
        StudentScores made{options.student, tools::scores_from_json(json)};
        if (std::any_of(made.labs.begin(), made.labs.end(), [](const tools::LabScore& lab) { return lab.stopped; }))
            throw tools::BadInput("its grading was interrupted");
        for (tools::LabScore& lab : made.labs) apply(*course, 0, &lab);
        return made;
    } catch (const tools::BadInput& bad) {
        throw tools::BadInput(fmt::format("--scores {}: {}", options.scores, bad.what()));
    }
}

// Graded submissions of the database, by student; those that aren't graded are named on stderr.
std::vector<StudentScores> scores_in_database(const ExportOptions& options, Course* course) {
    if (!options.course.empty()) throw tools::BadInput("--course: the database has its own; ./lab class FOLDER --course replaces it");
    const Results results(options.results, Results::Opened::to_read);
    *course = course_of(results);
    std::vector<StudentScores> all;
    each_by_course(results, chosen_students(results, options.results, options.student), [&](Graded& each) {
        if (!each.verdict) {
            fmt::print(stderr, "left out, since it is not graded yet: {} of {}\n", each.lab, each.student);
            return;
        }
        if (all.empty() || all.back().student != each.student) all.push_back({each.student, {}});
        all.back().labs.push_back(std::move(each.verdict->score));
    });
    return all;
}

// The course's rules on what students see hold for all formats but the instructor's own table.
std::vector<StudentScores> chosen_scores(const tools::Project& project, const ExportOptions& options, const Format& format) {
    std::vector<StudentScores> all;
    Course course;
    if (options.scores.empty()) {
        all = scores_in_database(options, &course);
    } else {
        all.push_back(scores_in_file(project, options, &course));
    }
    for (StudentScores& each : all) {
        for (tools::LabScore& lab : each.labs) {
            if (format.of_class == nullptr) hide_unseen(course, std::time(nullptr), &lab);
        }
    }
    if (!options.labs.empty()) {
        std::set<std::string> chosen;
        for (const tools::Lab& lab : project.select(options.labs)) chosen.insert(lab.name());
        for (StudentScores& each : all) std::erase_if(each.labs, [&](const tools::LabScore& lab) { return chosen.count(lab.lab) == 0; });
    }
    std::erase_if(all, [](const StudentScores& each) { return each.labs.empty(); });
    if (all.empty()) throw tools::BadInput("nothing to export: no score of these students and labs");
    return all;
}

void write(const ExportOptions& options, const std::string& text) {
    if (!options.out.empty()) return tools::write_result("--out", options.out, text);
    std::fwrite(text.data(), 1, text.size(), stdout);
}

// DIR/STUDENT/FILE for each student of the database; one text for the student of a JSON, and for a single one without --out.
void write_students(const tools::Project& project, const Format& format, const ExportOptions& options,
                    const std::vector<StudentScores>& all) {
    exports::Environment environment;
    environment.variable = [](const char* name) {
        const char* const value = std::getenv(name);
        return std::string(value == nullptr ? "" : value);
    };
    environment.time = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
    for (const tools::Lab& lab : project.labs()) environment.files[lab.name()] = fmt::format("labs/{}/{}", lab.folder, lab.file);
    if (!options.scores.empty() || (options.out.empty() && all.size() == 1))
        return write(options, exports::student_file(format, all.front(), environment));
    if (options.out.empty()) throw tools::BadInput(fmt::format("{}: a file for each student; name a folder: --out DIR", format.name));
    for (const StudentScores& each : all)
        tools::replace_file(fs::path(options.out) / exports::folder_name(each.student) / format.file,
                            exports::student_file(format, each, environment));
    tools::print_folded(fmt::format("{} files in {}\n", all.size(), options.out));
}

void write_gradebook(const Format& format, const ExportOptions& options, const std::vector<StudentScores>& all) {
    if (options.into.empty()) throw tools::BadInput(fmt::format("{}: name the file that it exported: --into FILE", format.name));
    if (!options.scores.empty() && options.student.empty()) throw tools::BadInput("--scores: say whose they are: --student NAME");
    std::set<std::string> labs;
    for (const StudentScores& each : all) {
        for (const tools::LabScore& lab : each.labs) labs.insert(lab.lab);
    }
    const bool has_one_column = std::string_view(format.name) == "moodle" || !options.column.empty();
    if (has_one_column && labs.size() > 1 && options.labs.empty())
        throw tools::BadInput(
            fmt::format("{}: one column for the points of {} labs; name those that count: --labs LAB,...", format.name, labs.size()));
    const exports::Filled filled = exports::filled_in(format, tools::read_whole(options.into), all, options.column);
    for (const std::string& line : filled.remarks) fmt::print(stderr, "{}\n", line);
    write(options, filled.text);
}

}  // namespace

int export_results(const tools::Project& project, const ExportOptions& options) {
    if (options.format.empty()) {
        for (const Format& each : exports::formats()) {
            const char* const kind = each.of_student != nullptr ? "a student" : each.of_class != nullptr ? "the class" : "--into FILE";
            fmt::print("{:<20}{:<13}{}\n", each.name, kind, each.what);
        }
        return 0;
    }
    const Format& format = exports::format_named(options.format);
    if (format.fill_in == nullptr && !(options.into.empty() && options.column.empty()))
        throw tools::BadInput(fmt::format("{}: fills in no file; leave out --into and --column", format.name));
    const std::vector<StudentScores> all = chosen_scores(project, options, format);
    if (format.of_student != nullptr) {
        write_students(project, format, options, all);
    } else if (format.of_class != nullptr) {
        write(options, exports::class_file(format, all));
    } else {
        write_gradebook(format, options, all);
    }
    const bool is_undecided = std::any_of(all.begin(), all.end(), [](const StudentScores& each) {
        return std::any_of(each.labs.begin(), each.labs.end(), exports::is_undecided);
    });
    return is_undecided ? tools::exit_undecided : 0;
}

}  // namespace lab::classroom

// CSV: gradebooks of Canvas and Moodle with our points in them, and a table of our own.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <regex>
#include <set>

#include "common/classroom/exports/exports.h"
#include "common/tools/errors.h"

namespace lab::classroom::exports {
namespace {

constexpr const char* digits = "0123456789";
constexpr std::size_t max_cell_bytes = 32'000;  // Excel's cells hold 32,767 characters

struct Row {
    std::vector<std::string> cells;  // as they are in the file, with their quotes
    std::string end;                 // line end
};

// A CSV file that can be written again byte for byte.
struct Sheet {
    std::string mark;  // byte order mark, or ""
    char separator = ',';
    std::vector<Row> rows;

    // Value of a cell; "" where there is none.
    [[nodiscard]] std::string at(std::size_t row, std::size_t column) const {
        if (row >= rows.size() || column >= rows[row].cells.size()) return {};
        const std::string& cell = rows[row].cells[column];
        if (cell.size() < 2 || !cell.starts_with('"') || !cell.ends_with('"')) return cell;
        static const std::regex doubled("\"\"");
        return std::regex_replace(cell.substr(1, cell.size() - 2), doubled, "\"");
    }
    // The file's text, of the columns that `is_kept` by their number.
    template <typename IsKept>
    [[nodiscard]] std::string text(const IsKept& is_kept) const {
        std::string made = mark;
        for (const Row& row : rows) {
            bool is_first = true;
            for (std::size_t i = 0; i < row.cells.size(); ++i) {
                if (!is_kept(i)) continue;
                if (!std::exchange(is_first, false)) made += separator;
                made += row.cells[i];
            }
            made += row.end;
        }
        return made;
    }
};

[[noreturn]] void refuse(const std::string& why) { throw tools::BadInput("--into: " + why); }

std::string cell_of(const std::string& value, char separator, bool is_quoted = false) {
    if (!is_quoted && value.find_first_of(std::string("\"\r\n") + separator) == std::string::npos) return value;
    return '"' + replaced(value, {{'"', "\"\""}}) + '"';
}

Sheet sheet_of(const std::string& text) {
    Sheet made;
    std::size_t at = text.starts_with("\xef\xbb\xbf") ? 3 : 0;
    made.mark = text.substr(0, at);
    const std::size_t first = text.find_first_of(",;\t\n", at);
    if (first != std::string::npos && text[first] != '\n') made.separator = text[first];
    Row row;
    std::string cell;
    bool is_quoted = false;
    for (; at < text.size(); ++at) {
        const char c = text[at];
        if (c == '"') is_quoted = !is_quoted;
        if (is_quoted || (c != made.separator && c != '\r' && c != '\n')) {
            cell += c;
            continue;
        }
        row.cells.push_back(std::exchange(cell, {}));
        if (c == made.separator) continue;
        row.end = text.compare(at, 2, "\r\n") == 0 ? "\r\n" : std::string(1, c);
        at += row.end.size() - 1;
        made.rows.push_back(std::exchange(row, {}));
    }
    if (is_quoted) refuse("a quotation mark is not closed");
    if (text.find('\0') != std::string::npos) refuse("no CSV in UTF-8: there are zero bytes in it");
    if (!cell.empty() || !row.cells.empty()) {
        row.cells.push_back(cell);
        made.rows.push_back(row);
    }
    if (made.rows.empty()) refuse("is empty");
    return made;
}

// A number with a decimal point or comma.
std::optional<double> number_in(std::string text) {
    std::replace(text.begin(), text.end(), ',', '.');
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    const bool is_number = !text.empty() && *end == '\0' && std::isfinite(value);
    return is_number ? std::optional(value) : std::nullopt;
}

// A system's gradebook: a row for each student, whom its first columns identify.
class Gradebook {
public:
    // `number`: the column with the number by which the system names a student's files; `width`: that many columns identify him.
    Gradebook(Sheet opened, const std::vector<StudentScores>& students, std::size_t number, std::size_t width)
        : sheet(std::move(opened)), students_(students), width_(static_cast<std::ptrdiff_t>(width)) {
        for (std::size_t row = 0; row < sheet.rows.size(); ++row) {
            const std::string cell = sheet.at(row, number);
            const std::size_t begin = std::min(cell.find_first_of(digits), cell.size());
            numbers_.push_back(cell.find_first_not_of(digits, begin) == std::string::npos ? cell.substr(begin) : "");
        }
        std::map<std::size_t, std::size_t> students_of_row;
        for (const StudentScores& student : students) {
            rows_.push_back(row_of(student.student));
            ++students_of_row[rows_.back()];
            for (const tools::LabScore& lab : student.labs) points_[lab.lab] = std::max(points_[lab.lab], lab.points());
        }
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            if (rows_[i] != 0 && students_of_row[rows_[i]] == 1) continue;
            remarks.push_back(
                fmt::format("not matched: {}{}", students[i].student, rows_[i] == 0 ? "" : ", who is not the only one of that row"));
            rows_[i] = 0;
        }
        for (const auto& [lab, points] : points_) labs.insert(lab);
    }
    // The number of a row's student, "17" of "Participant 17" in any language; "" if the row is no student's.
    [[nodiscard]] const std::string& number_of(std::size_t row) const { return numbers_[row]; }
    // Calls use(row, scores, earned, points) for each matched student who handed in any of the labs. Points are those of all of them.
    template <typename Use>
    void each(const std::set<std::string>& chosen, const Use& use) {
        double points = 0;
        for (const std::string& lab : chosen) points += points_[lab];
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            StudentScores its{students_[i].student, {}};
            double earned = 0;
            for (const tools::LabScore& lab : students_[i].labs) {
                if (chosen.count(lab.lab) == 0) continue;
                its.labs.push_back(lab);
                earned += lab.earned();
            }
            if (rows_[i] == 0 || its.labs.empty()) continue;
            if (std::any_of(its.labs.begin(), its.labs.end(), is_undecided)) {
                remarks.push_back(fmt::format("left as it is, since not all was judged: {} of {}", fmt::join(chosen, "+"), its.student));
            } else {
                use(rows_[i], its, earned, points);
            }
        }
    }
    // Writes points, scaled to the maximum if there is one, unless the cell has them or words of the system's, such as "EX" for excused.
    // Returns whether it was changed.
    bool write_points(std::size_t row, std::size_t column, double earned, double points, const std::string& max) {
        const double scale = number_in(max).value_or(0) > 0 && points > 0 ? *number_in(max) / points : 1;
        const double value = std::round(earned * scale * 100) / 100;
        const std::string old = sheet.at(row, column);
        if (number_in(old) == value) return false;
        if (!number_in(old) && !old.empty() && old != "-") {
            remarks.push_back(fmt::format("left as it is: {} in line {}", old, row + 1));
            return false;
        }
        const bool has_comma = (max + old).find(',') != std::string::npos;
        return write(row, column, has_comma ? replaced(shown(value), {{'.', ","}}) : shown(value));
    }
    bool write(std::size_t row, std::size_t column, const std::string& value) {
        if (column >= sheet.rows[row].cells.size() || sheet.at(row, column) == value) return false;
        std::string& cell = sheet.rows[row].cells[column];
        cell = cell_of(value, sheet.separator, cell.starts_with('"'));
        return true;
    }

    Sheet sheet;
    std::set<std::string> labs;
    std::vector<std::string> remarks;

private:
    // The only row with the number behind the name's last '_', or else with this name; 0 if there is none.
    [[nodiscard]] std::size_t row_of(const std::string& student) const {
        const std::size_t mark = student.rfind('_');
        const std::string number = mark == std::string::npos ? "" : student.substr(mark + 1), quoted = cell_of(student, ',', true);
        std::vector<std::size_t> by_number, by_name;
        for (std::size_t row = 1; row < sheet.rows.size(); ++row) {
            if (numbers_[row].empty()) continue;
            if (numbers_[row] == number) by_number.push_back(row);
            const auto begin = sheet.rows[row].cells.begin(), end = sheet.rows[row].cells.end();
            const auto is_it = [&](const std::string& cell) { return !student.empty() && (cell == student || cell == quoted); };
            if (std::any_of(begin, begin + std::min(width_, end - begin), is_it)) by_name.push_back(row);
        }
        const std::vector<std::size_t>& found = by_number.empty() ? by_name : by_number;
        return found.size() == 1 ? found.front() : 0;
    }

    const std::vector<StudentScores>& students_;
    std::ptrdiff_t width_;
    std::vector<std::string> numbers_;      // students' numbers, by row
    std::map<std::string, double> points_;  // by lab
    std::vector<std::size_t> rows_;         // the row of each student; 0: none
};

// Lines with a lab's points and each failed test with its messages.
std::string failures_of(const tools::LabScore& lab) {
    std::string text = fmt::format("{} {}: {} of {} points\n", lab.lab, lab.title, shown(lab.earned()), shown(lab.points()));
    if (!lab.remark.empty()) text += lab.remark + "\n";
    if (!lab.trouble.empty()) text += lab.trouble + "\n";
    for (const tools::TestScore& test : lab.tests) {
        if (test.has_run && !test.passed())
            text += fmt::format("\n{} ({}/{})\n{}\n", test.name, shown(test.earned), shown(test.points), text_of(lab, test));
    }
    return text;
}

// Name of a Canvas column for an assignment, "Tiling (17)"; "" for the other columns.
std::string assignment_in(const std::string& header) {
    static const std::regex number(" \\([0-9]+\\)$");
    std::smatch found;
    return std::regex_search(header, found, number) ? found.prefix().str() : "";
}

// Columns of a Canvas gradebook with the labs whose points they hold.
std::map<std::size_t, std::set<std::string>> canvas_columns(Gradebook* book, const std::string& column) {
    std::map<std::size_t, std::set<std::string>> all;
    std::map<std::size_t, std::string> assignments;
    for (std::size_t i = 0; i < book->sheet.rows[0].cells.size(); ++i) {
        if (std::string name = assignment_in(book->sheet.at(0, i)); !name.empty()) assignments[i] = std::move(name);
    }
    const auto place = [&](const std::set<std::string>& labs, const auto& is_it) {
        std::vector<std::size_t> found;
        for (const auto& [i, name] : assignments) {
            if (is_it(i, name)) found.push_back(i);
        }
        if (found.size() == 1) all[found[0]].insert(labs.begin(), labs.end());
        if (found.size() > 1) refuse(fmt::format("several columns for {}; name one: --column HEADER", fmt::join(labs, "+")));
        if (found.empty()) book->remarks.push_back(fmt::format("no column for {}", fmt::join(labs, "+")));
    };
    if (!column.empty()) {
        place(book->labs, [&](std::size_t i, const std::string& name) { return name == column || book->sheet.at(0, i) == column; });
    } else {
        for (const std::string& lab : book->labs) {
            const std::regex named(fmt::format("(^|[^a-z0-9])lab[ _-]*0*{}([^0-9]|$)", lab.substr(3)), std::regex::icase);
            place({lab}, [&](std::size_t, const std::string& name) { return std::regex_search(name, named); });
        }
    }
    if (!all.empty()) return all;
    std::string names;
    for (const auto& [i, name] : assignments) names += (names.empty() ? "" : ", ") + name;
    refuse("no column for these labs; name one: --column HEADER. There are: " + names);
}

// Whether the column may be that of the grades: the next one has the same maximum in each row.
bool may_be_grades(const Sheet& sheet, std::size_t column) {
    std::string first;
    for (std::size_t row = 1; row < sheet.rows.size(); ++row) {
        if (sheet.rows[row].cells.size() < 2) continue;  // a blank line
        const std::string grade = sheet.at(row, column), max = sheet.at(row, column + 1);
        if (number_in(max).value_or(0) <= 0 || !(grade.empty() || grade == "-" || number_in(grade))) return false;
        if (first.empty()) first = max;
        if (max != first) return false;
    }
    return !first.empty();
}

// The column of the grades in a Moodle worksheet, whose headers are in any language.
std::size_t grade_column(const Sheet& sheet, const std::string& column) {
    std::vector<std::size_t> found;
    for (std::size_t i = 1; i < sheet.rows[0].cells.size(); ++i) {
        if (column.empty() ? may_be_grades(sheet, i) : sheet.at(0, i) == column) found.push_back(i);
    }
    if (found.size() != 1) refuse("no grading worksheet of Moodle's, or its column of grades can't be told; name it: --column HEADER");
    return found[0];
}

}  // namespace

// Columns before the first assignment, and those with new points: Canvas overwrites the scores of every column that it is given.
Filled canvas(const std::string& exported, const std::vector<StudentScores>& students, const std::string& column) {
    Sheet sheet = sheet_of(exported);
    const std::size_t width = sheet.rows[0].cells.size();
    std::size_t first = 2;
    while (first < width && assignment_in(sheet.at(0, first)).empty()) ++first;
    if (first >= width) refuse("no gradebook of Canvas's: no column has an assignment's name and number, \"Tiling (17)\"");
    std::size_t number = first - 1;
    while (number > 1 && sheet.at(0, number) != "ID") --number;
    Gradebook book(std::move(sheet), students, number, first);
    std::set<std::size_t> changed;
    for (const auto& [target, labs] : canvas_columns(&book, column)) {
        std::string possible;  // the cell of the row "Points Possible", above all students
        for (std::size_t row = 1; row < book.sheet.rows.size() && book.number_of(row).empty(); ++row)
            possible = number_in(book.sheet.at(row, target)) ? book.sheet.at(row, target) : possible;
        book.each(labs, [&, at = target](std::size_t row, const StudentScores&, double earned, double points) {
            if (book.write_points(row, at, earned, points, possible)) changed.insert(at);
        });
    }
    if (changed.empty()) book.remarks.emplace_back("no points have changed");
    return {book.sheet.text([&](std::size_t i) { return i < first || changed.count(i) > 0; }), book.remarks};
}

// Grades, and comments where there is a column for them whose cell is empty or ours.
Filled moodle(const std::string& exported, const std::vector<StudentScores>& students, const std::string& column) {
    Sheet sheet = sheet_of(exported);
    const std::size_t grade = grade_column(sheet, column);
    Gradebook book(std::move(sheet), students, 0, grade);
    static const std::regex of_comments("feedback|comm?ent|komment", std::regex::icase);
    std::size_t comments = 0;
    for (std::size_t i = grade + 1; i < book.sheet.rows[0].cells.size(); ++i)
        comments = std::regex_search(book.sheet.at(0, i), of_comments) ? i : comments;
    if (comments == 0) book.remarks.emplace_back("no column for comments in it: grades alone");
    book.each(book.labs, [&](std::size_t row, const StudentScores& student, double earned, double points) {
        book.write_points(row, grade, earned, points, book.sheet.at(row, grade + 1));
        const std::string old = book.sheet.at(row, comments);
        if (comments == 0 || !(old.empty() || old.starts_with("<pre>"))) return;
        std::string text;
        for (const tools::LabScore& lab : student.labs) text += failures_of(lab);
        book.write(row, comments, "<pre>" + escaped(shortened(text, max_cell_bytes / 2)) + "</pre>");
    });
    return {book.sheet.text([](std::size_t) { return true; }), book.remarks};
}

// A cell that begins like a formula gets an apostrophe before it.
std::string csv(const std::vector<StudentScores>& students) {
    const auto plain = [](const std::string& text) {
        const std::size_t begin = std::min(text.find_first_not_of(" \t\n"), text.size());
        bool is_formula = false;
        for (const char* const sign : {"=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20"})
            is_formula = is_formula || text.compare(begin, std::char_traits<char>::length(sign), sign) == 0;
        return cell_of((is_formula || text.starts_with('\t') ? "'" : "") + text, ',');
    };
    std::string text = "student,lab,points,max_points,undecided_points,state,passed,tests,why\r\n";
    for (const StudentScores& student : students) {
        for (const tools::LabScore& lab : student.labs) {
            const char* const state = is_undecided(lab) ? "undecided" : lab.does_not_compile ? "does not compile" : "graded";
            text +=
                fmt::format("{},{},{},{},{},{},{},{},{}\r\n", plain(student.student), plain(lab.lab), shown(lab.earned()),
                            shown(lab.points()), shown(lab.is_undecided ? lab.points() : lab.undecided()), state, lab.passing(),
                            lab.tests.size(), plain(shortened(lab.full() && lab.remark.empty() ? "" : failures_of(lab), max_cell_bytes)));
        }
    }
    return text;
}

}  // namespace lab::classroom::exports

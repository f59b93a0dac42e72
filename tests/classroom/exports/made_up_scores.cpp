#include "tests/classroom/exports/made_up_scores.h"

namespace lab::classroom::exports {

tools::TestScore passed(const std::string& name, double points) {
    tools::TestScore made;
    made.name = name;
    made.group = "correct";
    made.points = made.earned = points;
    made.seconds = 0.5;
    return made;
}

tools::TestScore failed(const std::string& name, double points, const std::string& text) {
    tools::TestScore made = passed(name, points);
    made.earned = 0;
    made.failures = {text};
    return made;
}

tools::TestScore undecided(const std::string& name, double points) {
    tools::TestScore made = failed(name, points, "no memory");
    made.is_undecided = true;
    return made;
}

tools::LabScore lab_with(const std::vector<tools::TestScore>& tests, const std::string& lab) {
    tools::LabScore made;
    made.lab = lab;
    made.title = "shared tiling";
    made.backend = "emulator";
    made.seconds = 1.5;
    made.tests = tests;
    return made;
}

StudentScores ordinary() { return {"Ada_17", {lab_with({passed("Lab3.A", 6), failed("Lab3.B", 4, "a race\n  at shared_tiling.cu:31")})}}; }

StudentScores partly_undecided() {
    StudentScores made = ordinary();
    made.labs[0].tests.push_back(undecided("Lab3.C", 2));
    return made;
}

namespace {

StudentScores without_runs(const std::string& trouble) {
    StudentScores made = ordinary();
    made.labs[0].trouble = trouble;
    for (tools::TestScore& test : made.labs[0].tests) {
        test.has_run = false;
        test.earned = 0;
        test.failures.clear();
    }
    return made;
}

}  // namespace

StudentScores not_judged() {
    StudentScores made = without_runs("the suite died (this is not your mistake):\n  signal 11");
    made.labs[0].is_undecided = true;
    return made;
}

StudentScores not_compiling() {
    StudentScores made = without_runs("your file does not compile:\n  shared_tiling.cu:7:5: error: expected ';'");
    made.labs[0].does_not_compile = true;
    return made;
}

std::string any_text() {
    std::string all = "]]><x>&amp;\r\n::error::x%0A\",\"\n=1+1 \xed\xa0\x80 \xef\xbf\xbe \xef\xbf\xbf \xf4\x90\x80\x80 \xc0\xaf \u20ac";
    for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
    return all + "\xe2\x82";  // a character that is cut
}

StudentScores hostile() {
    const std::string any = any_text();
    StudentScores made{any, {lab_with({passed("Lab3.A", 6), failed("Lab3.B", 4, any), failed("Lab3.C", 4, any), undecided("Lab3.D", 1)})}};
    made.labs[0].tests[3].failures = {any};
    made.labs[0].tests[0].measured = any;
    made.labs[0].trouble = any;
    return made;
}

StudentScores huge() {
    std::vector<tools::TestScore> tests;
    std::string text;
    while (text.size() < 100'000) text += "\u20ac<";
    for (int i = 0; i < 40; ++i) tests.push_back(failed("Lab3.T" + std::to_string(i), 1, text));
    return {"Ada_17", {lab_with(tests)}};
}

Environment environment() {
    return {[](const char* name) { return "value of " + std::string(name); },
            "2026-11-23T10:00:00Z",
            {{"lab3", "labs/lab3_shared_tiling/shared_tiling.cu"}}};
}

std::string file_of(const std::string& format, const StudentScores& student) {
    return student_file(format_named(format), student, environment());
}

}  // namespace lab::classroom::exports

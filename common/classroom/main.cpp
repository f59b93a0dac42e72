// lab-class: `lab class` and `lab package`, built when first asked for.
#include <fmt/format.h>

#include <clocale>
#include <cstdio>
#include <functional>
#include <memory>

#include "common/classroom/class_commands.h"
#include "common/classroom/class_page.h"
#include "common/classroom/packaging/package.h"
#include "common/classroom/slurm.h"
#include "common/tools/command_line.h"
#include "common/tools/emulator_options.h"
#include "common/tools/errors.h"

namespace {

using namespace lab::classroom;
using lab::tools::Project;

void add_results(CLI::App& app, std::string& results) {
    app.add_option("--results", results, "the database of the class's results; class.db without it")->type_name("FILE");
}

void describe_run(CLI::App& app, ClassOptions& options) {
    app.add_option("--jobs", options.jobs, "submissions graded at a time; one for each processor without it")
        ->type_name("N")
        ->check(CLI::Range(0, 1024));
    add_results(app, options.results);
    app.add_option("--course", options.course, "the course's settings; the last run's without it")->type_name("FILE");
    app.add_option("--times", options.times, "CSV of student,lab,time of handing in; without it the last run's, else the files' own times")
        ->type_name("FILE");
    app.add_option("--sandbox", options.sandbox, "its strength, as in ./lab grade; the strongest without it")->type_name("STRENGTH");
    CLI::Option* const on_slurm =
        app.add_flag("--slurm", options.slurm.is_wanted, "grade by a job array of Slurm; its nodes share this folder and the database's");
    app.add_option("--partition", options.slurm.partition, "as sbatch takes it")->type_name("NAME")->needs(on_slurm);
    app.add_option("--gres", options.slurm.gres, "as sbatch takes it; gpu:1 for measured times, with --backend gpu")
        ->type_name("LIST")
        ->needs(on_slurm);
    app.add_option("--tasks", options.slurm.tasks, "of the array; one for 8 submissions without it")
        ->type_name("N")
        ->check(CLI::Range(1, 1000))
        ->needs(on_slurm);
}

void describe_class(CLI::App& app, ClassOptions& options) {
    app.add_option("FOLDER", options.folder, "submissions: a folder or archive per student, with the labs' files anywhere in it");
    app.add_option("--labs", options.labs, "grade these labs; all without it")->delimiter(',')->type_name("LAB,...");
    describe_run(app, options);
    lab::tools::add_device(app, options.device);
    app.add_option("--seed", options.seed, "of the random inputs; one for the whole class")->type_name("N");
    app.add_flag("--dry-run", options.dry_run, "only say what was found");
    app.add_flag("--every-lab", options.every_lab, "a lab that a student has not handed in is a row without points");
    app.add_option("--within", options.within, "what is not judged by then is undecided")->type_name("SECONDS")->check(CLI::PositiveNumber);
}

void describe_again(CLI::App& app, ClassOptions& options) {
    options.is_again = true;
    app.add_option("--lab", options.again.labs, "verdicts of this lab")->delimiter(',')->type_name("LAB");
    app.add_option("--student", options.again.student, "verdicts of this student")->type_name("NAME");
    app.add_flag("--failed", options.again.only_failed, "verdicts without full points");
    describe_run(app, options);
}

void describe_export(CLI::App& app, ExportOptions& options) {
    app.add_option("FORMAT", options.format, "the system that reads it; without it the list of formats is printed");
    add_results(app, options.results);
    app.add_option("--scores", options.scores, "JSON of ./lab grade --json in place of the database: one student's")->type_name("FILE");
    app.add_option("--course", options.course, "the course's settings, with --scores")->type_name("FILE");
    app.add_option("--out", options.out, "write there; a folder for formats with a file for each student")->type_name("FILE|DIR");
    app.add_option("--into", options.into, "the file that the system exported, to be filled in")->type_name("FILE");
    app.add_option("--column", options.column, "its column for the points, by its header")->type_name("HEADER");
    app.add_option("--student", options.student, "this student alone; with --scores the student's name")->type_name("NAME");
    app.add_option("--labs", options.labs, "these labs; all without it")->delimiter(',')->type_name("LAB,...");
}

void describe_similar(CLI::App& app, SimilarOptions& options) {
    add_results(app, options.results);
    app.add_option("--out", options.out, "write there; the folder similar without it")->type_name("DIR");
    app.add_option("--labs", options.labs, "these labs; all without it")->delimiter(',')->type_name("LAB,...");
}

void describe_ask(CLI::App& app, AskOptions& options) { add_results(app, options.results); }

void describe_show(CLI::App& app, AskOptions& options) {
    app.add_option("STUDENT", options.student, "as the database names him")->required();
    app.add_flag("-v,--verbose", options.verbose, "all failures, in full");
    add_results(app, options.results);
}

void describe_task(CLI::App& app, TaskOptions& options) {
    app.group("");  // Slurm calls it
    app.add_option("FOLDER", options.folder)->required();
    app.add_option("ROUND", options.round)->required();
}

void describe_page(CLI::App& app, PageOptions& options) {
    add_results(app, options.results);
    app.add_option("--out", options.out, "the page; class.html without it")->type_name("FILE");
    app.add_flag("--without-names", options.without_names, "number the students, in a random order");
}

void describe_package(CLI::App& app, PackageOptions& options) {
    app.add_option("--labs", options.labs, "these labs; all without it")->delimiter(',')->type_name("LAB,...");
    app.add_option("--devices", options.devices, "judge speed on these devices as well as on the usual one")
        ->delimiter(',')
        ->type_name("NAME,...");
    app.add_option("--course", options.course, "the course's settings: its labs, points and device")->type_name("FILE");
    app.add_option("--arch", options.architectures, "for x86-64, aarch64 or both; this machine's without it")
        ->delimiter(',')
        ->type_name("NAME,...");
    app.add_option("--out", options.out, "the folder or archive (.tar.zst, .tar, .zip), which must not be there yet")
        ->type_name("DIR|FILE")
        ->capture_default_str();
}

using Chosen = std::function<int(const Project&)>;

// A subcommand of `lab class`.
template <typename Options>
void add(CLI::App& of_class, Chosen& chosen, const char* name, const char* help, void (*describe)(CLI::App&, Options&),
         int (*function)(const Project&, const Options&), const Options& initial = {}) {
    CLI::App& made = *of_class.add_subcommand(name, help);
    const auto options = std::make_shared<Options>(initial);
    describe(made, *options);
    made.callback([&chosen, options, function] { chosen = [=](const Project& project) { return function(project, *options); }; });
}

int run(int argc, char** argv) {
    const auto app = lab::tools::lab_app();
    CLI::App& of_class = *app->add_subcommand("class", "Grade a folder of submissions, and ask for its results");
    Chosen chosen;
    ClassOptions options;
    of_class.require_subcommand(0, 1);
    describe_class(of_class, options);
    of_class.final_callback([&] {
        if (!of_class.get_subcommands().empty()) return;
        if (options.folder.empty()) throw CLI::RequiredError("a FOLDER of submissions");
        chosen = [&](const Project& project) { return grade_folder(project, options); };
    });
    add(of_class, chosen, "again", "Make verdicts again", describe_again, grade_folder);
    add(of_class, chosen, "task", "A task of --slurm", describe_task, grade_task);
    add(of_class, chosen, "status", "How far the class is, by lab", describe_ask, show_status);
    add(of_class, chosen, "show", "One student's verdicts", describe_show, show_student);
    add(of_class, chosen, "stats", "Of each test: how many pass, and the commonest causes", describe_ask, show_stats);
    add(of_class, chosen, "report", "One page of the whole class: points, students and tests, causes", describe_page, write_page);
    add(of_class, chosen, "export", "Scores as course systems read them", describe_export, export_results);
    add(of_class, chosen, "similar", "Submissions for programs that look for copies", describe_similar, write_for_similarity);
    CLI::App& of_package = *app->add_subcommand("package", "Write what others need to work or grade without this repository");
    of_package.require_subcommand(1);
    const auto add_package = [&](const char* name, const char* help, const PackageOptions& initial) {
        add(of_package, chosen, name, help, describe_package, write_package, initial);
    };
    add_package("students", "A folder to work in: labs, handouts, and the grader, compiled", {"students"});
    add_package("gradescope", "An autograder for Gradescope", {"gradescope.zip", "gradescope"});
    add_package("autolab", "An autograder for Autolab", {"autolab", "autolab"});
    add_package("prairielearn", "An external grader for PrairieLearn", {"prairielearn", "prairielearn"});
    add_package("classroom50", "An autograder for Classroom 50", {"classroom50", "classroom50"});
    return lab::tools::run_command_line(*app, lab::tools::words_of(argc, argv), [&] { return chosen(Project::current()); });
}

}  // namespace

int main(int argc, char** argv) {
    std::setlocale(LC_CTYPE, "C.UTF-8");  // names in archives
    const int status = run(argc, argv);
    return std::fflush(stdout) == 0 ? status : lab::tools::exit_bad_input;
}

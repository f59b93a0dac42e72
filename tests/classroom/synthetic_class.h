// Made-up results of a class, for tests that need many students: names, verdicts and messages follow from a seed.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "common/classroom/results.h"

namespace lab::classroom::synthetic {

struct Options {
    std::size_t students = 300;
    std::uint64_t seed = 1;
    std::size_t labs = 6;  // of the six below, the first ones
};

struct TestKind {
    const char* name;
    const char* group;
    double points;
};
struct LabKind {
    const char* title;
    const char* file;
    std::vector<TestKind> tests;
};

// Labs and tests much like the real ones: 61 tests.
inline const std::vector<LabKind> lab_kinds{
    {"CPU baseline",
     "cpu_baseline.cpp",
     {{"MatmulIjkMatchesReference", "correct", 10},
      {"MatmulIkjMatchesReference", "correct", 10},
      {"TransposeMatchesReferenceAtAnyShape", "correct", 15},
      {"MatvecMatchesReferenceAtAnyShape", "correct", 15},
      {"MatvecReachesElementsBeyond2To31", "safe", 10},
      {"MatvecWalksMemoryInOrder", "technique", 15},
      {"MatmulIkjBeatsIjkAtWidth1024", "fast", 15}}},
    {"matmul from global memory",
     "matmul_global.cu",
     {{"MatchesReferenceAtWidthsThatBlocksDivide", "correct", 10},
      {"MatchesReferenceAtWidthsThatBlocksDoNotDivide", "correct", 10},
      {"MatchesReferenceInBlocksOfAnyShape", "correct", 15},
      {"StaysInsideItsArrays", "safe", 10},
      {"CoalescesLoadsOfNAndStoresOfP", "technique", 15},
      {"PredictsTheOrderOfThreadGeometries", "technique", 5},
      {"BeatsTheCpuTwentyfold", "fast", 5},
      {"ReachesTheReferencesSpeed", "fast", 10},
      {"MatmulOnDeviceMatchesReference", "host", 8},
      {"MatmulOnDeviceFreesWhatItAllocates", "host", 4},
      {"MatmulOnDeviceReportsAFailedAllocation", "host", 4},
      {"MatmulOnDeviceReportsAFailedLaunch", "host", 4}}},
    {"shared tiling",
     "shared_tiling.cu",
     {{"MatchesReferenceWithTile16", "correct", 8},
      {"MatchesReferenceWithTile32", "correct", 8},
      {"MatchesReferenceWithTile25", "correct", 6},
      {"MatchesReferenceAtWidth1000WithTile25", "correct", 8},
      {"MatchesReferenceInDouble", "correct", 10},
      {"HasNoRaces", "safe", 10},
      {"ReachesEveryBarrierWithAllThreads", "safe", 5},
      {"StaysInsideItsArrays", "safe", 5},
      {"LoadsEachElementOncePerTile", "technique", 12},
      {"SharedLoadsAreFreeOfBankConflicts", "technique", 8},
      {"BeatsTheCpuFiftyfold", "fast", 5},
      {"ReachesTheReferencesSpeedAtWidth1024", "fast", 15}}},
    {"inexact tiling",
     "inexact_tiling.cu",
     {{"MatvecStaticMatchesReferenceAtMultiplesOfTheBlock", "correct", 8},
      {"MatvecAnyMatchesReferenceAtAnyShape", "correct", 12},
      {"MatmulAnyMatchesReferenceAtAnyShape", "correct", 12},
      {"RefusesMoreThanConstantMemoryTakes", "correct", 6},
      {"HasNoRaces", "safe", 10},
      {"ReadsOnlyWhatWasWritten", "safe", 8},
      {"StaysInsideItsArrays", "safe", 10},
      {"LaunchesNoBlockTooMany", "technique", 8},
      {"ConstantReadsAreBroadcasts", "technique", 8},
      {"MatvecAnyReachesTheReferencesSpeed", "fast", 8},
      {"MatvecMappedFreesWhatItAllocates", "host", 10}}},
    {"transpose",
     "transpose.cu",
     {{"NaiveRowTransposesAnyShape", "correct", 8},
      {"NaiveColTransposesAnyShape", "correct", 8},
      {"Unroll4RowTransposesAnyShape", "correct", 10},
      {"SmemTransposesAnyShape", "correct", 12},
      {"SmemUnrollPadTransposesAnyShape", "correct", 12},
      {"HasNoRaces", "safe", 10},
      {"StaysInsideItsArrays", "safe", 10},
      {"TiledKernelsCoalesceLoadsAndStores", "technique", 10},
      {"PaddingRemovesTheBankConflicts", "technique", 10},
      {"SmemPadReachesTheReferencesSpeed", "fast", 10}}},
    {"diagonal order",
     "diagonal.cu",
     {{"NaiveRowMatchesAtAnySize", "correct", 12},
      {"SmemMatchesAtAnySize", "correct", 12},
      {"SmemPadMatchesAtAnySize", "correct", 16},
      {"MapsEachTileOnce", "correct", 10},
      {"HasNoRaces", "safe", 10},
      {"StaysInsideItsArrays", "safe", 10},
      {"CoalescesLoadsAndStores", "technique", 10},
      {"SpreadsOverThePartitions", "technique", 10},
      {"ReachesTheReferencesSpeed", "fast", 10}}},
};

// Messages of failed tests by the group of the test; {0}, {1} and {2} are numbers, {3} the lab's file.
inline const char* message_kind(const std::string& group, std::uint64_t chosen) {
    static const std::array correct{
        "P[{0}] was made from M[row * {1} + k] instead of M[row * {2} + k]: a row of M has {2} elements, not {1}\n  where: at W={2}, "
        "blocks of "
        "16 x 16\n  {0} of 3072 elements of P are wrong ({2} x {2})\n  P[{0}] (row {1}, column 24): expected 0.842934, got 1.{2}\n  map (a "
        "mark "
        "is 4 x 8 elements: · all right, × if any is wrong):\n    ···×···×···×/···×···×···×/···×···×···×/···×···×···×/···×···×···×\n  also "
        "at W={1}",
        "4-byte read of global memory that was never written: P[{0}] is read before it is stored: does += stand where = should, or is P "
        "never set to 0?\n  where: {3}:{1}\n  by thread ({1},0,0) of block (0,0,0)\n  bytes {2} to {2} of P in global memory",
        "only the first 16 of 17 rows of P were written, as many as the grid has threads along y (1 block of 16): was the grid rounded "
        "down?\n"
        "  where: at W=17\n  {0} of 289 elements of P are wrong (17 x 17)"};
    static const std::array safe{
        "4-byte read out of bounds in global memory: N[{0}], but N has {0} elements; its thread's index in x is {1}, P has {1}: does a "
        "guard "
        "before this line test both indices, with &&?\n  where: {3}:{1} in kernel matmul_global\n  by thread ({1},0,0) of block (1,0,0)\n  "
        "{2} threads do so in this launch",
        "race in shared memory at line [N_tile[threadIdx.y][threadIdx.x]...] and line [sum += M_tile[threadIdx.y][k] * ...]: is a "
        "__syncthreads() missing between them?\n  where: {3}:{1} and {3}:{2}\n  seen {0} times",
        "barrier not reached by all threads: thread (0,{1},0) is missing at line [__syncthreads(); #1]: is that barrier in an if or a "
        "loop, "
        "or behind a return, that not all take?\n  where: {3}:{2}"};
    static const std::array technique{
        "bank conflicts: neighbouring threads load words of tile that lie 32 apart, all in one bank ({0} conflicts in {2} accesses, 0 are "
        "allowed): is a row of tile 32 words long instead of 33?\n  where: {3}:{1}\n  read: the handout, Mistakes that many make",
        "stores not coalesced: neighbouring threads store elements of out that lie {2} apart (store efficiency is 12.5 %, 80 % is asked "
        "for): does threadIdx.x choose the row instead of the column?\n  where: {3}:{1}",
        "too many global loads: {2} elements were read, {0} are enough\n  where: {3}:{1}"};
    static const std::array fast{
        "too slow: 0.{1} of the reference's speed, 0.65 is asked for; it has {0} times as many sectors loaded from global memory\n  "
        "modelled "
        "for the H100: {0} ms\n  limit: DRAM bandwidth",
        "too slow: {1} times as fast as one CPU thread, at least 50 is asked for\n  modelled for the H100: {0} ms",
        "the kernel does not end, or does far more than its share of work\n  it was stopped after {2} instructions\n  where: {3}:{1}"};
    static const std::array host{
        "memory leak when allocation 2 of 3 fails: free on that way out as well\n  where: {3}:{1}",
        "the launch of matmul_global failed with cudaErrorInvalidConfiguration, and nothing asked for the error\n  where: {3}:{1}",
        "cudaFree failed with cudaErrorInvalidValue: the memory is freed twice\n  where: {3}:{1}"};
    const auto& kinds = group == "correct"     ? correct
                        : group == "safe"      ? safe
                        : group == "technique" ? technique
                        : group == "fast"      ? fast
                                               : host;
    return kinds[chosen % kinds.size()];
}

class Maker {
public:
    explicit Maker(const Options& options) : options_(options), random_(options.seed) {}

    // Names that differ, some of them beyond ASCII: "Ada Lovelace", "Zoë Öztürk 2".
    [[nodiscard]] std::vector<std::string> names() {
        static const std::array first{"Ada",  "Alan", "Barbara", "Chen",   "Dmitri", "Edsger", "Fatima", "Grace", "Hedy",  "Ivan",
                                      "Jean", "Kofi", "Leslie",  "Margit", "Noor",   "Olga",   "Priya",  "René",  "Shafi", "Zoë"};
        static const std::array last{"Abara",    "Bianchi",  "Castillo",  "Dubois",  "Eriksson", "Fischer", "Gonzalez", "Hopkins", "Ito",
                                     "Jansen",   "Kowalski", "Lindqvist", "Moreau",  "Nakamura", "Öztürk",  "Petrov",   "Quispe",  "Rossi",
                                     "Schröder", "Tanaka",   "Umarov",    "Vasquez", "Weber",    "Xu",      "Yilmaz",   "山田"};
        constexpr std::size_t stride = 7;  // coprime to the number of pairs
        const std::size_t pairs = first.size() * last.size();
        std::vector<std::string> made;
        for (std::size_t i = 0; i < options_.students; ++i) {
            const std::size_t pair = i * stride % pairs, round = i / pairs;
            const std::string name = fmt::format("{} {}", first[pair % first.size()], last[pair / first.size()]);
            made.push_back(round == 0 ? name : fmt::format("{} {}", name, round + 1));
        }
        return made;
    }

    // One student's verdict for one lab; `skill` is from 0 to 1.
    [[nodiscard]] Verdict verdict(const Submission& submission, std::size_t lab, double skill) {
        const LabKind& kind = lab_kinds[lab];
        Verdict made;
        made.hash = submission.hash();
        made.version = "0.0.0";
        made.device = "h100";
        made.graded_at = 1'700'000'000 + static_cast<std::int64_t>(random_() % 86'400);
        tools::LabScore& score = made.score;
        score.lab = submission.lab;
        score.title = kind.title;
        score.backend = "emulator";
        score.seed = std::to_string(options_.seed);
        score.seconds = 1 + 20 * share();
        score.sandbox = "namespaces";
        score.trouble = submission.problem;
        const double lot = share();
        if (score.trouble.empty() && lot < 0.04 * (1.5 - skill)) {
            score.does_not_compile = true;
            score.trouble = compile_error(kind.file);
        } else if (score.trouble.empty() && lot > 0.99) {
            score.is_undecided = true;
            score.trouble = "grading it took more than 30 minutes (this is not the student's mistake)";
        }
        const bool is_stub = share() < 0.03;
        for (const TestKind& test : kind.tests) score.tests.push_back(test_of(test, submission.lab, kind.file, skill, is_stub, score));
        return made;
    }

    // Whether something of this probability happens.
    [[nodiscard]] bool happens(double probability) { return share() < probability; }
    // Skill of the next student: most are good, some lack much.
    [[nodiscard]] double skill() { return 1 - share() * share(); }

private:
    [[nodiscard]] double share() { return static_cast<double>(random_() >> 11U) * 0x1p-53; }

    [[nodiscard]] std::string compile_error(const char* file) {
        static const std::array errors{"use of undeclared identifier 'colum'; did you mean 'column'?", "expected ';' after expression",
                                       "no matching function for call to 'min'"};
        return fmt::format("{0}:{1}:17: error: {2}\n        sum += M[row * W + colum];\n                          ^\n1 error generated.\n",
                           file, 10 + random_() % 90, errors[random_() % errors.size()]);
    }

    [[nodiscard]] tools::TestScore test_of(const TestKind& kind, const std::string& lab, const char* file, double skill, bool is_stub,
                                           const tools::LabScore& score) {
        tools::TestScore made;
        made.name = "L" + lab.substr(1) + "." + kind.name;
        made.group = kind.group;
        made.points = kind.points;
        made.seconds = share();
        made.has_run = score.trouble.empty();
        if (!made.has_run) return made;
        const std::uint64_t chosen = random_();
        const double hard = made.group == "correct" ? 0.12 : made.group == "fast" ? 0.5 : 0.3;
        if (is_stub) {
            made.failures.emplace_back("the function does nothing yet: it is the stub's");
        } else if (share() < 0.003) {
            made.is_undecided = true;
            made.failures.emplace_back("the device process ended by signal 9: the grader could not judge this test\n  free memory: 12 MiB");
        } else if (share() < hard * (1.3 - skill)) {
            made.failures.push_back(fmt::format(fmt::runtime(message_kind(made.group, chosen)), 16 + chosen / 3 % 5 * 32,
                                                20 + chosen / 15 % 40, 1024 + chosen / 600 % 7 * 512, file));
        } else {
            made.earned = made.points;
            if (made.group == "fast") made.measured = fmt::format("0.{} of the reference's speed", 65 + chosen % 30);
        }
        return made;
    }

    Options options_;
    std::mt19937_64 random_;
};

// Fills an empty database with a class and prints its seed. Some submissions are missing, some copied, some not graded yet, some can't be
// graded. Returns the students.
inline std::vector<std::string> fill(Results* results, const Options& options) {
    fmt::print("synthetic class: {} students, seed {}\n", options.students, options.seed);
    Maker maker(options);
    std::vector<Submission> submissions;
    std::vector<std::pair<std::size_t, double>> of;  // lab and skill of each submission
    const std::vector<std::string> names = maker.names();
    for (const std::string& name : names) {
        const double skill = maker.skill();
        for (std::size_t lab = 0; lab < std::min(options.labs, lab_kinds.size()); ++lab) {
            if (maker.happens(0.03 + 0.02 * static_cast<double>(lab))) continue;
            const std::string label = fmt::format("lab{}", lab + 1), file = lab_kinds[lab].file;
            Submission made{name, label, fmt::format("{}/{}", name, file), fmt::format("// {} by {}\n", label, name), ""};
            if (maker.happens(0.01)) {
                made.problem = fmt::format("two files of {}: {} and {}/old/{}; keep one", label, made.origin, name, file);
                made.text.clear();
            } else if (submissions.size() > options.labs && maker.happens(0.02)) {
                const Submission& copied = submissions[submissions.size() - options.labs];
                if (copied.lab == label && copied.problem.empty()) made.text = copied.text;
            }
            submissions.push_back(std::move(made));
            of.emplace_back(lab, skill);
        }
    }
    results->set("seed", std::to_string(options.seed));
    results->set("device", "h100");
    results->set("folder", "/home/instructor/submissions");
    results->replace_submissions(submissions);
    std::vector<Verdict> kept;
    for (std::size_t i = 0; i < submissions.size(); ++i) {
        const bool is_left = maker.happens(0.01);
        const Verdict made = maker.verdict(submissions[i], of[i].first, of[i].second);
        if (!is_left && !results->has(made.score.lab, made.hash, made.version)) kept.push_back(made);
        if (kept.size() == 500) results->keep(std::exchange(kept, {}));
    }
    results->keep(kept);
    return names;
}

}  // namespace lab::classroom::synthetic

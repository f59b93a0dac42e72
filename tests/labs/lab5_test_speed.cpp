// Grades the speed of lab 5's kernels, compared with copies and with the reference.
#include "tests/labs/lab5_kernels.h"

namespace lab::grading {
namespace {

// On a GPU larger than its cache. The emulator models time from counts, for which fewer elements suffice.
Transposition fast_work(Random& random) { return is_on_gpu() ? Transposition(4096, 3072, random) : Transposition(1024, 768, random); }

TEST_F(Lab5, SmemPadReachesTheBandwidthOfACopy) {
    grade_as({5, Group::fast, 8});
    Random random("copy");
    const auto own = candidate(student(), "smem_pad", {}, random);
    if (!is_on_gpu()) {
        const auto copy = copier(reference(), "copy_row", {}, random);
        return expect_fraction("smem_pad", fast_work(random), own, copy, 0.9, {"copy_row", "copy_row's"});
    }
    const auto copy = copier(reference(), "device_copy", {}, random);
    expect_fraction("smem_pad", fast_work(random), own, copy, 0.9, {"a copy within the device", "a device-to-device copy's"});
}

TEST_F(Lab5, BeatsTheCpuTwentyfold) {
    grade_as({5, Group::fast, 3});
    Random random("CPU");
    expect_speedup_over_cpu("smem_pad", fast_work(random), candidate(student(), "smem_pad", {}, random), 20);
}

// Each compared with the reference's, with its effective bandwidth as a share of copy_row's.
TEST_F(Lab5, EachKernelReachesTheReferencesSpeed) {
    grade_as({5, Group::fast, 9});
    Random random("speed");
    Transposition work = is_on_gpu() ? Transposition(2048, 1536, random) : fast_work(random);  // 14 kernels alternate
    const Measured copy = measure(work, copier(reference(), "copy_row", {}, random));
    if (!copy.problem.empty()) {
        return fail(copy.problem.at("the reference's copy_row"));
    }
    const double bound = copy.times.median();
    std::string table = fmt::format("{}: copy_row {}", work.size(), work.rate(bound));
    Message slow;
    for (const std::string& kernel : all_kernels) {
        const Speed speed =
            compare_speed(work, candidate(student(), kernel, {}, random), candidate(reference(), kernel, {}, random), share_of_reference);
        if (!speed.outcome.problem.empty()) {
            return fail(speed.outcome.problem.at(named(kernel, work)));
        }
        const double ms = speed.outcome.first.median();
        table += fmt::format("; {} {} ({:.0f} %)", kernel, work.rate(ms), 100 * bound / ms);
        if (speed.outcome.ratio() < share_of_reference && slow.empty()) {
            slow = Message(fmt::format("too slow: {:.2f} of the reference's {}, {} is asked for{}", speed.outcome.ratio(), kernel,
                                       share_of_reference, speed.more.empty() ? "" : "; it has " + speed.more),
                           {fmt::format("{:.4g} ms, {}; the reference {:.4g} ms (times {})", ms, work.rate(ms),
                                        speed.outcome.second.median(), speed.times)})
                       .at(named(kernel, work));
        }
    }
    record_measurement(table, copy.kind);
    expect(slow.empty(), slow);
}

}  // namespace
}  // namespace lab::grading

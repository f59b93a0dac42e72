// Lab 6, speed: gain and cost of the order of the blocks.
#include "tests/labs/lab6_kernels.h"

namespace lab::grading {
namespace {

// On the emulated GTX 280 the order has to pay off; on a current GPU, where it can't, it must not cost much.
TEST_F(Lab6, GainsThreefoldOverTheCartesianOrderOrCostsAQuarter) {
    grade_as({6, Group::fast, 12});
    Random random("cartesian");
    Transposition work(is_on_gpu() ? 4096 : 3072, is_on_gpu() ? 2048 : 512, random);
    const double least = is_on_gpu() ? 0.8 : 3;  // 25 % slower
    const std::string place = named(diagonal_smem_pad, work);
    const Speed speed = compare_speed(work, on_device("gtx280", own(diagonal_smem_pad, random)),
                                      on_device("gtx280", cartesian(diagonal_smem_pad, random)), least);
    if (!speed.outcome.problem.empty()) {
        return fail(speed.outcome.problem.at(place));
    }
    const double ratio = speed.outcome.ratio();
    const double ms = speed.outcome.first.median();
    const std::string text = fmt::format("{}: {:.4g} ms, {}; the same in cartesian order {:.4g} ms: {:.2f} of its speed", work.size(), ms,
                                         work.rate(ms), speed.outcome.second.median(), ratio);
    record_measurement(text, speed.times);
    Message slow(fmt::format("too slow: {:.2f} of the speed of the same kernel in cartesian order, {} is asked for", ratio, least),
                 {fmt::format("{} (times {})", text, speed.times)});
    if (!is_on_gpu()) {
        slow = slow.with("if the partitions' test passes too, look for transactions or instructions that the other kernel doesn't have");
    }
    expect(ratio >= least, slow.at(place));
}

TEST_F(Lab6, ReachesTheReferencesSpeed) {
    grade_as({6, Group::fast, 4});
    Random random("speed");
    const Transposition work(is_on_gpu() ? 4096 : 1024, is_on_gpu() ? 3072 : 768, random);
    expect_fraction(named(diagonal_smem_pad, work), work, own(diagonal_smem_pad, random), given(diagonal_smem_pad, random),
                    share_of_reference);
}

TEST_F(Lab6, BeatsTheCpuTenfold) {
    grade_as({6, Group::fast, 4});
    Random random("CPU");
    const Transposition work(is_on_gpu() ? 4096 : 1024, is_on_gpu() ? 3072 : 768, random);
    expect_speedup_over_cpu(named(diagonal_smem_pad, work), work, own(diagonal_smem_pad, random), 10);
}

}  // namespace
}  // namespace lab::grading

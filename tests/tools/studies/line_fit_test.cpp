// The fit of t = alpha + n / beta, on transfers whose alpha and beta are known.
#include <gtest/gtest.h>

#include "common/tools/studies/bandwidth.h"

namespace lab::tools {
namespace {

// 4 us and 127 GB/s: a transfer of n bytes takes 4e-3 ms and n / 127e6 ms.
double ms_of(double bytes) { return 4e-3 + bytes / 127e6; }

TEST(LineFit, FindsTheLineThatTransfersLieOn) {
    std::vector<Transfer> transfers;
    for (double bytes = 1024; bytes <= 1 << 26; bytes *= 4) transfers.push_back({bytes, ms_of(bytes)});
    const AlphaBeta line = fit(transfers);
    EXPECT_NEAR(line.alpha_us, 4, 1e-6);
    EXPECT_NEAR(line.gb_per_s, 127, 1e-4);
    EXPECT_NEAR(line.half_bytes, 4e-6 * 127e9, 1);
    EXPECT_NEAR(line.error, 0, 1e-9);
}

TEST(LineFit, HalfPowerPointGetsHalfOfBeta) {
    const AlphaBeta line = fit({{1000, ms_of(1000)}, {1e7, ms_of(1e7)}});
    const double half_rate = line.half_bytes / ms_of(line.half_bytes) * 1e-6;
    EXPECT_NEAR(half_rate, 127.0 / 2, 1e-6);
}

// Ten times the time at one size: a fit of absolute errors would follow a large one and ignore a small one.
TEST(LineFit, WeighsErrorsByTheTimesThemselves) {
    std::vector<Transfer> transfers;
    for (double bytes = 1024; bytes <= 1 << 26; bytes *= 2) transfers.push_back({bytes, ms_of(bytes)});
    transfers.back().ms *= 1.1;
    const AlphaBeta line = fit(transfers);
    EXPECT_NEAR(line.alpha_us, 4, 0.1) << "an outlier of " << 0.1 * ms_of(1 << 26) * 1e3 << " us must not move alpha";
    transfers.back().ms /= 1.1;
    transfers.front().ms *= 1.1;
    EXPECT_NEAR(fit(transfers).gb_per_s, 127, 2);
    EXPECT_GT(fit(transfers).alpha_us, 4.001);
    EXPECT_GT(fit(transfers).error, 0.01);
}

}  // namespace
}  // namespace lab::tools

// Grades lab 99: the sum of two vectors.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "common/grading/call.h"
#include "common/grading/findings.h"
#include "common/grading/points.h"
#include "common/grading/shapes.h"

namespace lab::grading {
using Lab99 = GradedTest;

namespace {

// Two random vectors and their sum, which one correct rounding gives: its bound is 0.
struct Addition {
    explicit Addition(std::size_t elements, Random& random)
        : n(elements), a(random.values<float>(n)), b(random.values<float>(n)), c{std::vector<double>(n), std::vector<double>(n)} {
        for (std::size_t i = 0; i < n; ++i) c.value[i] = a[i] + b[i];
    }
    [[nodiscard]] Shape shape() const { return {"c", 1, n, true}; }
    [[nodiscard]] Call call(int threads, Random& random) const {
        Call call("vector_add");
        const int elements = static_cast<int>(n);
        call.integer("n", elements).integer("threads", threads).integer("blocks", (elements + threads - 1) / threads);
        call.input("a", a).input("b", b).output<float>("c", n, random);
        return call;
    }

    std::size_t n;
    std::vector<float> a, b;
    Expected c;
};

std::string shape_of(std::size_t n, int threads) { return fmt::format("n={} in blocks of {}", n, threads); }

TEST_F(Lab99, MatchesReferenceAtAnySize) {
    grade_as({99, Group::correct, 60});
    Random random("sizes");
    Shapes shapes;
    for (const std::size_t n : {1024, 1000, 33, 1}) {
        const Addition addition(n, random);
        for (const int threads : {32, 256}) {
            shapes.attempt(shape_of(n, threads), [&] {
                Call call = addition.call(threads, random);
                return judge_output<float>(call.run(student()), addition.shape(), addition.c, call)
                    .at("vector_add at " + shape_of(n, threads));
            });
        }
    }
    shapes.judge();
}

TEST_F(Lab99, StaysInsideItsArrays) {
    grade_as({99, Group::safe, 20});
    Random random("bounds");
    const Addition addition(1000, random);
    Call call = addition.call(256, random);
    call.integer("blocks", 5);
    const Message verdict = judge_in_any_order<float>(call, addition.shape(), addition.c, FindingKind::out_of_bounds);
    expect(verdict.empty(), verdict.at("vector_add at n=1000, in a grid larger than it has to be"));
}

TEST_F(Lab99, CoalescesItsAccesses) {
    grade_as({99, Group::technique, 20});
    Random random("coalescing");
    const Addition addition(4096, random);
    Call call = addition.call(256, random);
    const Result result = call.run(student());
    const std::string place = "vector_add at " + shape_of(4096, 256);
    const Message wrong = judge_output<float>(result, addition.shape(), addition.c, call);
    if (!wrong.empty()) return fail(wrong.at(place));
    const double sectors = sectors_per_request(result, &Counters::global_load);
    record_measurement(fmt::format("global_load: {:.2f} sectors a request", sectors), "counted");
    expect(sectors <= 4, Message("not coalesced", {fmt::format("a load takes {:.1f} sectors instead of 4", sectors)}).at(place));
}

}  // namespace
}  // namespace lab::grading

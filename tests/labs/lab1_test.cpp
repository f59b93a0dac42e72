// Grades lab 1: matrix product, transpose and matrix-vector product on one CPU thread.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>

#include "common/diagnosis/repair/int_products.h"
#include "common/diagnosis/verdict.h"
#include "common/grading/call.h"
#include "common/grading/findings.h"
#include "common/grading/paired_benchmark.h"
#include "common/grading/points.h"
#include "common/grading/shapes.h"
#include "common/grading/workshop.h"

namespace lab::grading {
using Lab1 = GradedTest;

namespace {

struct Size {
    int rows, inner, cols;
    // Nothing for single rows, columns and terms.
    [[nodiscard]] std::optional<bool> is_square() const {
        return std::min({rows, inner, cols}) < 2 ? std::nullopt : std::optional(rows == inner && inner == cols);
    }
};

template <typename T>
std::string named(const std::string& function, const Size& size) {
    return fmt::format("{}<{}> for M {} x {} and N {} x {}", function, type_name<T>(), size.rows, size.inner, size.inner, size.cols);
}

template <typename T>
struct Product {
    std::vector<T> M, N;
    Expected P;
    Product(const Size& size, Random& random)
        : M(random.values<T>(std::size_t(size.rows) * size.inner)),
          N(random.values<T>(std::size_t(size.inner) * size.cols)),
          P(expect_product(M, N, size.rows, size.inner, size.cols)) {}
};

// A result of a call, or why there is none; explained by earlier calls where they are to blame.
template <typename T>
Message judge_call(const Result& result, const Call& call, const Shape& shape, const Expected& expected) {
    Message wrong =
        result.problem.empty() ? compare(shape, result.output<T>(shape.name), expected, call.poison_of(shape.name)) : result.problem;
    Message verdict = wrong.empty() ? wrong : explained_by_past_calls<T>(call, shape, expected, std::move(wrong));
    learn_from<T>(call, result, expected, verdict);
    return verdict;
}

template <typename T>
Round multiply(Program& program, const std::string& function, const Size& size, const Product<T>& product, Random& random) {
    Call call = Call(function)
                    .integer("rows", size.rows)
                    .integer("inner", size.inner)
                    .integer("cols", size.cols)
                    .input("M", product.M)
                    .input("N", product.N)
                    .template output<T>("P", product.P.value.size(), random);
    const Result result = call.run(program);
    const Shape shape{"P", std::size_t(size.rows), std::size_t(size.cols)};
    return {result.times_ms, judge_call<T>(result, call, shape, product.P).at(named<T>(function, size))};
}

// The first comes twice: a result cached by its size would be outdated.
constexpr std::array<Size, 11> product_sizes{{{16, 16, 16},
                                              {16, 16, 16},
                                              {33, 17, 9},
                                              {9, 64, 31},
                                              {100, 3, 50},
                                              {65, 61, 70},
                                              {4, 4, 4},
                                              {2, 3, 4},
                                              {5, 1, 6},
                                              {1, 7, 1},
                                              {1, 1, 1}}};

template <typename T>
void expect_right_products(const std::string& function) {
    Random random(function + type_name<T>());
    Shapes shapes;
    bool first_right = false;
    for (std::size_t at = 0; at < product_sizes.size(); ++at) {
        const Size size = product_sizes.at(at);
        const bool again = at == 1;
        const auto judge_size = [&] {
            Message problem = multiply<T>(student(), function, size, Product<T>(size, random), random).problem;
            if (again && first_right && !problem.empty()) {
                problem.where.front() += ", second call of this size, with other input";
                problem.evidence.insert(problem.evidence.begin(),
                                        Line("the first call was right: does your code keep something between calls?"));
            }
            first_right = at == 0 && problem.empty();
            return problem;
        };
        shapes.attempt(fmt::format("{} x {} x {}{}", size.rows, size.inner, size.cols, again ? " again" : ""), judge_size,
                       size.is_square());
    }
    shapes.judge();
}

template <typename T>
Message transpose_problem(int rows, int cols, Random& random) {
    const auto in = random.values<T>(std::size_t(rows) * cols);
    Call call = Call("transpose").integer("rows", rows).integer("cols", cols).input("in", in).template output<T>("out", in.size(), random);
    const Result result = call.run(student());
    const std::string place = fmt::format("transpose of {} x {}, {}", rows, cols, type_name<T>());
    const Shape shape{"out", std::size_t(cols), std::size_t(rows)};
    return judge_call<T>(result, call, shape, expect_transpose(in, rows, cols)).at(place);
}

// `x` may change from call to call while A stays.
template <typename T>
Round multiply_vector(Program& program, const std::string& function, const std::vector<T>& A, const std::vector<T>& x, int rows,
                      Random& random, const runner::Timing& timing = {}) {
    const int cols = static_cast<int>(x.size());
    const std::size_t period = A.size() / rows;
    Call call = Call(function)
                    .integer("rows", rows)
                    .integer("cols", cols)
                    .input_repeated("A", A, std::size_t(rows) * cols)
                    .input("x", x)
                    .template output<T>("y", rows, random)
                    .timing(timing)
                    .limit(std::chrono::seconds(rows > 16384 ? 60 : 10));  // billions of elements
    const Result result = call.run(program);
    const std::string place = fmt::format("matvec with A {} x {}, {}", rows, cols, type_name<T>());
    if (!result.problem.empty()) {
        return {{}, result.problem.at(place)};
    }
    const Shape shape{"y", 1, std::size_t(rows)};
    return {result.times_ms, judge_call<T>(result, call, shape, expect_matvec(A, x, rows, cols, period)).at(place)};
}

// Both sides of the fourth are multiples of 16, too, so that a loop's step is not taken for a square's sides.
constexpr std::array<std::pair<int, int>, 9> shapes{
    {{16, 16}, {31, 17}, {17, 31}, {48, 32}, {128, 3}, {65, 130}, {1, 13}, {13, 1}, {1, 1}}};

TEST_F(Lab1, MatmulIjkMatchesReference) {
    grade_as({1, Group::correct, 10});
    expect_right_products<float>("matmul_ijk");
}

TEST_F(Lab1, MatmulIjkMatchesReferenceInDouble) {
    grade_as({1, Group::correct, 5});
    expect_right_products<double>("matmul_ijk");
}

TEST_F(Lab1, MatmulIkjMatchesReference) {
    grade_as({1, Group::correct, 10});
    expect_right_products<float>("matmul_ikj");
}

TEST_F(Lab1, MatmulIkjMatchesReferenceInDouble) {
    grade_as({1, Group::correct, 5});
    expect_right_products<double>("matmul_ikj");
}

TEST_F(Lab1, TransposeMatchesReferenceAtAnyShape) {
    grade_as({1, Group::correct, 15});
    Random random("transpose");
    Shapes tried;
    for (const auto& [rows, cols] : shapes) {
        const int high = rows;
        const int wide = cols;
        const auto is_square = Size{high, high, wide}.is_square();
        tried.attempt(
            fmt::format("{} x {}", high, wide), [&] { return transpose_problem<float>(high, wide, random); }, is_square);
        tried.attempt(
            fmt::format("{} x {} in double", high, wide), [&] { return transpose_problem<double>(high, wide, random); }, is_square);
    }
    tried.judge();
}

// y = A x with A and x drawn afresh.
template <typename T>
Message matvec_problem(int rows, int cols, Random& random) {
    const auto A = random.values<T>(std::size_t(rows) * cols);
    return multiply_vector(student(), "matvec", A, random.values<T>(cols), rows, random).problem;
}

TEST_F(Lab1, MatvecMatchesReferenceAtAnyShape) {
    grade_as({1, Group::correct, 15});
    Random random("matvec");
    Shapes tried;
    for (const auto& [rows, cols] : shapes) {
        const int high = rows;
        const int wide = cols;
        const auto is_square = Size{high, high, wide}.is_square();
        tried.attempt(
            fmt::format("{} x {}", high, wide), [&] { return matvec_problem<float>(high, wide, random); }, is_square);
        tried.attempt(
            fmt::format("{} x {} in double", high, wide), [&] { return matvec_problem<double>(high, wide, random); }, is_square);
    }
    tried.judge();
}

// "M" as in GFLOP/s or GB/s of five or more runs.
std::string rate(const Times& times, double work, const char* unit) {
    return fmt::format("{:.3g} {} (mean of {} runs, spread {:.0f} %)", work / times.mean() * 1e-6, unit, times.all.size(),
                       times.relative_iqr() * 100);
}

// `along`: how the innermost loop has to run.
void judge(const std::string& name, const PairedTimes& outcome, double threshold, double work, const char* unit, const char* along) {
    if (!outcome.problem.empty()) {
        return fail(outcome.problem);
    }
    const std::string text = fmt::format("{} runs {:.2f} times as fast as the other order: {} against {}", name, outcome.ratio(),
                                         rate(outcome.first, work, unit), rate(outcome.second, work, unit));
    record_measurement(text, "measured");
    if (!outcome.is_clear(threshold)) {
        Message busy = Message("this machine is too busy to judge the speed (this is not your mistake): grade again when it is idle",
                               {fmt::format("{}: within the noise of the {} that is asked for", text, threshold)})
                           .at(name);
        busy.kind = Topic::undecided;
        return fail(busy);
    }
    expect(outcome.ratio() >= threshold,
           Message(fmt::format("too slow: {} is {:.2f} times as fast as the loop order that jumps through memory, {} is asked for: does "
                               "its innermost loop run {}?",
                               name, outcome.ratio(), threshold, along),
                   {fmt::format("{} against {}", rate(outcome.first, work, unit), rate(outcome.second, work, unit))})
               .at(name));
}

TEST_F(Lab1, MatmulIkjBeatsIjkAtWidth1024) {
    grade_as({1, Group::fast, 15});
    // A band of the product: 8 of its 1024 rows have the same memory accesses through all of N as each of the others.
    constexpr Size size{8, 1024, 1024};
    Random random("ikj against ijk");
    std::vector<Product<float>> products;
    for (int round = 0; round < 5; ++round) {
        products.emplace_back(size, random);
    }
    const auto side = [&](Program& program, const char* function) {
        return [&, function](int round) { return multiply(program, function, size, products[round % products.size()], random); };
    };
    constexpr double threshold = 1.5;
    const auto outcome = run_paired(side(student(), "matmul_ikj"), side(reference(), "matmul_across"), {.threshold = threshold});
    judge("matmul_ikj", outcome, threshold, 2.0 * size.rows * size.inner * size.cols, "GFLOP/s", "along rows of N and P");
}

TEST_F(Lab1, MatvecWalksMemoryInOrder) {
    grade_as({1, Group::technique, 15});
    constexpr int rows = 4096;
    constexpr int cols = 1024;  // 16 MiB: beyond the caches that are a core's own
    Random random("matvec order");
    const auto A = random.values<float>(std::size_t{rows} * cols);
    const auto side = [&](Program& program, const char* function) {
        return [&, function](int /*round*/) {
            return multiply_vector(program, function, A, random.values<float>(cols), rows, random, {0, 3, 0});
        };
    };
    constexpr double threshold = 2;
    const auto outcome =
        run_paired(side(student(), "matvec"), side(reference(), "matvec_across"), {.threshold = threshold, .rounds = 2, .max_rounds = 5});
    judge("matvec", outcome, threshold, 4.0 * rows * cols, "GB/s", "down columns of A");
}

// More than 2^31 elements, more than 2^33 bytes: 8 columns of 17 pages each repeat. 17 is odd, so that an offset that wrapped around at
// 2^31 or 2^32 reaches other elements than the right ones. The 8 columns fit into a core's own cache. x is zero in most columns, so that
// the error bound is that of a short sum.
TEST_F(Lab1, MatvecReachesElementsBeyond2To31) {
    grade_as({1, Group::safe, 10});
    constexpr int rows = 17 * 1024;
    constexpr int period = 8;
    constexpr int cols = 15662 * period;
    constexpr std::size_t columns_apart = 499;
    static_assert(std::int64_t{rows} * cols > std::int64_t{1} << 31);
    Random random("matvec beyond");
    const auto A = random.values<float>(std::size_t{rows} * period);
    const auto factors = random.values<float>(cols / columns_apart + 1);
    std::vector<float> x(cols);
    for (std::size_t i = 0; i < factors.size(); ++i) {
        x[i * columns_apart] = factors[i];
    }
    Message problem = multiply_vector(student(), "matvec", A, x, rows, random).problem;
    if (!problem.empty() && problem.kind == Topic::none) {
        const auto products = workshop() ? repair::int_products(workshop()->source_text(), "matvec") : std::vector<repair::IntProduct>();
        const std::string size = fmt::format("; A has {} elements: ", std::int64_t{rows} * cols);
        problem.what += size + (products.size() == 1 ? fmt::format("line {} computes {} in 32 bits", products[0].line, products[0].text)
                                                     : "is your index a 64-bit one?");
        problem.about = Section::mistakes;
    }
    expect(problem.empty(), problem);
}

}  // namespace
}  // namespace lab::grading

// Causes that follow from the copies and arguments of host code, and records that prove none.
#include "common/grading/host_calls.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/labs/lab4_host_code.h"

namespace lab::grading {
namespace {

constexpr int elements = 64;
constexpr int bytes = elements * 4;

trace::End host(const char* array, int offset = 0) { return {.array = array, .size = bytes, .offset = offset}; }
// Memory that the code allocates at this line; its number is the line.
trace::End device(std::uint32_t line, int offset = 0) { return {"", true, line, line, bytes, offset}; }
trace::End named(const char* array, int offset = 0) { return {array, true, 0, 1, bytes, offset}; }
trace::Copy copy(std::uint32_t line, const trace::End& to, const trace::End& from, std::uint64_t size = bytes, std::size_t launches = 0) {
    return {"cudaMemcpy", line, line, launches, size, to, from};
}

trace::Argument pointer(const char* array, int offset = 0) { return {.is_pointer = true, .array = array, .offset = offset}; }
trace::Argument number(int value) { return {.number = value}; }

Result called(std::vector<trace::Copy> copies, std::vector<std::vector<trace::Argument>> arguments = {}) {
    Result result;
    result.api.copies = static_cast<std::int64_t>(copies.size());
    result.api.allocations = 3;
    result.copies = std::move(copies);
    result.arguments = std::move(arguments);
    result.launches.resize(1);
    result.launches[0].kernel = "k(float const*, int)";
    return result;
}

// P = M N, all of the same size, by host arrays.
class HostCalls : public testing::Test {
protected:
    HostCalls() {
        Random random("host calls");
        call.input("M", M).input("N", M).output<float>("P", elements, random);
    }
    [[nodiscard]] std::string cause(const Result& result, const std::set<std::string>& unwritten = {}) const {
        return mistake_in_copies(result, call, unwritten).text;
    }
    std::vector<float> M = std::vector<float>(elements, 1.0F);
    Call call = Call("multiply");
};

const trace::Copy in_M = copy(20, device(10), host("M")), in_N = copy(21, device(11), host("N")),
                  out_P = copy(30, host("P"), device(12), bytes, 1);

Finding kernel_finding(FindingKind kind, int line, std::uint64_t size) {
    Finding finding;
    finding.kind = kind;
    finding.stops = kind == FindingKind::out_of_bounds;
    finding.kernel = "k";
    finding.space = MemorySpace::global;
    Location location;
    location.relation = Relation::past_end;
    location.address = static_cast<std::uint64_t>(line) + size;
    location.offset = static_cast<std::int64_t>(size);
    location.object.kind = ObjectKind::allocation;
    location.object.size = size;
    location.object.allocated_at = {"a.cu", static_cast<std::uint32_t>(line), 0};
    finding.locations.push_back(location);
    return finding;
}

TEST_F(HostCalls, RightCopiesProveNothing) {
    EXPECT_EQ(cause(called({in_M, in_N, out_P})), "");
    EXPECT_EQ(cause(called({})), "");
    EXPECT_EQ(cause(called({in_M, in_N, out_P}), {"P"}), "");
}

TEST_F(HostCalls, OtherMemoryOfTheHostMayHoldTheData) {
    EXPECT_NE(cause(called({in_M, copy(21, device(10), host("N")), out_P})), "");
    EXPECT_EQ(cause(called({in_M, copy(21, device(10), host("N")), copy(22, device(11), host(""))})), "");
}

TEST_F(HostCalls, AnInputCopiedOverAnother) {
    EXPECT_EQ(cause(called({in_M, copy(21, device(10), host("N")), out_P})),
              "N is copied at line 21 over M, to the memory allocated at line 10: is its destination the wrong pointer?");
    EXPECT_EQ(cause(called({in_M, copy(21, device(10, bytes), host("N")), out_P})), "");     // behind it
    EXPECT_EQ(cause(called({in_M, copy(21, device(10), host("N"), bytes, 1), out_P})), "");  // after a launch has used M
}

TEST_F(HostCalls, AnInputThatIsNeverCopied) {
    EXPECT_EQ(cause(called({in_M, copy(21, device(11), host("P")), out_P})),
              "P, the result, is copied to the device at line 21, and N never: is its source the wrong array?");
    Result result = called({in_M, out_P});
    EXPECT_EQ(cause(result), "");  // the kernel may reach it in another way
    result.findings.push_back(kernel_finding(FindingKind::uninitialised_read, 11, bytes));
    EXPECT_EQ(cause(result), "N is never copied to the device");
}

TEST_F(HostCalls, AnInputCopiedInPart) {
    EXPECT_EQ(cause(called({in_M, copy(21, device(11), host("N"), elements), out_P})),
              "only 64 of the 256 bytes of N are copied to the device at line 21: is the size in elements?");
    EXPECT_EQ(cause(called({in_M, copy(21, device(11), host("N"), 32), out_P})),
              "only 32 of the 256 bytes of N are copied to the device at line 21");
    const trace::Copy half = copy(21, device(11), host("N"), bytes / 2), rest = copy(22, device(11, 128), host("N", 128), bytes / 2);
    EXPECT_EQ(cause(called({in_M, half, rest, out_P})), "");
}

TEST_F(HostCalls, AResultFromTheWrongMemoryOrNotBroughtBack) {
    EXPECT_EQ(cause(called({in_M, in_N, copy(30, host("P"), device(10), bytes, 1)})),
              "P is copied back at line 30 from the memory allocated at line 10, which M was copied to: is its source the wrong pointer?");
    EXPECT_EQ(cause(called({in_M, in_N, copy(30, host("P"), device(10, bytes), bytes, 1)})), "");  // behind M
    EXPECT_EQ(cause(called({in_M, in_N}), {"P"}), "nothing came into P: no copy brings the kernel's result back to P");
    EXPECT_EQ(cause(called({in_M, in_N})), "");  // the host has written it
    Result mapped = called({in_M, in_N});
    mapped.launches[0].counters.mapped_store.bytes = bytes;
    EXPECT_EQ(cause(mapped, {"P"}),
              "nothing came into P: the kernel stored to mapped memory, and nothing is copied from there to P afterwards");
}

TEST_F(HostCalls, AResultThatNoKernelHasStored) {
    Result result = called({in_M, in_N, copy(30, host("P"), device(12))});
    EXPECT_EQ(cause(result), "");
    result.launches.clear();
    EXPECT_EQ(cause(result),
              "P is copied back at line 30, but no kernel was launched before: is a launch missing, or its grid rounded down to 0 blocks?");
    result.api.failed_calls = 1;  // perhaps the launch
    EXPECT_EQ(cause(result), "");
}

TEST_F(HostCalls, AResultThatIsOverwrittenBeforeItsCopy) {
    const auto filled = [](std::uint32_t line, std::uint32_t of, std::size_t launches) {
        Result result = called({in_M, in_N, out_P});
        result.fills = {{"cudaMemset", line, line, launches, device(of)}};
        return result;
    };
    EXPECT_EQ(cause(filled(25, 12, 1)), "cudaMemset at line 25 overwrites the kernel's result before it is copied to P");
    EXPECT_EQ(cause(filled(25, 12, 0)), "");
    EXPECT_EQ(cause(filled(35, 12, 1)), "");  // after the copy
    EXPECT_EQ(cause(filled(25, 10, 1)), "");  // M
}

TEST_F(HostCalls, AnAllocationThatIsTooSmall) {
    Result result = called({in_M, in_N});
    result.findings.push_back(kernel_finding(FindingKind::out_of_bounds, 10, 32));
    EXPECT_EQ(cause(result), "line 10 allocates 32 bytes for M, whose 64 elements of 4 bytes take 256");
    result.findings[0] = kernel_finding(FindingKind::out_of_bounds, 12, elements);
    EXPECT_EQ(cause(result), "line 12 allocates 64 bytes for P, whose 64 elements of 4 bytes take 256: is the size in elements?");
    result.api.allocations = 4;  // it may be an array of the student's own
    EXPECT_EQ(cause(result), "");
    result.findings[0] = kernel_finding(FindingKind::out_of_bounds, 10, bytes);
    EXPECT_EQ(cause(result), "");
}

TEST_F(HostCalls, TheFormerFirstLineBecomesEvidence) {
    const Message wrong = explained_by_cause(Message("4 of 4 are wrong"), {.text = "the cause", .name = "name"});
    EXPECT_EQ(wrong.what, "the cause");
    EXPECT_EQ(wrong.cause, "name");
    EXPECT_EQ(wrong.evidence.at(0).text, "4 of 4 are wrong");
    EXPECT_EQ(explained_by_cause(Message("4 of 4 are wrong"), {}).what, "4 of 4 are wrong");
    EXPECT_TRUE(explained_by_cause(Message(), {.text = "the cause"}).empty());
}

TEST(WrongArguments, NameWhatIsExchanged) {
    const trace::Argument A = pointer("A"), later = pointer("A", 4);
    const std::vector<AskedArgument> asked{{"A", "A"}, {"n", "", 7}};
    const auto text = [&](const std::vector<trace::Argument>& given) { return wrong_arguments(called({}, {given}), "k", asked).text; };
    EXPECT_EQ(text({A, number(7)}), "");
    EXPECT_EQ(text({A, number(9)}), "k is launched with n = 9 instead of n = 7");
    EXPECT_EQ(text({pointer("B"), number(9)}), "k is launched with A = B, n = 9 instead of A = A, n = 7");
    EXPECT_NE(text({later, number(7)}), "");
    EXPECT_EQ(wrong_arguments(called({}, {{later, number(9)}}), "k", {{"A", any_pointer}, {"n", "", 7}}).text,
              "k is launched with n = 9 instead of n = 7");
    EXPECT_EQ(text({A, number(9), number(9)}), "");  // another kernel
    EXPECT_EQ(wrong_arguments(called({}, {{A, number(9)}}), "other", asked).text, "");
}

// 8 rows of k floats fit.
constexpr MatmulSize bands{20, 3, constant_floats / 8};
constexpr int row = constant_floats / 8 * 4;

trace::Copy band(int first, std::uint64_t rows, std::size_t launches) {
    return copy(40, named("in_constant"), named("A", first * row), rows * row, launches);
}

TEST(Bands, FollowOneAnotherFromTheBeginningOfAToItsEnd) {
    EXPECT_EQ(mistake_in_bands(called({band(0, 8, 0), band(8, 8, 1), band(16, 4, 2)}), bands), "");
    EXPECT_EQ(mistake_in_bands(called({band(0, 8, 0), band(8, 8, 1)}), bands),
              "only 16 of 20 rows of A were ever copied to in_constant, in 2 bands: does the loop over the bands end too early?");
    const trace::End in_constant = named("in_constant");
    EXPECT_EQ(mistake_in_bands(called({band(0, 8, 0), copy(40, in_constant, named("A", 8 * 4), 8 * row, 1)}), bands),
              "band 2 of A, copied to in_constant at line 40, begins at A[8], but row 8 is at A[16384]");
    EXPECT_EQ(mistake_in_bands(called({band(0, 8, 0), copy(40, in_constant, named("A", 9 * 4), 8 * row, 1)}), bands),
              "band 2 of A, copied to in_constant at line 40, begins at A[9], where no row of k = 2048 floats does");
    EXPECT_EQ(mistake_in_bands(called({band(12, 8, 0), band(4, 8, 1), band(0, 4, 2)}), bands), "");  // the last one first
    EXPECT_EQ(mistake_in_bands(called({band(0, 8, 0), band(8, 8, 0)}), bands),
              "band 2 of A, copied to in_constant at line 40, comes before a launch has used the band before it");
    EXPECT_EQ(mistake_in_bands(called({band(0, 8, 1)}), bands),
              "band 1 of A, copied to in_constant at line 40, comes after the launch: the kernel has read what was there before");
    EXPECT_NE(mistake_in_bands(called({copy(40, named("in_constant"), named("A"), row / 4, 0)}), bands).find("is the size in bytes?"),
              std::string::npos);
    EXPECT_EQ(mistake_in_bands(called({copy(40, named("in_constant"), named("B"), row, 0)}), bands),
              "in_constant is filled from B instead of A, at line 40");
}

TEST(Bands, AreTheRowsThatTheKernelIsTold) {
    const auto told = [](int first, int rows) {
        return std::vector<std::vector<trace::Argument>>{
            {pointer("B"), pointer("C", first * 12), number(rows), number(3), number(bands.k)}};
    };
    Result result = called({band(16, 8, 0)}, told(16, 8));
    result.status = 1;
    EXPECT_EQ(mistake_in_bands(result, bands),
              "launch 1 is told 8 rows, but C has 4 from its row 16 on: is the last band as long as the others?");
    result.arguments = told(16, 4);
    EXPECT_EQ(mistake_in_bands(result, bands), "");
    result.arguments = told(8, 4);
    EXPECT_EQ(mistake_in_bands(result, bands), "launch 1 stores C from row 8 on, but in_constant holds A from row 16 on");
}

TEST(Bands, FailToBeCopiedFromElsewhere) {
    Result result = called({band(0, 8, 0)});
    Finding failed;
    failed.kind = FindingKind::wrong_copy_size;
    failed.call = "cudaMemcpyToSymbol";
    failed.places.push_back({PlaceRole::at, {"a.cu", 40, 0}, {}, {}, {}, {}});
    failed.locations.resize(1);
    result.status = 1;
    const auto cause = [&](std::uint64_t offset) {
        failed.locations[0].address = 1 + offset;  // in_constant and A have the block 1
        result.findings = {failed};
        return mistake_in_bands(result, bands);
    };
    EXPECT_EQ(cause(8 * row), "");
    EXPECT_EQ(cause(8 * row * 4),
              "band 2 of A, copied to in_constant at line 40, begins at A[65536], but row 8 is at A[16384]: is a "
              "pointer's distance in bytes?");
    EXPECT_EQ(cause(9 * row), "band 2 of A, copied to in_constant at line 40, begins at A[18432], but row 8 is at A[16384]");
    failed.locations[0].object.kind = ObjectKind::constant_variable;
    EXPECT_EQ(cause(9 * row), "");
}

TEST(Bands, WithoutRowsGiveAGridWithoutBlocks) {
    Result result = called({});
    Finding failed;
    failed.grid = Index{2, 0, 1};
    result.findings.push_back(failed);
    EXPECT_EQ(mistake_in_bands(result, bands),
              "a grid without blocks, (2, 0), and nothing copied to in_constant: is a band 0 rows long, or constant_floats taken for "
              "bytes? 8 rows of k = 2048 fit");
    result.findings[0].grid = Index{2, 70'000, 1};
    EXPECT_EQ(mistake_in_bands(result, bands), "");
}

TEST(ConstantVector, IsCopiedWholeAndBeforeTheLaunch) {
    constexpr MatvecSize size{5, elements};
    const auto cause = [&](const trace::Copy& only) { return mistake_in_constant_vector(called({only}), size); };
    const trace::End to = named("in_constant");
    EXPECT_EQ(cause(copy(9, to, named("x"))), "");
    EXPECT_EQ(cause(copy(9, to, named("A"))), "in_constant is filled from A instead of x, at line 9");
    EXPECT_EQ(cause(copy(9, to, named("x"), bytes, 1)),
              "x is copied to in_constant at line 9, after the launch: the kernel has read what was there before");
    EXPECT_EQ(cause(copy(9, to, named("x"), elements)),
              "only 64 of x's 256 bytes are copied to in_constant, at line 9: is the size in elements?");
    EXPECT_EQ(cause(copy(9, named("in_constant", 4), named("x"), bytes - 4)),
              "x is copied from its byte 0 to byte 4 of in_constant, at line 9, instead of from 0 to 0");
}

TEST(SharedBytes, LackATileOrAreElements) {
    constexpr MatvecSize size{64, 64, 16};
    const auto cause = [&](std::uint32_t asked) {
        Result result = called({});
        result.launches[0].dynamic_shared_bytes = asked;
        Finding beyond;
        beyond.kind = FindingKind::out_of_bounds;
        beyond.space = MemorySpace::shared;
        result.findings.push_back(beyond);
        return too_few_shared_bytes(result, size);
    };
    EXPECT_EQ(cause(1024), "1024 bytes of dynamic shared memory, both tiles take (16 * 16 + 16) * 4 = 1088: x's tile is left out");
    EXPECT_EQ(cause(272), "272 bytes of dynamic shared memory, both tiles take (16 * 16 + 16) * 4 = 1088: is the size in elements?");
    EXPECT_EQ(cause(512), "512 bytes of dynamic shared memory, both tiles take (16 * 16 + 16) * 4 = 1088");
    EXPECT_EQ(cause(1088), "");
}

TEST(WrongBlock, IsNamed) {
    const auto cause = [](std::uint32_t x, std::uint32_t y) {
        Result result = called({});
        result.launches[0].grid = {2, 1, 1};
        result.launches[0].block = {x, y, 1};
        return wrong_block(result, "f", {20, 20, 16});
    };
    EXPECT_EQ(cause(16, 16), "");
    EXPECT_EQ(cause(16, 1), "f is launched in blocks of 16 x 1 threads instead of 16 x 16");
    EXPECT_EQ(cause(8, 16), "f is launched in blocks of 8 x 16 threads instead of 16 x 16");
}

TEST(GridOfColumns, IsNotTheGridThatRowsTake) {
    const auto cause = [](std::uint32_t blocks, const MatvecSize& size) {
        Result result = called({});
        result.launches[0].grid = {blocks, 1, 1};
        result.launches[0].block = {16, 16, 1};
        Message wrong("rows are missing");
        wrong.topics.insert(Topic::unwritten_elements);
        return grid_of_columns(wrong, result, size);
    };
    EXPECT_EQ(cause(2, {48, 20, 16}), "the grid has 2 blocks of 16, as many as cols = 20 take, but rows = 48 take 3");
    EXPECT_EQ(cause(1, {48, 20, 16}), "");
    EXPECT_EQ(cause(2, {40, 20, 16}), "");  // rounded down
    EXPECT_EQ(cause(3, {48, 48, 16}), "");
}

}  // namespace
}  // namespace lab::grading

#include "common/tools/cuda_source.h"

#include <gtest/gtest.h>

namespace lab::tools {
namespace {

TEST(CudaSource, CommentsBecomeBlanksAndLiteralsStay) {
    EXPECT_EQ(without_comments("a; // b\nc /* d\n e */ f;"), "a;     \nc     \n      f;");
    EXPECT_EQ(without_comments("s = \"//\\\"/*\"; // x"), "s = \"//\\\"/*\";     ");
    EXPECT_EQ(without_comments("c = '\"'; n = 1'000; // x"), "c = '\"'; n = 1'000;     ");
}

TEST(CudaSource, CodeOfALineHasNoCommentAndSingleBlanks) {
    EXPECT_EQ(code_lines("  a  =\tb; // c\n\n// d\n"), (std::vector<std::string>{"a = b;", "", ""}));
}

constexpr const char* file = R"(// a file
#define BRACE {
namespace here {
template <int N, typename T = float>
__global__ void __launch_bounds__(N * N) kernel(const T* in) {
    if (N > 1) {
        return;
    }
}
struct Tile {
    __device__ float operator()(int i) const { return x[i]; }
    __host__ __device__ int both() { return 1; }
    float x[4] = {1, 2, 3, 4};
};
int table[] = {1, 2};
}
static int host(int n) { return n; }
)";

TEST(CudaSource, DefinitionsHaveNamesLinesAndASide) {
    const auto found = definitions_in(file);
    ASSERT_EQ(found.size(), 5U);
    EXPECT_EQ(found[0].name, "kernel");
    EXPECT_EQ(found[0].first_line, 3U);
    EXPECT_EQ(found[0].last_line, 8U);
    EXPECT_TRUE(found[0].is_device_code);
    EXPECT_EQ(found[1].name, "Tile");
    EXPECT_EQ(found[1].last_line, 13U);
    EXPECT_FALSE(found[1].is_device_code);
    EXPECT_EQ(found[2].name, "operator()");
    EXPECT_TRUE(found[2].is_device_code);
    EXPECT_EQ(found[3].name, "both");
    EXPECT_FALSE(found[3].is_device_code) << "the host may run it, too";
    EXPECT_EQ(found[4].name, "host");
    EXPECT_EQ(found[4].first_line, 16U);
}

// Whether the host pass gives the same result for the file with `before` replaced by `after`.
bool keeps_host_code(const std::string& before, const std::string& after) {
    std::string changed = file;
    const std::size_t at = changed.find(before);
    EXPECT_NE(at, std::string::npos) << before;
    return same_host_code(file, changed.replace(at, before.size(), after));
}

TEST(CudaSource, BodiesOfDeviceFunctionsAreNoHostCode) {
    EXPECT_TRUE(keeps_host_code("N > 1", "N > 2"));
    EXPECT_TRUE(keeps_host_code("return x[i];", "return x[i + 1];"));
    EXPECT_TRUE(keeps_host_code("// a file", "// another\n"));
}

TEST(CudaSource, EverythingElseIsHostCode) {
    EXPECT_FALSE(keeps_host_code("const T* in", "const T* out"));
    EXPECT_FALSE(keeps_host_code("N * N", "N"));
    EXPECT_FALSE(keeps_host_code("#define BRACE {", "#define BRACE }"));
    EXPECT_FALSE(keeps_host_code("return 1;", "return 2;")) << "__host__ __device__";
    EXPECT_FALSE(keeps_host_code("{1, 2}", "{1, 3}"));
    EXPECT_FALSE(keeps_host_code("return n;", "return n + 1;"));
}

}  // namespace
}  // namespace lab::tools

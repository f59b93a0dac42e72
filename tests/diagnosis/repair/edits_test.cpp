// Each row of the table of edits makes a right kernel of a wrong one.
#include "common/diagnosis/repair/edits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/mutants/machine/kinds.h"

namespace lab::repair {
namespace {

std::string without_blanks(std::string text) {
    text.erase(std::remove_if(text.begin(), text.end(), [](unsigned char c) { return std::isspace(c) != 0; }), text.end());
    return text;
}

std::string kernel(const std::string& body) {
    return "constexpr int SIDE = 8;\n__global__ void f(const float* in, const float* other, float* out, int rows, int cols) {\n"
           "    __shared__ float tile[8][8];\n    const int row = blockIdx.y * 8 + threadIdx.y;\n    const int col = blockIdx.x * 8 + "
           "threadIdx.x;\n" +
           body + "}\n";
}

std::vector<Edit> edits_in(const std::string& source) {
    const auto functions = functions_in(source);
    return functions.empty() ? std::vector<Edit>() : edits_of(Subject(source, *functions.front()));
}

std::string host_function(const std::string& body) {
    return "int copy(const float* in, float* out, int rows, int cols) {\n    float* a;\n    float* b;\n    cudaError_t error;\n    int "
           "last;\n" +
           body + "}\n";
}

struct Case {
    const char* kind;
    const char* wrong;  // the statement, on line 6
    const char* right;
};

const std::vector<Case>& cases() {
    static const std::vector<Case> all{
        {"index pair exchanged", "tile[threadIdx.x][threadIdx.y] = 1;", "tile[threadIdx.y][threadIdx.x] = 1;"},
        {"index pair exchanged", "out[col * cols + row] = 1;", "out[row * cols + col] = 1;"},
        {"index pair exchanged", "const int at = col * cols + row;", "const int at = row * cols + col;"},
        {"index pair exchanged", "if (row < cols && col < rows) out[row] = 1;", "if (row < rows && col < cols) out[row] = 1;"},
        {"x for y", "out[threadIdx.y] = 1;", "out[threadIdx.x] = 1;"},
        {"x and y exchanged throughout", "out[threadIdx.y * 8 + blockIdx.y] = 1;", "out[threadIdx.x * 8 + blockIdx.x] = 1;"},
        {"wrong array", "out[row] = in[row];", "out[row] = other[row];"},
        {"wrong size", "out[row * rows + col] = 1;", "out[row * cols + col] = 1;"},
        {"wrong size", "out[row * 16 + col] = 1;", "out[row * SIDE + col] = 1;"},
        {"factor missing", "const float* m = in; m += cols;", "const float* m = in; m += cols * SIDE;"},
        {"guard dropped", "const int at = min(row, rows - 1); out[at] = 1;", "const int at = row; if (at > rows - 1) return; out[at] = 1;"},
        {"guard dropped", "for (int k = 0; k < cols; k += 8) { out[k] = in[k + 8]; }",
         "for (int k = 0; k < cols; k += 8) { if (k + 8 < cols) out[k] = in[k + 8]; }"},
        {"operator exchanged", "const int at = row & (cols - 1); out[at & (rows - 1)] = 1;",
         "const int at = row % cols; out[at % rows] = 1;"},
        {"wrong size", "const int at = blockIdx.x * blockIdx.x;", "const int at = blockIdx.x * blockDim.x;"},
        {"round-up dropped", "const int n = (cols - 1) / SIDE;", "const int n = (cols - 1) / SIDE + 1;"},
        {"guard dropped", "int at = row; if (at >= rows) at = rows - 1; out[at] = 1;",
         "int at = row; if (at >= rows) return; out[at] = 1;"},
        {"index pair exchanged", "out[row] = in[col];", "out[col] = in[row];"},
        {"index pair exchanged", "out[AT(col, row, cols)] = in[AT(col, row, rows)];", "out[AT(row, col, cols)] = in[AT(row, col, rows)];"},
        {"loop shared out", "for (int k = threadIdx.x; k < cols; k += blockDim.x) out[k] = 1;",
         "for (int k = 0; k < cols; ++k) out[k] = 1;"},
        {"half left out", "for (int i = 0; i < rows; ++i) for (int k = i; k < rows; ++k) { out[k] = 1; out[i] = 1; }",
         "for (int i = 0; i < rows; ++i) for (int k = 0; k < rows; ++k) { out[k] = 1; ; }"},
        {"half left out", "for (int i = 0; i < rows; ++i) for (int k = 0; k < i; ++k) { out[k] = 1; out[i] = 1; }",
         "for (int i = 0; i < rows; ++i) for (int k = 0; k < cols; ++k) { out[k] = 1; ; }"},
        {"half left out", "if (row <= col && row < rows) { out[row] = 1; out[col] = 1; }", "if (row < rows) { out[row] = 1; ; }"},
        {"half left out", "if (row < rows && col > row) { out[row] = 1; out[col] = 1; }", "if (row < rows) { ; out[col] = 1; }"},
        {"half left out", "if (col > row) { out[row] = 1; out[col] = 1; }", "if (true) { out[row] = 1; ; }"},
        {"sum not reset", "float sum = 0; for (int k = 0; k < cols; ++k) out[k] = sum += in[k];",
         "; for (int k = 0; k < cols; ++k) { float sum = 0; out[k] = sum += in[k]; }"},
        {"statement moved", "for (int k = 0; k < cols; ++k) out[row] = in[k]; row += 1;",
         "for (int k = 0; k < cols; ++k) { out[row] = in[k]; row += 1; } ;"},
        {"statement moved", "row = 0; for (int k = 0; k < cols; ++k) out[row] += in[k];",
         "; for (int k = 0; k < cols; ++k) { row = 0; out[row] += in[k]; }"},
        {"statement moved", "for (int k = 0; k < cols; ++k) { row += in[k]; out[k] = row; }",
         "for (int k = 0; k < cols; ++k) { row += in[k]; ; } out[k] = row;"},
        {"sum not reset", "const float* at = in; for (int k = 0; k < cols; ++k) out[k] = *at++;",
         "; for (int k = 0; k < cols; ++k) { const float* at = in; out[k] = *at++; }"},
        {"wrong type", "auto sum = 0; sum += in[0]; out[0] = sum;", "float sum = 0; sum += in[0]; out[0] = sum;"},
        {"term missing", "for (int k = 0; k < cols; k += 8) for (int i = 0; i < 8; ++i) out[k] += in[i];",
         "for (int k = 0; k < cols; k += 8) for (int i = 0; i < 8; ++i) out[k] += in[i + k];"},
        {"array too short", "float more[SIDE];", "float more[SIDE * SIDE];"},
        {"array too short", "float more[SIDE * SIDE];", "float more[SIDE * (SIDE + 1)];"},
        {"wrong variable", "float a = in[0]; float b = in[1]; out[0] = a;", "float a = in[0]; float b = in[1]; out[0] = b;"},
        {"wrong index", "out[row * cols + row] = 1;", "out[row * cols + col] = 1;"},
        {"wrong index", "for (int k = 0; row < cols; ++k) out[k] = 1;", "for (int k = 0; k < cols; ++k) out[k] = 1;"},
        {"term missing", "out[row * cols] = 1;", "out[row * cols + col] = 1;"},
        {"factor missing", "out[row + col] = 1;", "out[row * cols + col] = 1;"},
        {"comparison off by one", "if (row <= rows) out[row] = 1;", "if (row < rows) out[row] = 1;"},
        {"and made or", "if (row < rows || col < cols) out[row] = 1;", "if (row < rows && col < cols) out[row] = 1;"},
        {"constant off by one", "for (int k = 1; k < cols; ++k) out[k] = 1;", "for (int k = 0; k < cols; ++k) out[k] = 1;"},
        {"bound off by one", "for (int k = 0; k < cols; ++k) out[k] = 1;", "for (int k = 0; k < cols - 1; ++k) out[k] = 1;"},
        {"sign changed", "out[row * cols - col] = 1;", "out[row * cols + col] = 1;"},
        {"sum not kept", "out[row] = in[row];", "out[row] += in[row];"},
        {"sum instead of a store", "out[row] += in[row];", "out[row] = in[row];"},
        {"arguments exchanged", "const dim3 grid(rows, cols);", "const dim3 grid(cols, rows);"},
        {"step in excess", "const int n = cols / SIDE + 1;", "const int n = ((cols + SIDE - 1) / SIDE);"},
        {"round-up dropped", "const int n = cols / SIDE;", "const int n = ((cols + SIDE - 1) / SIDE);"},
        {"round-up dropped", "const int n = cols / 4, m = rows / SIDE;",
         "const int n = ((cols + 4 - 1) / 4), m = ((rows + SIDE - 1) / SIDE);"},
        {"wrong size", "const int side = blockDim.x; for (int k = 0; k < cols; ++k) out[k] = 1;",
         "const int side = blockDim.x; for (int k = 0; k < side; ++k) out[k] = 1;"},
        {"wrong size", "const int y = blockIdx.y * 16 + threadIdx.y, x = blockIdx.x * 16 + threadIdx.x;",
         "const int y = blockIdx.y * blockDim.y + threadIdx.y, x = blockIdx.x * blockDim.x + threadIdx.x;"},
        {"factor missing", "const int y = blockIdx.y * blockDim.y; for (int i = 0; i < 4; ++i) out[y + i] = 1;",
         "const int y = blockIdx.y * 4 * blockDim.y; for (int i = 0; i < 4; ++i) out[y + i] = 1;"},
        {"factor missing", "const int pitch = SIDE + 1; out[2 * pitch] = 1;", "const int pitch = SIDE * 2 + 1; out[2 * pitch] = 1;"},
        {"factor missing", "for (int t = 0; t < cols / SIDE; ++t) { out[t + col] = in[row + t]; }",
         "for (int t = 0; t < cols / SIDE; ++t) { out[(t * SIDE) + col] = in[row + (t * SIDE)]; }"},
        {"term missing", "for (int i = 0; i < cols; ++i) { tile[0][row] = in[row + i]; }",
         "for (int i = 0; i < cols; ++i) { tile[0][row + i] = in[row + i]; }"},
        {"term missing", "const int y = threadIdx.y;", "const int y = (blockIdx.y * blockDim.y + threadIdx.y);"},
        {"term missing", "out[threadIdx.x] = 1;", "out[(blockIdx.x * blockDim.x + threadIdx.x)] = 1;"},
        {"difference below 0", "const int x = (row - col) % SIDE;", "const int x = (row + SIDE - col % SIDE) % SIDE;"},
        {"remainder dropped", "const int x = row + col;", "const int x = (row + col) % gridDim.x;"},
        {"arguments exchanged", "out[row] = g(col, row);", "out[row] = g(row, col);"},
        {"arguments exchanged", "out[row] = fmaf(col, rows, row);", "out[row] = fmaf(row, rows, col);"},
        {"wrong start", "for (int k = row * SIDE; k < cols; ++k) out[k] = 1;", "for (int k = 0; k < cols; ++k) out[k] = 1;"},
        {"wrong type", "for (size_t k = rows - 1; k >= 0; --k) out[k] = 1;", "for (int k = rows - 1; k >= 0; --k) out[k] = 1;"},
        {"bracket moved", "out[row] = in[row * cols] + col;", "out[row] = in[row * cols + col];"},
        {"parentheses in excess", "const int x = (row * SIDE + col) * 4;", "const int x = (row * SIDE) * 4 + col;"},
        {"parentheses in excess", "const int x = 4 * (row * SIDE + col);", "const int x = row * SIDE + col * 4;"},
        {"wrong type", "int sum = 0; sum += in[row]; out[row] = sum;", "float sum = 0; sum += in[row]; out[row] = sum;"},
        {"parentheses dropped", "out[row + cols - 1 / SIDE] = 1;", "out[(row + cols - 1) / SIDE] = 1;"},
        {"parentheses dropped", "out[row * 8 + cols] = 1;", "out[row * (8 + cols)] = 1;"},
        {"comparison exchanged", "if (row > rows) out[row] = 1;", "if (row < rows) out[row] = 1;"},
        {"operator exchanged", "out[row] = in[row] + other[row];", "out[row] = in[row] * other[row];"},
        {"term in excess", "out[row * cols + col + rows] = 1;", "out[row * cols + col] = 1;"},
        {"wrong index", "for (int i = 0; i < 4; ++i) out[row + i] = tile[0][col];",
         "for (int i = 0; i < 4; ++i) out[row + i] = tile[i][col];"},
        {"term in excess", "out[row] = in[row * SIDE + col];", "out[row] = in[row + col];"},
        {"term in excess", "const int side = blockDim.x * blockDim.y;", "const int side = blockDim.x;"},
        {"wrong step", "for (int k = 0; k < cols; ++k) out[k] = 1;", "for (int k = 0; k < cols; k += SIDE) out[k] = 1;"},
        {"barrier dropped", "out[row] = tile[0][0];", "__syncthreads(); out[row] = tile[0][0];"},
        {"value not initialised", "float sum; out[row] = sum;", "float sum = 0; out[row] = sum;"},
        {"guard dropped", "out[row * cols + col] = 1;", "if (row < rows && col < cols) out[row * cols + col] = 1;"},
        {"guard dropped", "tile[0][0] = in[row];", "tile[0][0] = (row < rows ? in[row] : 0);"},
        {"guard dropped", "out[row] = 1;", "if (threadIdx.y == 0) out[row] = 1;"},
        {"part of a guard dropped", "if (row < rows) out[row] = 1;", "if ((row < rows) && col < cols) out[row] = 1;"},
        {"part of a guard dropped", "for (int k = row; k < row + 8; ++k) out[k] = 1;",
         "for (int k = row; (k < row + 8) && k < cols; ++k) out[k] = 1;"},
        {"loop made a condition", "const int j = threadIdx.y; if (j < SIDE) out[j] = 1;",
         "const int j = threadIdx.y; for (int j = threadIdx.y; j < SIDE; j += blockDim.y) out[j] = 1;"},
        {"shared memory made local", "float sums[8]; out[row] = sums[0];", "__shared__ float sums[8]; out[row] = sums[0];"},
        {"index pair exchanged", "__shared__ float t[8][8]; t[row][col] = 1; out[0] = t[row][0];",
         "__shared__ float t[8][8]; t[col][row] = 1; out[0] = t[0][row];"},
        {"padding dropped", "__shared__ float tile[SIDE][32]; out[row] = tile[0][row];",
         "__shared__ float tile[SIDE][32 + 1]; out[row] = tile[0][row];"},
        {"arrays at one address", "extern __shared__ float a[]; extern __shared__ float b[]; b[0] = 1;",
         "extern __shared__ float a[]; auto* b = a + blockDim.x * blockDim.x; b[0] = 1;"},
        {"local variable made shared", "__shared__ float sum; sum += in[row];", "float sum = 0; sum += in[row];"},
        {"loops merged", "for (int i = 0; i < 8; ++i) { const int j = i; tile[j][0] = 1; __syncthreads(); out[j] = tile[0][j]; }",
         "for (int i = 0; i < 8; ++i) { const int j = i; tile[j][0] = 1; } __syncthreads(); for (int i = 0; i < 8; ++i) { const int j = i; "
         "out[j] = tile[0][j]; }"},
        {"guard in excess", "if (row < rows) out[row] = 1;", "if (true) out[row] = 1;"},
        {"barrier in excess", "if (row < rows) { __syncthreads(); }", "if (row < rows) { ; }"},
        {"sum not reset", "float sum = 0; for (int k = 0; k < 8; ++k) sum = in[k] + sum;",
         "float sum = 0; sum = 0; for (int k = 0; k < 8; ++k) sum = in[k] + sum;"},
        {"last step dropped", "for (int i = 0; i + 8 <= rows; i += 8) { for (int k = i; k < i + 8; ++k) out[k] = 1; }",
         "for (int i = 0; i < rows; i += 8) { for (int k = i; k < i + 8 && k < rows; ++k) out[k] = 1; }"},
        {"sum not reset", "float sum = 0; for (int k = 0; k < 8; ++k) sum += in[k];",
         "float sum = 0; sum = 0; for (int k = 0; k < 8; ++k) sum += in[k];"},
        {"statement in excess", "out[row] = 1;", ";"},
        {"barrier moved", "__syncthreads(); out[row] = 1; out[col] = 2;", "; out[row] = 1; __syncthreads(); out[col] = 2;"},
    };
    return all;
}

const std::vector<Case>& cases_of_host() {
    static const std::vector<Case> all{
        {"wrong size", "size_t n = rows, m = cols; cudaMalloc(&a, m);", "size_t n = rows, m = cols; cudaMalloc(&a, n);"},
        {"wrong size", "std::memset(out, 0, cols);", "std::memset(out, 0, cols * sizeof(*(out)));"},
        {"wrong array", "error = cudaMemcpy(a, in, cols, kind);", "error = cudaMemcpy(b, in, cols, kind);"},
        {"wrong array", "error = cudaMalloc(&a, cols);", "error = cudaMalloc(&b, cols);"},
        {"grid of one side", "const dim3 grid(rows / block.x);", "const dim3 grid(rows / block.x, rows / block.y);"},
        {"wrong array", "f<<<dim3(rows, cols), 32>>>(a, a, rows);", "f<<<dim3(rows, cols), 32>>>(a, b, rows);"},
        {"arguments exchanged", "f<16><<<dim3(rows, cols), 32>>>(a);", "f<16><<<dim3(cols, rows), 32>>>(a);"},
        {"copy direction exchanged", "cudaMemcpy(a, in, 4, cudaMemcpyDeviceToHost);", "cudaMemcpy(a, in, 4, cudaMemcpyHostToDevice);"},
        {"wrong size", "cudaMalloc(&a, cols * sizeof(float));", "cudaMalloc(&a, size_t(rows) * cols * sizeof(float));"},
        {"wrong size", "cudaMalloc(&a, rows * cols);", "cudaMalloc(&a, (rows * cols) * sizeof(float));"},
        {"wrong size", "cudaMalloc(&a, sizeof(in));", "cudaMalloc(&a, (sizeof(float) * rows * cols));"},
        {"offset in bytes", "const float* b = in + cols;", "const float* b = in + cols / sizeof(float);"},
        {"wrong size", "const size_t bytes = cols; cudaMalloc(&a, bytes);",
         "const size_t bytes = cols * sizeof(float); cudaMalloc(&a, bytes);"},
        {"index pair exchanged", "out[rows * cols + last] = in[rows * last + rows];", "out[rows * cols + last] = in[rows * rows + last];"},
    };
    return all;
}

TEST(Edits, MakeTheRightTextOfEachKindsMistake) {
    std::set<std::string> shown;
    std::vector<std::pair<Case, bool>> all;
    for (const Case& one : cases()) all.emplace_back(one, true);
    for (const Case& one : cases_of_host()) all.emplace_back(one, false);
    for (const auto& each : all) {
        const Case& one = each.first;
        const auto whole = [is_kernel = each.second](const char* statement) {
            const std::string body = std::string("    ") + statement + "\n";
            return is_kernel ? kernel(body) : host_function(body);
        };
        const std::string source = whole(one.wrong), wanted = without_blanks(whole(one.right));
        const std::vector<Edit> edits = edits_in(source);
        const auto found = std::find_if(edits.begin(), edits.end(), [&](const Edit& edit) {
            return edit.kind == one.kind && without_blanks(edited(source, edit)) == wanted;
        });
        ASSERT_NE(found, edits.end()) << one.kind << ": " << one.wrong << " to " << one.right;
        EXPECT_EQ(found->line, 6U) << one.kind;
        EXPECT_EQ(found->phrase.find("{}"), std::string::npos) << found->phrase;
        shown.insert(one.kind);
    }
    for (const EditKind& kind : edit_kinds()) EXPECT_EQ(shown.count(kind.name), 1U) << kind.name << " is shown by no case";
}

TEST(Edits, PutWhatAMacroStandsForInParentheses) {
    const std::string head =
        "#define PITCH 8 + 1\n#define AT(row, col) row * PITCH + col\n#define CHECK(call) \\\n    do {   \\\n        call; \\\n    } "
        "while (0)\n__global__ void f(float* out, int n) {\n";
    const std::vector<std::pair<std::string, std::string>> all{{"float more[2 * PITCH];\n}\n", "float more[2 * (PITCH)];\n}\n"},
                                                               {"out[AT(n + 1, 2)] = 1;\n}\n", "out[(AT((n + 1), (2)))] = 1;\n}\n"}};
    for (const auto& [wrong, right] : all) {
        const std::string source = head + wrong, wanted = without_blanks(head + right);
        const auto is_it = [&](const Edit& edit) {
            return edit.kind == "parentheses dropped" && edit.line == 8 && without_blanks(edited(source, edit)) == wanted;
        };
        EXPECT_TRUE(std::ranges::any_of(edits_in(source), is_it)) << wrong;
    }
}

TEST(Edits, HaveTheNamesOfTheMutantsThatTheyUndo) {
    // Kinds of machine-made mutants that no edit undoes: what can't be made up.
    const std::set<std::string> others{"error check dropped", "free dropped", "statement dropped", "cast dropped"};
    std::set<std::string> names;
    for (const EditKind& kind : edit_kinds()) names.insert(kind.name);
    for (const mutants::Rule& rule : mutants::all_rules()) EXPECT_EQ(names.count(rule.kind) + others.count(rule.kind), 1U) << rule.kind;
}

TEST(Edits, OfTheHostAddNothingThatOnlyKernelsHave) {
    for (const Edit& edit : edits_in(host_function("    out[last] = in[rows];\n    error = cudaGetLastError();\n"))) {
        for (const Replacement& one : edit.replacements) {
            EXPECT_EQ(one.text.find("Idx"), std::string::npos) << one.text;
            EXPECT_EQ(one.text.find("__syncthreads"), std::string::npos) << one.text;
        }
    }
}

TEST(Edits, DeriveAGuardOfAllAccessesFromTheStore) {
    const std::string head =
        "__global__ void f(const float* in, float* out, int W) {\n    const int row = threadIdx.y, col = threadIdx.x;\n    ";
    const std::string body = "float sum = in[row * W];\n    out[row * W + col] = sum;\n}\n";
    const std::string wanted = without_blanks(head + "if (!(row < W && col < W)) return; " + body);
    const std::vector<Edit> edits = edits_in(head + body);
    const auto is_it = [&](const Edit& edit) {
        return edit.kind == "guard dropped" && without_blanks(edited(head + body, edit)) == wanted;
    };
    const auto found = std::find_if(edits.begin(), edits.end(), is_it);
    ASSERT_NE(found, edits.end());
    EXPECT_EQ(found->line, 3U);
}

TEST(Edits, DifferFromEachOtherAndFromTheOriginal) {
    const std::string source = kernel("    if (row < rows && col < cols) out[row * cols + col] = in[col * rows + row];\n");
    std::set<std::string> texts{without_blanks(source)};
    const std::vector<Edit> edits = edits_in(source);
    EXPECT_GT(edits.size(), 150U);
    for (const Edit& edit : edits)
        EXPECT_TRUE(texts.insert(without_blanks(edited(source, edit))).second) << edit.kind << ": " << edit.phrase;
    EXPECT_TRUE(std::is_sorted(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) { return a.stage < b.stage; }));
}

TEST(Edits, ChangeNothingInsideOfWhatIsUnread) {
    const std::string source = "__global__ void f(float* out, int n) {\n    const auto g = [&](int k) { out[n + 1] = k - 1; };\n}\n";
    for (const Edit& edit : edits_in(source)) {
        EXPECT_NE(edited(source, edit).find("const auto g = [&](int k) { out[n + 1] = k - 1; };"), std::string::npos) << edit.phrase;
    }
}

}  // namespace
}  // namespace lab::repair

#include "common/tools/studies/published_times.h"

namespace lab::tools {
namespace {

constexpr const char* paper =
    "Ruetsch and Micikevicius, Optimizing Matrix Transpose in CUDA; M2090 and K20X: its later edition in cuda-samples";
constexpr const char* book = "Cheng, Grossman, McKercher, Professional CUDA C Programming, chapter 4";
constexpr const char* text_000 = "source text 000 of the labs, with allocation and copies";

constexpr double two_matrices = 2.0 * sizeof(float) * 2048 * 2048;  // read and written

FidelityTable transposes(const char* device, const std::vector<FidelityRow>& rows) {
    return {device, "transposes", "transposes of 2048 x 2048 floats, 32 x 8 threads", paper, two_matrices, rows};
}

}  // namespace

std::vector<FidelityTable> published_tables() {
    return {
        transposes("gtx280", {{"copy", 96.9, true, {}},
                              {"copy through shared memory", 80.9, true, {}},
                              {"naive", 2.2, false, {}},
                              {"coalesced", 16.5, false, {}},
                              {"conflict-free", 16.6, false, {}},
                              {"fine-grained", 80.4, false, {}},
                              {"coarse-grained", 16.7, true, {}},
                              {"diagonal", 69.5, false, {}}}),
        transposes("m2090", {{"copy", 125.2, true, {}},
                             {"copy through shared memory", 110.6, false, {}},
                             {"naive", 61.5, true, {}},
                             {"coalesced", 92.8, false, {}},
                             {"conflict-free", 103.2, false, {}},
                             {"fine-grained", 105.8, false, {}},
                             {"coarse-grained", 107.2, false, {}},
                             {"diagonal", 81.4, true, {}}}),
        transposes("k20x", {{"copy", 147.6, true, {}},
                            {"copy through shared memory", 130.5, false, {}},
                            {"naive", 92.0, true, {}},
                            {"coalesced", 114.0, false, {}},
                            {"conflict-free", 112.6, false, {}},
                            {"fine-grained", 115.0, false, {}},
                            {"coarse-grained", 123.5, false, {}},
                            {"diagonal", 106.7, false, {}}}),
        {"m2090",
         "copies",
         "copies of 2048 x 2048 floats, 16 x 16 threads",
         book,
         two_matrices,
         {{"copy_row", 125.67, false, {}}, {"copy_col", 58.76, false, {}}}},
        {"c2075",
         "products",
         "products of 1024 x 1024 floats, from the host's matrices to the host's result",
         text_000,
         0,
         {{"global", 52.46, false, {}}, {"shared", 24.34, true, {}}}},
    };
}

}  // namespace lab::tools

#include "handouts/figures/source/measured.h"

namespace lab::report {

double CopyFit::rate(double bytes) const { return bytes / (alpha_us * 1e3 + bytes / gb_per_s); }

const std::vector<CopyFit>& copies_of_h200() {
    static const std::vector<CopyFit> all{
        {"within the device", 5.1, 2416}, {"host to device, pinned", 8.2, 55.6}, {"host to device, pageable", 8.2, 16.2}};
    return all;
}

const std::vector<BoundRow>& transpose_bounds() {
    constexpr double m2090 = 177.6;
    constexpr double h200 = 4814;
    static const std::vector<BoundRow> all{{"copy_row", "Tesla M2090", 125.67, m2090}, {"copy_col", "Tesla M2090", 58.76, m2090},
                                           {"copy_row", "NVIDIA H200", 2444, h200},    {"copy_col", "NVIDIA H200", 1526, h200},
                                           {"naive_row", "NVIDIA H200", 1072, h200},   {"naive_col", "NVIDIA H200", 2180, h200},
                                           {"smem", "NVIDIA H200", 1466, h200},        {"smem_pad", "NVIDIA H200", 4178, h200}};
    return all;
}

const std::vector<GeometryTable>& thread_geometries() {
    static const std::vector<GeometryTable> all{
        {"C1060, double",
         {{"2x256", 9.8}, {"2x128", 8.5}, {"2x64", 7.4}, {"4x128", 5.9}, {"4x64", 5.3}, {"4x32", 5.1}, {"8x64", 3.0}, {"8x32", 2.7}}},
        {"C1060, float",
         {{"2x256", 8.6}, {"2x128", 7.7}, {"2x64", 6.2}, {"4x128", 4.6}, {"4x64", 3.9}, {"4x32", 3.5}, {"8x64", 2.0}, {"8x32", 1.8}}},
        {"M2070, float",
         {{"2x128", 65},
          {"2x256", 64},
          {"2x64", 56},
          {"4x128", 52},
          {"4x64", 50},
          {"4x32", 46},
          {"16x32", 21},
          {"32x16", 8.6},
          {"32x8", 6.8},
          {"32x4", 6.2}}},
        {"H100, float",
         {{"256x2", 5430},
          {"32x4", 5150},
          {"32x8", 5130},
          {"128x2", 5010},
          {"8x32", 2860},
          {"4x32", 1690},
          {"2x256", 920},
          {"2x128", 916}}},
    };
    return all;
}

const std::vector<TegraRow>& tegra_kernels() {
    static const std::vector<TegraRow> all{
        {"copy_row", 7.968, 1.777},     {"copy_col", 33.173, 2.588},    {"naive_row", 32.308, 2.036},    {"naive_col", 10.387, 2.036},
        {"unroll4_row", 30.671, 2.024}, {"unroll4_col", 10.322, 2.024}, {"diagonal_row", 33.044, 2.162}, {"diagonal_col", 8.201, 2.162},
        {"smem", 13.044, 2.665},        {"smem_pad", 12.761, 1.878},
    };
    return all;
}

const std::vector<TegraRow>& tegra_shapes_unroll4_col() {
    static const std::vector<TegraRow> all{
        {"8x1", 19.864, 3.102},   {"8x2", 12.165, 2.090},   {"8x8", 13.45, 1.826},    {"8x16", 11.997, 1.826},
        {"8x32", 10.429, 1.827},  {"16x8", 10.346, 2.023},  {"16x16", 8.199, 2.024},  {"32x4", 10.341, 2.926},
        {"32x8", 8.161, 2.927},   {"32x16", 10.5, 2.936},   {"32x32", 9.671, 2.991},  {"64x2", 16.227, 2.926},
        {"128x1", 15.096, 2.926}, {"128x2", 16.113, 2.927}, {"256x1", 18.724, 2.927}, {"256x2", 17.906, 2.936},
    };
    return all;
}

const std::vector<TegraRow>& tegra_shapes_diagonal_col() {
    static const std::vector<TegraRow> all{
        {"8x1", 28.006, 6.584},   {"8x2", 18.06, 3.532},    {"8x8", 12.078, 1.978},   {"8x16", 9.856, 1.983},
        {"8x32", 9.179, 1.992},   {"16x8", 10.46, 2.151},   {"16x16", 10.36, 2.162},  {"32x4", 10.377, 2.991},
        {"32x8", 10.414, 3.004},  {"32x16", 12.271, 3.040}, {"32x32", 16.208, 3.171}, {"64x2", 12.19, 2.991},
        {"128x1", 19.246, 2.991}, {"128x2", 16.072, 3.004}, {"256x1", 19.205, 3.004}, {"256x2", 19.693, 3.040},
    };
    return all;
}

}  // namespace lab::report

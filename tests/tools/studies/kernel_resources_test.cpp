// Resources of kernels, read from PTX.
#include "common/tools/studies/kernel_resources.h"

#include <gtest/gtest.h>

#include "common/tools/errors.h"
#include "common/tools/safe_files.h"

namespace lab::tools {
namespace {

std::vector<KernelResources> in_corpus(const std::string& file) {
    return kernels_in(read_whole(LAB_SOURCE_FOLDER "/tests/emulator/ptx_corpus/" + file));
}

constexpr const char* head = ".version 6.0\n.target sm_70\n.address_size 64\n";

// tile.cu: __shared__ float s[16][17].
TEST(KernelResources, FindsTheTileWhicheverCompilerMadeThePtx) {
    for (const char* file : {"tile_clang19.ptx", "tile_nvcc13.ptx"}) {
        const auto kernels = in_corpus(file);
        ASSERT_EQ(kernels.size(), 1U) << file;
        EXPECT_EQ(kernels[0].name, "tile") << file;
        EXPECT_EQ(kernels[0].static_shared, 16U * 17U * 4U) << file;
    }
}

TEST(KernelResources, AddsUpWhatAKernelAndItsCalleesUse) {
    const auto kernels = kernels_in(std::string(head) + R"(
.shared .align 1 .b8 a[5];
.shared .align 8 .b8 b[16];
.shared .align 4 .b8 unused[1000];
.extern .shared .align 64 .b8 dynamic[];
.func helper() { .reg .b32 %r; mov.u32 %r, b; ret; }
.visible .entry _Z3twov() .maxntid 64, 2, 1 {
  .reg .b32 %r; mov.u32 %r, a; mov.u32 %r, dynamic; call helper, (); ret; }
.visible .entry _Z4nonev() { ret; })");
    ASSERT_EQ(kernels.size(), 2U);
    EXPECT_EQ(kernels[0].name, "two");
    EXPECT_EQ(kernels[0].static_shared, 24U);  // 5 bytes, 3 to the next multiple of 8, 16 bytes
    EXPECT_EQ(kernels[0].max_threads, 128U);
    EXPECT_EQ(kernels[1].static_shared, 0U);
    EXPECT_EQ(kernels[1].max_threads, 0U);
}

std::vector<std::string> selected(const std::vector<KernelResources>& kernels, const std::string& name) {
    std::vector<std::string> names;
    for (const KernelResources& kernel : select(kernels, name, "x.cu")) names.push_back(kernel.name);
    return names;
}

TEST(KernelResources, SelectsByWholeNameAndByTemplate) {
    const auto kernels = kernels_in(std::string(head) +
                                    ".visible .entry _Z1kILi16EfEvPT0_() { ret; }\n.visible .entry _Z1kILi32EfEvPT0_() { ret; }\n"
                                    ".visible .entry _ZN12_GLOBAL__N_15otherEv() { ret; }\n");
    EXPECT_EQ(selected(kernels, ""), (std::vector<std::string>{"k<16, float>", "k<32, float>", "other"}));
    EXPECT_EQ(selected(kernels, "k"), (std::vector<std::string>{"k<16, float>", "k<32, float>"}));
    EXPECT_EQ(selected(kernels, "k<32, float>"), (std::vector<std::string>{"k<32, float>"}));
    EXPECT_EQ(selected(kernels, "other"), (std::vector<std::string>{"other"}));
    try {
        const auto none = select(kernels, "kk", "x.cu");
        FAIL() << none.size() << " found";
    } catch (const BadInput& problem) {
        EXPECT_STREQ(problem.what(), "x.cu has no kernel 'kk'; there are: k<16, float>, k<32, float>, other");
    }
}

}  // namespace
}  // namespace lab::tools

// A program whose kernels' PTX is replaced by another text with the same kernels.
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "fixture.h"
#include "kernels.h"

namespace lab::cuda {
namespace {

class ReplacedKernels : public Runtime {
protected:
    ReplacedKernels() {
        std::ifstream file(LAB_KERNELS, std::ios::binary);
        own_ = {std::istreambuf_iterator<char>(file), {}};
        own_.resize(own_.find('\0'));
    }
    void TearDown() override {
        Session::instance().replace_kernels(own_);
        Runtime::TearDown();
    }
    // The program's own text with `before` replaced by `after` after the first `behind`.
    [[nodiscard]] std::string changed(const std::string& behind, const std::string& before, const std::string& after) const {
        std::string text = own_;
        const std::size_t at = text.find(before, text.find(behind));
        EXPECT_NE(at, std::string::npos);
        return text.replace(at, before.size(), after);
    }
    static int written() {
        int* const to = static_cast<int*>(allocate(2 * sizeof(int)));
        EXPECT_EQ(cudaMemset(to, 0, 2 * sizeof(int)), cudaSuccess);
        kernels::launch_write(to, 1, 7);
        int value = 0;
        EXPECT_EQ(cudaMemcpy(&value, to + 1, sizeof(int), cudaMemcpyDeviceToHost), cudaSuccess);
        return value;
    }
    static std::string refusal(const std::string& ptx) {
        try {
            Session::instance().replace_kernels(ptx);
        } catch (const std::invalid_argument& error) {
            return error.what();
        }
        return "";
    }
    std::string own_;
};

TEST_F(ReplacedKernels, RunInPlaceOfTheProgramsOwn) {
    EXPECT_EQ(written(), 7);
    Session::instance().replace_kernels(changed(".entry _Z5writePixi(", "[%rd5], %r1", "[%rd5], 9"));
    EXPECT_EQ(written(), 9);
    Session::instance().replace_kernels(own_);
    EXPECT_EQ(written(), 7);
}

TEST_F(ReplacedKernels, HaveTheSameNamesAndParameters) {
    EXPECT_EQ(refusal("nothing"), "no PTX with kernels");
    EXPECT_EQ(refusal(changed(".entry ", "(", "_other(")), "no part of this program has the same kernels with the same parameters");
    EXPECT_EQ(refusal(changed(".entry ", ".param .u64", ".param .u32")),
              "no part of this program has the same kernels with the same parameters");
    EXPECT_EQ(refusal(own_), "");
}

TEST_F(ReplacedKernels, ThatTheMachineRefusesAreRefusedAtTheLaunch) {
    Session::instance().replace_kernels(changed(".entry ", "ret;", "no_such_instruction;"));
    kernels::launch_empty(1, 1);
    EXPECT_NE(cudaGetLastError(), cudaSuccess);
}

}  // namespace
}  // namespace lab::cuda

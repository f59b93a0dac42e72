
#include <algorithm>

#include "common/emulator/machine/inner_product.h"
#include "common/emulator/machine/memory_ops.h"
#include "common/emulator/machine/table.h"

namespace lab::machine {

namespace {

constexpr std::size_t fewest_terms = 2;
constexpr std::size_t ops_a_term = 3;

// Matches terms, by results that only one instruction of the function reads.
class TermMatcher {
public:
    TermMatcher(const FunctionCode& code, const std::vector<bool>& single_use)
        : code_(code),
          single_use_(single_use),
          load_(following_load_handler(ptx::Space::shared).run[0]),
          fma_(Table::instance().find(ptx::Opcode::fma + ptx::Modifier::rn + ptx::Modifier::f32)->run[0]) {}

    // A term at op `at`, whose sum comes from `sum` (or from anywhere, for the first).
    [[nodiscard]] bool matches(std::size_t at, const std::uint32_t* sum) const {
        if (at + ops_a_term > code_.ops.size()) return false;
        const Op& x = code_.ops[at];
        const Op& y = code_.ops[at + 1];
        const Op& fma = code_.ops[at + 2];
        if (x.run[0] != load_ || y.run[0] != load_ || fma.run[0] != fma_) return false;
        if (!single_use_[at] || !single_use_[at + 1] || x.dst == y.dst) return false;
        const bool straight = fma.a == x.dst && fma.b == y.dst;
        const bool crossed = fma.a == y.dst && fma.b == x.dst;
        return (straight || crossed) && fma.c != x.dst && fma.c != y.dst && (sum == nullptr || fma.c == *sum);
    }

private:
    const FunctionCode& code_;
    const std::vector<bool>& single_use_;
    Handler load_;
    Handler fma_;
};

}  // namespace

std::vector<std::uint32_t> fuse_inner_products(FunctionCode& code, const std::vector<bool>& single_use) {
    const TermMatcher matcher(code, single_use);
    std::vector<Op> fused;
    std::vector<std::uint32_t> moved;
    const std::size_t count = code.ops.size();
    for (std::size_t i = 0; i < count;) {
        std::size_t terms = matcher.matches(i, nullptr) ? 1 : 0;
        while (terms != 0) {
            const std::size_t last = i + (terms - 1) * ops_a_term + 2;
            // Only the next term may read an intermediate sum.
            if (!single_use[last] || !matcher.matches(last + 1, &code.ops[last].dst)) break;
            ++terms;
        }
        if (terms < fewest_terms) {
            moved.push_back(static_cast<std::uint32_t>(fused.size()));
            fused.push_back(code.ops[i++]);
            continue;
        }
        auto product = std::make_shared<InnerProduct>();
        for (std::size_t t = 0; t < terms; ++t) {
            const Op& x = code.ops[i + t * ops_a_term];
            const Op& y = code.ops[i + t * ops_a_term + 1];
            product->terms.push_back({{x.extra, x.offset}, {y.extra, y.offset}});
            for (const std::uint32_t leader : {x.extra, y.extra}) {
                if (std::find(product->leaders.begin(), product->leaders.end(), leader) == product->leaders.end())
                    product->leaders.push_back(leader);
            }
        }
        product->start = code.ops[i + 2].c;
        product->result = code.ops[i + terms * ops_a_term - 1].dst;
        Op op = code.ops[i];
        op.run[0] = inner_product<true>;
        op.run[1] = inner_product<false>;
        op.detail = product.get();
        op.extra = static_cast<std::uint32_t>(terms * ops_a_term + 1);
        code.details.push_back(std::move(product));
        const std::size_t end = i + terms * ops_a_term;
        fused.push_back(op);
        for (; i < end; ++i) {
            moved.push_back(static_cast<std::uint32_t>(fused.size()));
            fused.push_back(code.ops[i]);
        }
    }
    moved.push_back(static_cast<std::uint32_t>(fused.size()));
    code.ops = std::move(fused);
    return moved;
}

}  // namespace lab::machine

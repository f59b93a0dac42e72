// Published times of `lab demo`, from fidelity_tables.h, and the CPU time given by the source text of labs 2 and 3.
#include "common/tools/studies/published.h"

#include <fmt/format.h>

#include <array>

#include "common/tools/studies/fidelity_tables.h"

namespace lab::tools {
namespace {

struct Card {
    const char* id;
    const char* name;
};
constexpr std::array<Card, 3> cards{{{"gtx280", "GTX 280"}, {"m2090", "M2090"}, {"k20x", "K20X"}}};

// Name in the tables of published times.
const char* kernel_of(DemoStep step) {
    switch (step) {
        case DemoStep::copy:
            return "copy";
        case DemoStep::naive:
            return "naive";
        case DemoStep::coalesced:
            return "coalesced";
        case DemoStep::padded:
            return "conflict-free";
        case DemoStep::diagonal:
            return "diagonal";
        case DemoStep::global_product:
            return "global";
        case DemoStep::tiled_product:
            return "shared";
        default:
            return "";
    }
}

double published(const std::string& device, DemoStep step) {
    for (const FidelityTable& table : published_tables()) {
        for (const FidelityRow& row : table.rows) {
            if (table.device == device && row.kernel == kernel_of(step)) return row.published;
        }
    }
    return 0;
}

constexpr double cpu_ms = 40504.82;  // of the product, on one thread of the C2075's host

}  // namespace

PublishedFor published_for(const std::string& device) {
    PublishedFor published;
    published.product_head = "Tesla C2075 with copies";
    published.transpose_head = "GTX 280 / M2090 / K20X";
    for (const Card& card : cards) {
        if (device == card.id) {
            published.device = card.id;
            published.transpose_head = card.name;
        }
    }
    return published;
}

std::string PublishedFor::figure(DemoStep step) const {
    switch (step) {
        case DemoStep::cpu_product:
            return fmt::format("{:.2f} ms", cpu_ms);
        case DemoStep::global_product:
        case DemoStep::tiled_product: {
            const double ms = published("c2075", step);
            return fmt::format("{:.2f} ms ({:.0f}x)", ms, cpu_ms / ms);
        }
        case DemoStep::cpu_transpose:
            return {};
        default:
            break;
    }
    std::string text;
    for (const Card& card : cards) {
        if (!device.empty() && device != card.id) continue;
        text += fmt::format("{}{:.1f}", text.empty() ? "" : " / ", published(card.id, step));
    }
    return text + " GB/s";
}

}  // namespace lab::tools

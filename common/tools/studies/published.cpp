// Sources: product of two 1024 x 1024 matrices on a Tesla C2075, end to end with allocation and copies, against one thread of its
// host: the source text of labs 2 and 3 (the handouts' tables). Transposes of 2048 x 2048 floats: Ruetsch and Micikevicius,
// "Optimizing Matrix Transpose in CUDA"; its later edition in cuda-samples for M2090 and K20X.
#include "common/tools/studies/published.h"

#include <fmt/format.h>

#include <array>
#include <map>

namespace lab::tools {
namespace {

struct Card {
    const char* id;
    const char* name;
};
constexpr std::array<Card, 3> cards{{{"gtx280", "GTX 280"}, {"m2090", "M2090"}, {"k20x", "K20X"}}};

// GB/s, in the order of the cards.
const std::map<DemoStep, std::array<double, 3>>& transposes() {
    static const std::map<DemoStep, std::array<double, 3>> rates{
        {DemoStep::copy, {96.9, 125.2, 147.6}},   {DemoStep::naive, {2.2, 61.5, 92.0}},      {DemoStep::coalesced, {16.5, 92.8, 114.0}},
        {DemoStep::padded, {16.6, 103.2, 112.6}}, {DemoStep::diagonal, {69.5, 81.4, 106.7}},
    };
    return rates;
}

struct Product {
    double cpu_ms, global_ms, tiled_ms;
};
constexpr Product c2075{40504.82, 52.46, 24.34};

std::string product(double ms) { return fmt::format("{:.2f} ms ({:.0f}x)", ms, c2075.cpu_ms / ms); }

}  // namespace

PublishedFor published_for(const std::string& device) {
    PublishedFor published;
    published.product_head = "Tesla C2075, with copies";
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
            return fmt::format("{:.2f} ms", c2075.cpu_ms);
        case DemoStep::global_product:
            return product(c2075.global_ms);
        case DemoStep::tiled_product:
            return product(c2075.tiled_ms);
        default:
            break;
    }
    const auto found = transposes().find(step);
    if (found == transposes().end()) return {};
    std::string text;
    for (std::size_t i = 0; i < cards.size(); ++i) {
        if (!device.empty() && device != cards[i].id) continue;
        text += fmt::format("{}{:.1f}", text.empty() ? "" : " / ", found->second[i]);
    }
    return text + " GB/s";
}

}  // namespace lab::tools

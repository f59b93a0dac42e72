#include "tests/mutants/claim.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/mutants/golden.h"

namespace lab::mutants {
namespace {

const std::string by_chance = "some shapes";

bool is_utf8(const std::string& text) {
    try {
        (void)nlohmann::json(text).dump();
        return true;
    } catch (const nlohmann::json::type_error&) {
        return false;
    }
}

// GoogleTest before 1.15, where its char is signed, writes each non-ASCII byte as a separate code point: restores "·" and other characters.
std::string repaired(const std::string& text) {
    std::string bytes;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const auto lead = static_cast<unsigned char>(text[at]);
        if ((lead == 0xc2 || lead == 0xc3) && at + 1 < text.size()) {
            bytes += static_cast<char>((lead & 3U) << 6U | (static_cast<unsigned char>(text[++at]) & 0x3fU));
        } else if (lead < 0x80) {
            bytes += text[at];
        } else {
            return text;  // has characters that no such byte makes: it is right as it is
        }
    }
    return is_utf8(bytes) ? bytes : text;
}

std::string places(const std::string& wrong, const std::string& tried) {
    if (tried.empty() || tried == "1" || wrong == "0") {
        return "";
    }
    return wrong == tried ? "all shapes" : fmt::format("{} of {} shapes", wrong, tried);
}

}  // namespace

std::optional<Claim> read_claim(const std::string& line) {
    Claim claim;
    const std::string rejected = "// rejected-by: ";
    const std::string separator = " · reason: ";
    if (line.rfind("// accepted: ", 0) == 0) {
        return claim;
    }
    const auto split = line.find(separator);
    if (line.rfind(rejected, 0) != 0 || split == std::string::npos) {
        return {};
    }
    claim.test = line.substr(rejected.size(), split - rejected.size());
    claim.reason = line.substr(split + separator.size());
    const auto cut = [&](const std::string& field) {
        const auto at = claim.reason.find(field);
        std::string rest = at == std::string::npos ? "" : claim.reason.substr(at + field.size());
        claim.reason.resize(std::min(at, claim.reason.size()));
        return rest;
    };
    claim.where = cut(" · at: ");
    if (claim.test.empty() || claim.reason.empty()) return {};
    return claim;
}

std::vector<Test> tests_in(const nlohmann::json& report) {
    std::vector<Test> tests;
    for (const auto& suite : report.value("testsuites", nlohmann::json::array())) {
        for (const auto& entry : suite.value("testsuite", nlohmann::json::array())) {
            if (entry.value("status", "") != "RUN") {
                continue;
            }
            Test test;
            test.name = suite.value("name", "") + "." + entry.value("name", "");
            test.is_measured = entry.value("backend", "") == "gpu";
            test.where = places(entry.value("shapes_wrong", ""), entry.value("shapes_tried", ""));
            test.completed = entry.value("result", "") == "COMPLETED";
            for (const auto& failure : entry.value("failures", nlohmann::json::array())) {
                const std::string text = repaired(failure.value("failure", ""));
                test.failures += text + "\n";
                test.messages.push_back(as_students_see_it(text));
            }
            const auto recorded = nlohmann::json::parse(entry.value("messages", "[]"), nullptr, false);
            for (const auto& message : recorded) test.causes.push_back(message.value("cause", ""));
            test.causes.resize(test.messages.size());
            tests.push_back(std::move(test));
        }
    }
    return tests;
}

std::string objection(const Claim& claim, const std::vector<Test>& tests) {
    if (tests.empty()) {
        return fmt::format("no test ran{}", claim.test.empty() ? "" : ": is there a test " + claim.test + "?");
    }
    if (claim.test.empty()) {
        std::string all;
        for (const auto& test : tests) {
            if (test.completed && test.failures.empty()) {
                continue;
            }
            all += fmt::format("a right answer is rejected by {}:\n{}\n", test.name, test.failures);
        }
        return all;
    }
    if (tests.size() != 1 || tests[0].name != claim.test) {
        return fmt::format("{} is not the name of one test", claim.test);
    }
    if (tests[0].failures.empty()) {
        return fmt::format("{} passes: the mistake is not seen", claim.test);
    }
    if (tests[0].failures.find(claim.reason) == std::string::npos) {
        return fmt::format("{} fails, but not for the reason \"{}\":\n{}", claim.test, claim.reason, tests[0].failures);
    }
    if (tests[0].where != claim.where && claim.where != by_chance) {
        return fmt::format("{} fails at {}, but is claimed to fail at {}:\n{}", claim.test, tests[0].where, claim.where, tests[0].failures);
    }
    return {};
}

}  // namespace lab::mutants

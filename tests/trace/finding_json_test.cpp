// A finding survives conversion to JSON and back, and invalid JSON is rejected with the name of the wrong field.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "common/trace/json.h"

namespace lab {
namespace {

using Json = nlohmann::json;

// Every field differs from its default.
Finding whole() {
    Finding finding;
    finding.kind = FindingKind::uninitialised_read;
    finding.headline = "4-byte read of shared memory that was never written";
    finding.stops = finding.is_mistake = finding.is_next_iteration = finding.has_barrier_between = true;
    finding.count = 3;
    finding.kernel = "k<16>(float*, int)";
    finding.call = "cudaMemcpy";
    finding.error = 11;
    finding.space = MemorySpace::shared;
    finding.grid = Index{1, 1, 1};
    finding.block = Index{34, 34, 1};
    finding.operation = "__shfl_sync";
    finding.details = {"a detail", "ein Satz mit ü"};
    finding.advice = "one line\nand another";
    finding.places = {{PlaceRole::write, {"k.cu", 12, 5}, Index{1, 2, 3}, Index{4, 5, 6}, "the kernel k", "stream 2"},
                      {PlaceRole::read, {"k.cu", 13, 0}, std::nullopt, Index{0, 0, 0}, "", ""}};
    Object object{ObjectKind::allocation, "N", 1156, {"main.cu", 3, 0}, {"main.cu", 9, 0}, true, true, "the stack"};
    finding.locations = {{ObjectRole::destination, object, Relation::before_start, 0x100000002000, -8, 4, 8, false},
                         {ObjectRole::source, Object{}, Relation::inside, 0, 0, 0, 0, std::nullopt}};
    finding.measured = {{Quantity::lane, 16}, {Quantity::mask, ~std::uint64_t{0}}};
    return finding;
}

Finding through_text(const Finding& finding) { return Json::parse(Json(finding).dump()).get<Finding>(); }

TEST(FindingJson, RoundTripsEveryField) {
    EXPECT_EQ(through_text(whole()), whole());
    EXPECT_EQ(through_text(Finding{}), Finding{});
    Finding uncounted = whole();
    uncounted.count = 0;
    EXPECT_EQ(through_text(uncounted), uncounted);
}

template <NamedEnum Enum>
void round_trip(Enum Finding::*field) {
    std::set<std::string_view> seen;
    for (std::size_t i = 0; i < names_of(Enum{}).size(); ++i) {
        Finding finding;
        finding.*field = static_cast<Enum>(i);
        EXPECT_EQ(through_text(finding), finding) << name_of(finding.*field);
        EXPECT_TRUE(seen.insert(name_of(finding.*field)).second) << name_of(finding.*field) << " names two";
    }
}

TEST(FindingJson, RoundTripsEveryKindAndSpace) {
    round_trip(&Finding::kind);
    round_trip(&Finding::space);
}

TEST(FindingJson, LeavesOutWhatSaysNothing) {
    Finding plain;
    plain.kind = FindingKind::trap;
    plain.headline = "trap instruction";
    EXPECT_EQ(Json(plain), (Json{{"kind", "trap"}, {"headline", "trap instruction"}, {"text", "trap instruction"}}));
}

TEST(FindingJson, RefusesWhatIsNoFindingWithTheField) {
    const std::pair<const char*, const char*> cases[] = {
        {R"([])", "finding is no object"},
        {R"({"headline": "x"})", "finding has no kind"},
        {R"({"kind": "rice"})", R"(finding.kind: can't be "rice")"},
        {R"({"kind": 3})", "finding.kind: can't be 3"},
        {R"({"kind": "race", "count": -1})", "finding.count: can't be -1"},
        {R"({"kind": "race", "count": 1.5})", "finding.count: can't be 1.5"},
        {R"({"kind": "race", "stops": "no"})", R"(finding.stops: can't be "no")"},
        {R"({"kind": "race", "error": 4294967296})", "finding.error: can't be 4294967296"},
        {R"({"kind": "race", "places": {}})", "finding.places: can't be {}"},
        {R"({"kind": "race", "places": [{"role": "read"}, {"line": -3}]})", "finding.places[1].line: can't be -3"},
        {R"({"kind": "race", "places": [{"thread": [1, 2]}]})", "finding.places[0].thread: can't be [1,2]"},
        {R"({"kind": "race", "locations": [{"object": {"kind": "thing"}}]})", R"(finding.locations[0].object.kind: can't be "thing")"},
        {R"({"kind": "race", "measured": {"weight": 1}})", R"(finding.measured: can't be "weight")"},
    };
    for (const auto& [text, complaint] : cases) {
        try {
            (void)Json::parse(text).get<Finding>();
            ADD_FAILURE() << "was taken: " << text;
        } catch (const trace::BadForm& problem) {
            EXPECT_STREQ(problem.what(), complaint);
        }
    }
}

// All keys of the JSON of `value`, however deep.
void collect_keys(const Json& value, std::set<std::string>* keys) {
    if (!value.is_structured()) return;
    for (const auto& item : value.items()) {
        if (value.is_object() && item.key() != "measured") keys->insert(item.key());
        if (item.key() != "measured") collect_keys(item.value(), keys);
    }
}

TEST(FindingJson, IsDescribedInTheHandout) {
    std::ifstream file(std::string(LAB_PROJECT_FOLDER) + "/handouts/findings.md");
    const std::string handout{std::istreambuf_iterator<char>(file), {}};
    std::set<std::string> names{"measured"};
    collect_keys(whole(), &names);
    const auto add = [&](auto all) { names.insert(all.begin(), all.end()); };
    add(names_of(FindingKind{}));
    add(names_of(MemorySpace{}));
    add(names_of(PlaceRole{}));
    add(names_of(ObjectKind{}));
    add(names_of(ObjectRole{}));
    add(names_of(Relation{}));
    add(names_of(Quantity{}));
    names.erase("");
    for (const std::string& name : names) EXPECT_NE(handout.find("`" + name + "`"), std::string::npos) << name;
}

}  // namespace
}  // namespace lab

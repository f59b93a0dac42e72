#include "common/emulator/options.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <limits>
#include <sstream>
#include <type_traits>

namespace lab::emulator {
namespace {

std::string text_of(const std::string& value) { return value; }
std::string text_of(bool value) { return value ? "1" : "0"; }
std::string text_of(unsigned value) { return std::to_string(value); }
std::string text_of(std::uint64_t value) { return std::to_string(value); }
std::string text_of(Order value) { return value == Order::reversed ? "reversed" : "forward"; }
std::string text_of(const Reshape& value) {
    return value.kernel.empty() ? "" : value.kernel + "=" + std::to_string(value.x) + "x" + std::to_string(value.y);
}

// Checks by name.
struct CheckRow {
    const char* name;
    bool Checks::*check;
};
constexpr CheckRow check_rows[] = {{"races", &Checks::races},       {"init", &Checks::initialisation},
                                   {"barriers", &Checks::barriers}, {"bounds", &Checks::bounds},
                                   {"api", &Checks::api},           {"host", &Checks::host}};

std::string text_of(const Checks& value) {
    if (!value.is_chosen) return "";
    std::string list;
    for (const CheckRow& row : check_rows) {
        if (value.*row.check) list += (list.empty() ? "" : ",") + std::string(row.name);
    }
    return list.empty() ? "none" : list;
}

void parse(const std::string& text, std::uint64_t /*smallest*/, std::string* value) { *value = text; }

void parse(const std::string& text, std::uint64_t /*smallest*/, bool* value) {
    if (text != "0" && text != "1") throw BadOption("give 1 or 0");
    *value = text == "1";
}

template <class Number>
requires std::is_unsigned_v<Number>
void parse(const std::string& text, std::uint64_t smallest, Number* value) {
    const bool is_number = std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
    std::istringstream stream(text);
    std::uint64_t number = 0;
    if (!is_number || !(stream >> number) || number < smallest || number > std::numeric_limits<Number>::max())
        throw BadOption("give a whole number from " + std::to_string(smallest) + " up");
    *value = static_cast<Number>(number);
}

void parse(const std::string& text, std::uint64_t /*smallest*/, Order* value) {
    if (text != "forward" && text != "reversed") throw BadOption("the orders are forward and reversed");
    *value = text == "reversed" ? Order::reversed : Order::forward;
}

void parse(const std::string& text, std::uint64_t /*smallest*/, Reshape* value) {
    const std::size_t equals = text.find('=');
    Reshape reshape;
    char rest = 0;
    if (equals == 0 || equals == std::string::npos || std::sscanf(text.c_str() + equals, "=%ux%u%c", &reshape.x, &reshape.y, &rest) != 2 ||
        reshape.x == 0 || reshape.y == 0) {
        throw BadOption("give a kernel and a block, as in transpose=32x8");
    }
    reshape.kernel = text.substr(0, equals);
    *value = reshape;
}

void parse(const std::string& text, std::uint64_t /*smallest*/, Checks* value) {
    *value = Checks::none();
    std::istringstream names(text);
    for (std::string name; std::getline(names, name, ',');) {
        const auto is_named = [&](const CheckRow& row) { return name == "all" || name == row.name; };
        if (name != "none" && std::none_of(std::begin(check_rows), std::end(check_rows), is_named))
            throw BadOption("there is no check '" + name + "'; there is races, init, barriers, bounds, api, host, all and none");
        for (const CheckRow& row : check_rows) {
            if (is_named(row)) value->*row.check = true;
        }
    }
    value->lockstep = !value->races;
}

template <auto member, std::uint64_t smallest>
void set(Options& options, const std::string& text) {
    if (text.empty()) {
        options.*member = Options{}.*member;
    } else {
        parse(text, smallest, &(options.*member));
    }
}

constexpr OptionRow rows[] = {
#define OPTION(member, type, otherwise, name, argument, unit, smallest, help) \
    {name, argument, unit, help, [](const Options& options) { return text_of(options.member); }, set<&Options::member, smallest>},
#include "common/emulator/options.inc"
};

}  // namespace

std::string OptionRow::flag() const { return "--" + std::string(name); }

std::string OptionRow::environment() const {
    std::string text = "LAB_" + std::string(name);
    for (char& c : text) c = c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return text;
}

std::span<const OptionRow> option_rows() { return rows; }

std::vector<std::string> variables_of_lab_run() {
    std::vector<std::string> names{"LAB_JSON", "LAB_REPORT", "LAB_EXIT_ON_FAULT"};
    for (const OptionRow& row : option_rows()) {
        if (row.name != std::string("threads")) names.push_back(row.environment());
    }
    return names;
}

const OptionRow& option_row(const std::string& name) {
    const auto found = std::find_if(std::begin(rows), std::end(rows), [&](const OptionRow& row) { return row.name == name; });
    if (found == std::end(rows)) throw std::out_of_range("no option " + name);
    return *found;
}

}  // namespace lab::emulator

#include "common/report/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace lab::report {
namespace {

std::string list_of(const std::vector<Point>& points) {
    std::string result;
    for (const Point& point : points) {
        if (!result.empty()) result += ' ';
        result += number(point.x) + ',' + number(point.y);
    }
    return result;
}

struct RoleColours {
    const char* word;
    Colours light, dark;
};
constexpr std::array<RoleColours, role_count> palette{{
    {"ink", {"#1f2328", "#ffffff"}, {"#e6edf3", "#0d1117"}},
    {"muted", {"#59636e", "#eaeef2"}, {"#9ea7b3", "#262c36"}},
    {"faint", {"#c4ccd4", "#f6f8fa"}, {"#444c56", "#161b22"}},
    {"first", {"#0a5cb8", "#cfe4fb"}, {"#79b8ff", "#1b3f66"}},
    {"second", {"#a34700", "#ffdcb8"}, {"#ffab5e", "#5c3205"}},
    {"third", {"#00695a", "#bfeadd"}, {"#4fd0b4", "#0c4a3f"}},
    {"fourth", {"#85246f", "#f3d2ea"}, {"#f29ddb", "#571f4a"}},
}};

std::string rules(Scheme scheme) {
    std::string css;
    for (std::size_t role = 0; role < role_count; ++role) {
        const Colours colours = colours_of(static_cast<Role>(role), scheme);
        css += fmt::format(".line-{0}{{stroke:{1}}}.solid-{0}{{fill:{1}}}.tint-{0}{{fill:{2}}}\n", palette[role].word, colours.line,
                           colours.tint);
    }
    return css + fmt::format("text{{fill:{}}}\n", colours_of(Role::ink, scheme).line);
}

}  // namespace

std::string escaped(const std::string& text) {
    constexpr std::string_view marks = "&<>\"";
    constexpr std::array<const char*, marks.size()> entities{"&amp;", "&lt;", "&gt;", "&quot;"};
    std::string result;
    for (const char c : text) {
        const std::size_t mark = marks.find(c);
        mark == std::string_view::npos ? result += c : result += entities.at(mark);
    }
    return result;
}

std::string number(double value) {
    std::string text = fmt::format("{:.1f}", value);
    if (text.ends_with(".0")) text.resize(text.size() - 2);
    return text == "-0" ? "0" : text;
}

Drawing::Drawing(std::string name, std::string title, std::string description)
    : name_(std::move(name)), title_(std::move(title)), description_(std::move(description)) {}

void Drawing::include(const Box& box) {
    const Box moved{box.x + offset_.x, box.y + offset_.y, box.width, box.height};
    if (is_empty_) {
        extent_ = moved;
        is_empty_ = false;
        return;
    }
    const double right = std::max(extent_.right(), moved.right());
    const double bottom = std::max(extent_.bottom(), moved.bottom());
    extent_.x = std::min(extent_.x, moved.x);
    extent_.y = std::min(extent_.y, moved.y);
    extent_.width = right - extent_.x;
    extent_.height = bottom - extent_.y;
}

void Drawing::include(const std::vector<Point>& points) {
    for (const Point& point : points) include(Box{point.x, point.y, 0, 0});
}

std::string Drawing::hatch_id(Hatch hatch, Role role) const { return fmt::format("{}-{}-{}", name_, word_of(hatch), word_of(role)); }

// `element`: its tag and geometry, `rect x="0" ...`. A hatch repeats the element over the tint.
void Drawing::shape(const std::string& element, const Look& look) {
    std::string classes;
    if (look.width > 0) classes += fmt::format("line-{}", word_of(look.line));
    if (look.fill) classes += fmt::format("{}{}-{}", classes.empty() ? "" : " ", look.is_solid ? "solid" : "tint", word_of(*look.fill));
    if (!classes.empty()) {
        body_ += fmt::format("<{} class=\"{}\"", element, classes);
        if (look.width > 0 && look.width != 1) body_ += fmt::format(" stroke-width=\"{}\"", number(look.width));
        if (look.fill && look.strength != 1) body_ += fmt::format(" fill-opacity=\"{:.2f}\"", look.strength);
        if (look.is_dashed) body_ += " stroke-dasharray=\"4 3\"";
        body_ += "/>\n";
    }
    if (look.hatch == Hatch::none) return;
    hatches_.emplace(look.hatch, look.line);
    body_ += fmt::format("<{} fill=\"url(#{})\"/>\n", element, hatch_id(look.hatch, look.line));
}

void Drawing::rect(const Box& box, const Look& look) {
    include(box);
    shape(fmt::format("rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", number(box.x), number(box.y), number(box.width),
                      number(box.height)),
          look);
}

void Drawing::rects(const std::vector<Box>& boxes, const Look& look) {
    std::string path;
    for (const Box& box : boxes) {
        include(box);
        path += fmt::format("M{} {}h{}v{}h{}z", number(box.x), number(box.y), number(box.width), number(box.height), number(-box.width));
    }
    shape(fmt::format("path d=\"{}\"", path), look);
}

void Drawing::circle(Point centre, double radius, const Look& look) {
    include(Box{centre.x - radius, centre.y - radius, 2 * radius, 2 * radius});
    shape(fmt::format("circle cx=\"{}\" cy=\"{}\" r=\"{}\"", number(centre.x), number(centre.y), number(radius)), look);
}

void Drawing::line(Point from, Point to, const Look& look) {
    include({from, to});
    shape(fmt::format("line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"", number(from.x), number(from.y), number(to.x), number(to.y)), look);
}

void Drawing::polyline(const std::vector<Point>& points, const Look& look) {
    include(points);
    shape(fmt::format("polyline points=\"{}\"", list_of(points)), look);
}

void Drawing::polygon(const std::vector<Point>& points, const Look& look) {
    include(points);
    shape(fmt::format("polygon points=\"{}\"", list_of(points)), look);
}

void Drawing::arrow(Point from, Point to, const Look& look, double bend) {
    const double length = std::hypot(to.x - from.x, to.y - from.y);
    if (length == 0) return;
    const Point normal{(to.y - from.y) / length, (from.x - to.x) / length};
    const Point control{(from.x + to.x) / 2 + 2 * bend * normal.x, (from.y + to.y) / 2 + 2 * bend * normal.y};
    const double reach = std::hypot(to.x - control.x, to.y - control.y);
    const Point along{(to.x - control.x) / reach, (to.y - control.y) / reach};
    const double head = 6 + look.width;
    const Point neck{to.x - head * along.x, to.y - head * along.y};
    if (bend == 0) {
        line(from, neck, look);
    } else {
        include({from, {(from.x + to.x + 2 * control.x) / 4, (from.y + to.y + 2 * control.y) / 4}, to});
        shape(fmt::format("path d=\"M{} {}Q{} {} {} {}\"", number(from.x), number(from.y), number(control.x), number(control.y),
                          number(neck.x), number(neck.y)),
              look);
    }
    const double half = head * 0.4;
    include({to});
    body_ +=
        fmt::format("<polygon class=\"solid-{}\" points=\"{}\"/>\n", word_of(look.line),
                    list_of({to, {neck.x - half * along.y, neck.y + half * along.x}, {neck.x + half * along.y, neck.y - half * along.x}}));
}

void Drawing::text(Point place, const std::string& text, const TextLook& look) {
    const auto characters =
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; });
    const double wide =
        look.is_code ? code_width(look.size) * static_cast<double>(characters) : text_width(text, look.size) * (look.is_bold ? 1.1 : 1);
    const double left = look.align == Align::start ? place.x : look.align == Align::middle ? place.x - wide / 2 : place.x - wide;
    const Box box{left, place.y - 0.5 * look.size, wide, look.size};
    include(box);
    texts_.push_back({text, {box.x + offset_.x, box.y + offset_.y, box.width, box.height}, look.size});
    // The capitals' middle is a third of the size above the baseline.
    body_ += fmt::format("<text x=\"{}\" y=\"{}\"", number(place.x), number(place.y + 0.35 * look.size));
    if (look.size != 14) body_ += fmt::format(" font-size=\"{}\"", number(look.size));
    if (look.align != Align::middle) body_ += fmt::format(" text-anchor=\"{}\"", look.align == Align::start ? "start" : "end");
    if (look.is_code) body_ += " font-family=\"monospace\" xml:space=\"preserve\"";
    if (look.is_bold) body_ += " font-weight=\"bold\"";
    if (look.role != Role::ink) body_ += fmt::format(" class=\"solid-{}\"", word_of(look.role));
    body_ += fmt::format(">{}</text>\n", escaped(text));
}

void Drawing::group(Point offset, const std::function<void()>& draw) {
    const Point before = offset_;
    offset_ = {offset_.x + offset.x, offset_.y + offset.y};
    body_ += fmt::format("<g transform=\"translate({} {})\">\n", number(offset.x), number(offset.y));
    draw();
    body_ += "</g>\n";
    offset_ = before;
}

std::string Drawing::svg() const {
    constexpr double margin = 6;
    const double height = std::ceil(extent_.bottom() + margin);
    std::string result = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"img\" "
        "fill=\"none\" font-family=\"sans-serif\" font-size=\"14\" text-anchor=\"middle\" "
        "aria-labelledby=\"{2}-title {2}-desc\">\n<title id=\"{2}-title\">{3}</title>\n<desc id=\"{2}-desc\">{4}</desc>\n",
        number(width), number(height), name_, escaped(title_), escaped(description_));
    result += style_sheet();
    if (!hatches_.empty()) {
        result += "<defs>\n";
        for (const auto& [hatch, role] : hatches_) result += hatch_pattern(hatch, role, hatch_id(hatch, role));
        result += "</defs>\n";
    }
    return result + body_ + "</svg>\n";
}

double text_width(const std::string& text, double size) {
    // Thousandths of the size, from ' ' to '~', in DejaVu Sans.
    constexpr std::array<int, 95> widths{317, 400, 459, 837, 636, 950, 779, 274, 390, 390, 500, 837, 317, 360,  317, 336, 636, 636, 636,
                                         636, 636, 636, 636, 636, 636, 636, 336, 336, 837, 837, 837, 530, 1000, 684, 686, 698, 770, 631,
                                         575, 774, 751, 294, 294, 655, 557, 862, 748, 787, 603, 787, 694, 634,  610, 731, 684, 988, 685,
                                         610, 685, 390, 336, 390, 837, 500, 500, 612, 634, 549, 634, 615, 352,  634, 633, 277, 277, 579,
                                         277, 974, 633, 611, 634, 634, 411, 520, 392, 633, 591, 817, 591, 591,  524, 636, 336, 636, 837};
    constexpr int other = 640;  // beyond ASCII, on average
    int total = 0;
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        if (code >= 32 && code < 127) total += widths[code - 32U];
        if (code >= 0xc0) total += other;  // the first byte of a character in UTF-8
    }
    return size * total / 1000;
}

Colours colours_of(Role role, Scheme scheme) {
    const RoleColours& colours = palette[static_cast<std::size_t>(role)];
    return scheme == Scheme::light ? colours.light : colours.dark;
}

const char* page_colour(Scheme scheme) { return scheme == Scheme::light ? "#ffffff" : "#0d1117"; }

const char* word_of(Role role) { return palette[static_cast<std::size_t>(role)].word; }

const char* word_of(Hatch hatch) {
    constexpr std::array<const char*, 5> words{"none", "rising", "falling", "crossed", "dotted"};
    return words[static_cast<std::size_t>(hatch)];
}

std::string style_sheet() {
    // CSS rules override attributes, so properties that elements set themselves, like font sizes, are not in the rules.
    return fmt::format("<style>\n{}@media (prefers-color-scheme:dark){{\n{}}}\n</style>\n", rules(Scheme::light), rules(Scheme::dark));
}

std::string hatch_pattern(Hatch hatch, Role role, const std::string& id) {
    constexpr std::array<const char*, 5> paths{"", "M-1 7L7 -1M-1 1L1 -1M5 7L7 5", "M-1 -1L7 7M5 -1L7 1M-1 5L1 7", "M-1 7L7 -1M-1 -1L7 7",
                                               ""};
    std::string inside;
    if (const std::string path = paths.at(static_cast<std::size_t>(hatch)); !path.empty())
        inside = fmt::format("<path class=\"line-{}\" d=\"{}\"/>", word_of(role), path);
    if (hatch == Hatch::dotted) inside = fmt::format("<circle class=\"solid-{}\" cx=\"3\" cy=\"3\" r=\"1\"/>", word_of(role));
    return fmt::format("<pattern id=\"{}\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">{}</pattern>\n", id, inside);
}

}  // namespace lab::report

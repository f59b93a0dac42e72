// A drawing as an SVG file for Markdown and for web pages: self-contained, readable in light and dark, never by colour alone.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace lab::report {

// A colour, named by its role. The four accents differ in lightness as well as in hue, so that colour-blind readers can distinguish them.
enum class Role : std::uint8_t { ink, muted, faint, first, second, third, fourth };
constexpr std::size_t role_count = 7;

enum class Hatch : std::uint8_t { none, rising, falling, crossed, dotted };
enum class Align : std::uint8_t { start, middle, end };

// Lengths are in pixels at the drawing's own width; y grows downwards.
struct Point {
    double x = 0, y = 0;
};

struct Box {
    double x = 0, y = 0, width = 0, height = 0;
    [[nodiscard]] double right() const { return x + width; }
    [[nodiscard]] double bottom() const { return y + height; }
    [[nodiscard]] Point centre() const { return {x + width / 2, y + height / 2}; }
    [[nodiscard]] bool overlaps(const Box& other) const {
        return x < other.right() && other.x < right() && y < other.bottom() && other.y < bottom();
    }
};

struct Look {
    Role line = Role::ink;
    double width = 1;                         // 0: no outline
    std::optional<Role> fill = std::nullopt;  // the role's tint, against which ink is readable
    double strength = 1;                      // opacity of the tint
    bool is_solid = false;                    // filled with the role's full colour: nothing is written on it
    Hatch hatch = Hatch::none;                // in the colour of `line`
    bool is_dashed = false;
};

struct TextLook {
    Align align = Align::middle;
    double size = 14;
    Role role = Role::ink;
    bool is_bold = false;
    bool is_code = false;  // in a font whose characters are equally wide; spaces stay
};

// A text and its extent in the widest of the common sans-serif fonts.
struct PlacedText {
    std::string text;
    Box box;
    double size = 0;
};

class Drawing {
public:
    static constexpr double width = 700;

    // `name`: of the file, without ".svg". `title` and `description`: for screen readers.
    Drawing(std::string name, std::string title, std::string description);

    void rect(const Box& box, const Look& look = {});
    // Several boxes as one element.
    void rects(const std::vector<Box>& boxes, const Look& look = {});
    void circle(Point centre, double radius, const Look& look = {});
    void line(Point from, Point to, const Look& look = {});
    void polyline(const std::vector<Point>& points, const Look& look = {});
    void polygon(const std::vector<Point>& points, const Look& look = {});
    // A line with a head at its end. `bend`: how far its middle is moved to the left of its direction.
    void arrow(Point from, Point to, const Look& look = {}, double bend = 0);
    // `place`: the middle of the text's height, and its start, middle or end by `look.align`.
    void text(Point place, const std::string& text, const TextLook& look = {});
    // Draws with all coordinates moved by `offset`.
    void group(Point offset, const std::function<void()>& draw);

    // The whole file. Its height fits the drawing.
    [[nodiscard]] std::string svg() const;
    [[nodiscard]] const std::vector<PlacedText>& texts() const { return texts_; }
    // The smallest box around all that was drawn.
    [[nodiscard]] Box extent() const { return extent_; }

private:
    void shape(const std::string& element, const Look& look);
    void include(const Box& box);
    void include(const std::vector<Point>& points);
    [[nodiscard]] std::string hatch_id(Hatch hatch, Role role) const;

    std::string name_, title_, description_, body_;
    Point offset_;
    Box extent_{};
    bool is_empty_ = true;
    std::set<std::pair<Hatch, Role>> hatches_;
    std::vector<PlacedText> texts_;
};

// The width of a line of text in the widest of the common sans-serif fonts.
[[nodiscard]] double text_width(const std::string& text, double size);

// Width of a character of code.
[[nodiscard]] constexpr double code_width(double size) { return 0.602 * size; }

// Text for an XML or HTML file: the characters that mean something there as entities.
[[nodiscard]] std::string escaped(const std::string& text);

// A length as SVG has it here: at most one digit after the point.
[[nodiscard]] std::string number(double value);

// The palette of all drawings and their patterns, as CSS and SVG.
struct Colours {
    const char* line;  // of lines, text and heads of arrows
    const char* tint;  // of areas that ink is written on
};
enum class Scheme : std::uint8_t { light, dark };

[[nodiscard]] Colours colours_of(Role role, Scheme scheme);
// Background colour of each scheme.
[[nodiscard]] const char* page_colour(Scheme scheme);

// "first", "rising": names for classes and ids.
[[nodiscard]] const char* word_of(Role role);
[[nodiscard]] const char* word_of(Hatch hatch);

// The <style> element: light, and dark if the reader's system prefers it.
[[nodiscard]] std::string style_sheet();
// A <pattern> element.
[[nodiscard]] std::string hatch_pattern(Hatch hatch, Role role, const std::string& id);

}  // namespace lab::report

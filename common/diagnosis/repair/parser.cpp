#include "common/diagnosis/repair/parser.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace lab::repair {

bool is_specifier(std::string_view word) {
    static const std::set<std::string_view> specifiers{"const",    "static",     "constexpr", "__shared__",   "extern",      "volatile",
                                                       "register", "__device__", "alignas",   "__restrict__", "__constant__"};
    return specifiers.count(word) > 0;
}

bool is_number_type(std::string_view word) {
    static const std::set<std::string_view> types{"int", "unsigned", "signed", "long", "short", "char", "float", "double", "bool"};
    return types.count(word) > 0;
}
std::string_view Parser::peek(std::size_t ahead) const { return at_ + ahead < tokens_.size() ? tokens_[at_ + ahead].text : ""; }

bool Parser::is_next(TokenKind kind, std::size_t ahead) const { return at_ + ahead < tokens_.size() && tokens_[at_ + ahead].kind == kind; }

const Token& Parser::next() {
    if (at_ >= tokens_.size()) throw Unreadable();
    return tokens_[at_++];
}

const Token& Parser::expect(std::string_view symbol) {
    if (peek() != symbol) throw Unreadable();
    return next();
}

bool Parser::accept(std::string_view symbol) {
    if (peek() != symbol) return false;
    ++at_;
    return true;
}

std::size_t Parser::begin_of_next() const { return at_ < tokens_.size() ? tokens_[at_].begin : source_.size(); }

Node Parser::block_at(std::size_t at) {
    at_ = at;
    try {
        return block();
    } catch (const Unreadable&) {
        return {.kind = NodeKind::unread, .begin = tokens_[at].begin, .end = tokens_.back().end()};
    }
}

Node Parser::block() {
    Node node{.kind = NodeKind::block, .begin = begin_of_next()};
    expect("{");
    while (peek() != "}") node.children.push_back(statement());
    node.end = next().end();
    return node;
}

Node Parser::statement() {
    const Level level(&depth_);
    const std::size_t start = at_;
    try {
        return readable_statement();
    } catch (const Unreadable&) {
        at_ = start;
        return unread_statement();
    }
}

// Up to a semicolon or the end of a block, outside of further brackets.
Node Parser::unread_statement() {
    Node node{.kind = NodeKind::unread, .begin = begin_of_next()};
    const std::size_t start = at_;
    for (int depth = 0; at_ < tokens_.size();) {
        const std::string_view token = peek();
        if (depth == 0 && token == "}") break;
        ++at_;
        if (token == "(" || token == "[" || token == "{") ++depth;
        if (token == ")" || token == "]" || token == "}") --depth;
        if (depth == 0 && (token == ";" || token == "}") && peek() != "else") break;
    }
    if (at_ == start) throw Unreadable();
    accept(";");  // behind a lambda's brace
    node.end = end_of_last();
    return node;
}

Node Parser::readable_statement() {
    const std::string_view first = peek();
    if (first == "{") return block();
    if (first == "switch") return choice();
    if (first == "case" || (is_next(TokenKind::name) && peek(1) == ":")) {
        while (!next().is(":")) {
        }
        return statement();
    }
    if (first == "if") return if_else();
    if (first == "for") return for_loop();
    if (first == "while") return while_loop();
    if (first == "do") return do_loop();
    if (first == "return" || first == "break" || first == "continue") return jump();
    if (first == ";") {
        const Token& token = next();
        return {.kind = NodeKind::empty, .begin = token.begin, .end = token.end()};
    }
    if (const std::size_t words = type_words(); words > 0) return declaration(words);
    return expression_statement(";");
}

Node Parser::choice() {
    const std::size_t begin = next().begin;
    expect("(");
    (void)expression(any_operator);
    expect(")");
    if (peek() != "{") throw Unreadable();
    Node node = block();
    node.begin = begin;
    return node;
}

Node Parser::if_else() {
    Node node{.kind = NodeKind::if_else, .begin = begin_of_next()};
    expect("if");
    accept("constexpr");
    expect("(");
    node.children.push_back(expression(any_operator));
    expect(")");
    node.children.push_back(statement());
    if (accept("else")) node.children.push_back(statement());
    node.end = node.children.back().end;
    return node;
}

Node Parser::for_loop() {
    Node node{.kind = NodeKind::for_loop, .begin = begin_of_next()};
    expect("for");
    expect("(");
    const std::size_t words = type_words();
    node.children.push_back(words > 0 ? declaration(words) : expression_statement(";"));
    const std::size_t at = begin_of_next();
    node.children.push_back(peek() == ";" ? Node{.begin = at, .end = at} : expression(any_operator));
    expect(";");
    node.children.push_back(expression_statement(")"));
    node.children.push_back(statement());
    node.end = node.children.back().end;
    return node;
}

Node Parser::while_loop() {
    Node node{.kind = NodeKind::while_loop, .begin = begin_of_next()};
    expect("while");
    expect("(");
    node.children.push_back(expression(any_operator));
    expect(")");
    node.children.push_back(statement());
    node.end = node.children.back().end;
    return node;
}

Node Parser::do_loop() {
    Node node{.kind = NodeKind::do_loop, .begin = begin_of_next()};
    expect("do");
    node.children.push_back(statement());
    expect("while");
    expect("(");
    node.children.push_back(expression(any_operator));
    expect(")");
    node.end = expect(";").end();
    return node;
}

Node Parser::jump() {
    Node node{.kind = NodeKind::jump, .begin = begin_of_next(), .op = next().text};
    if (peek() != ";") node.children.push_back(expression(any_operator));
    node.end = expect(";").end();
    return node;
}

// Expressions separated by commas, up to `end`, which belongs to a statement but not to a loop's head.
Node Parser::expression_statement(std::string_view end) {
    Node node{.kind = NodeKind::expression, .begin = begin_of_next()};
    if (peek() == end) {
        node.kind = NodeKind::empty;
    } else {
        do {
            node.children.push_back(expression(any_operator));
        } while (accept(","));
    }
    node.end = node.children.empty() ? node.begin : end_of_last();
    const Token& last = expect(end);
    if (end == ";") node.end = last.end();
    return node;
}

std::size_t Parser::past_template_arguments(std::size_t ahead) const {
    if (peek(ahead) != "<") return ahead;
    int depth = 0;
    for (std::size_t i = ahead; at_ + i < tokens_.size(); ++i) {
        const std::string_view token = peek(i);
        if (token == "<") ++depth;
        if (token == ">" && --depth == 0) return i + 1;
        if (token == ";" || token == "{" || token == ")" || token == "&&" || token == "||") break;
    }
    return ahead;
}

std::size_t Parser::type_words() const {
    std::size_t i = 0;
    bool has_type = false;
    for (;;) {
        if (is_specifier(peek(i))) {
            ++i;
        } else if (is_number_type(peek(i))) {
            has_type = true;
            ++i;
        } else if (!has_type && is_next(TokenKind::name, i)) {
            has_type = true;
            ++i;
            while (peek(i) == "::") i += 2;
            i = past_template_arguments(i);
        } else {
            break;
        }
    }
    std::size_t name = i;
    while (peek(name) == "*" || peek(name) == "&" || is_specifier(peek(name))) ++name;
    static constexpr std::array<std::string_view, 6> after_name{"=", "[", ";", ",", "(", "{"};
    const bool is_declaration =
        has_type && is_next(TokenKind::name, name) && std::find(after_name.begin(), after_name.end(), peek(name + 1)) != after_name.end();
    return is_declaration ? i : 0;
}

Node Parser::declaration(std::size_t words) {
    Node node{.kind = NodeKind::declaration, .begin = begin_of_next()};
    at_ += words;
    const std::string_view type = source_.substr(node.begin, end_of_last() - node.begin);
    do {
        node.children.push_back(variable(type));
    } while (accept(","));
    node.end = expect(";").end();
    return node;
}

Node Parser::variable(std::string_view type) {
    Node node{.kind = NodeKind::variable, .begin = begin_of_next(), .type = type};
    while (peek() == "*" || peek() == "&" || is_specifier(peek())) ++at_;
    // Of several variables each has its own *: only the first one's is next to the type.
    const std::size_t type_begin = static_cast<std::size_t>(type.data() - source_.data());
    if (begin_of_next() != node.begin) node.type = source_.substr(type_begin, begin_of_next() - type_begin);
    node.op_begin = begin_of_next();
    if (!is_next(TokenKind::name)) throw Unreadable();
    node.op = next().text;
    while (accept("[")) {
        if (peek() != "]") node.children.push_back(expression(any_operator));
        expect("]");
    }
    if (peek() == "=" || peek() == "(" || peek() == "{") {
        node.is_initialised = true;
        if (accept("=")) {
            node.children.push_back(expression(any_operator));
        } else {
            Node list{.kind = NodeKind::list, .begin = begin_of_next()};
            const std::string_view end = next().is("(") ? ")" : "}";
            arguments(end, &list);
            list.end = end_of_last();
            node.children.push_back(std::move(list));
        }
    }
    node.end = end_of_last();
    return node;
}

}  // namespace lab::repair

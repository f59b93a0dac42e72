// Recursive descent over the body of one function.
#pragma once

#include <span>

#include "common/diagnosis/repair/syntax.h"
#include "common/diagnosis/repair/tokens.h"

namespace lab::repair {

// Whether a word may stand before a declaration's type.
[[nodiscard]] bool is_specifier(std::string_view word);
// Whether a word is the type of a number, or a part of one.
[[nodiscard]] bool is_number_type(std::string_view word);

class Parser {
public:
    Parser(std::string_view source, std::span<const Token> tokens) : source_(source), tokens_(tokens) {}
    // The block whose opening brace is the token at `at`.
    [[nodiscard]] Node block_at(std::size_t at);

private:
    struct Unreadable {};
    static constexpr int any_operator = 0;  // the lowest precedence
    // Counts statements and operands that lie in each other: text in deeper ones can't be read.
    class Level {
    public:
        explicit Level(int* depth) : depth_(depth) {
            constexpr int deepest = 200;
            if (*depth_ >= deepest) throw Unreadable();
            ++*depth_;
        }
        ~Level() { --*depth_; }
        Level(const Level&) = delete;
        Level& operator=(const Level&) = delete;

    private:
        int* depth_;
    };

    [[nodiscard]] std::string_view peek(std::size_t ahead = 0) const;
    [[nodiscard]] bool is_next(TokenKind kind, std::size_t ahead = 0) const;
    const Token& next();
    const Token& expect(std::string_view symbol);
    bool accept(std::string_view symbol);
    [[nodiscard]] std::size_t begin_of_next() const;
    [[nodiscard]] std::size_t end_of_last() const { return tokens_[at_ - 1].end(); }

    Node block();
    // A statement; an `unread` node, with what follows it in the source left as it is, if it can't be read.
    Node statement();
    Node readable_statement();
    Node unread_statement();
    Node choice();  // a switch: a block whose statements have lost their labels
    Node if_else();
    Node for_loop();
    Node while_loop();
    Node do_loop();
    Node jump();
    Node declaration(std::size_t words);
    Node variable(std::string_view type);
    Node expression_statement(std::string_view end);
    // Number of tokens of a declaration's type at the present place; 0 if no declaration begins there.
    [[nodiscard]] std::size_t type_words() const;
    [[nodiscard]] std::size_t past_template_arguments(std::size_t ahead) const;

    Node expression(int lowest);
    Node unary();
    Node primary();
    Node postfix(Node operand);
    Node named();
    // Tokens from an opening parenthesis to the closing one if both enclose a type; 0 if not.
    [[nodiscard]] std::size_t c_cast() const;
    void arguments(std::string_view end, Node* node);
    // Whether >>> comes next, behind a launch's configuration.
    [[nodiscard]] bool ends_launch() const;
    // Binary or assignment operator at the present place, and the number of its tokens; "" if there is none.
    [[nodiscard]] std::string_view infix(std::size_t* tokens) const;
    Node joined(NodeKind kind, Node left, std::string_view op, std::size_t op_begin, Node right) const;

    std::string_view source_;
    std::span<const Token> tokens_;
    std::size_t at_ = 0;
    int depth_ = 0;
};

}  // namespace lab::repair

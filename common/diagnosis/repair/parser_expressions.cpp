// Expressions, by precedence.
#include <set>
#include <utility>

#include "common/diagnosis/repair/parser.h"

namespace lab::repair {
namespace {

const std::set<std::string_view> type_names{"size_t", "std::size_t", "void", "auto", "ptrdiff_t", "uint32_t", "int64_t", "uint64_t"};
const std::set<std::string_view> builtins{"threadIdx", "blockIdx", "blockDim", "gridDim"};
const std::set<std::string_view> named_casts{"static_cast", "reinterpret_cast", "const_cast"};

// Precedence of a binary operator, assignments first; -1 for none.
int precedence(std::string_view op) {
    static const std::vector<std::set<std::string_view>> levels{{"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="},
                                                                {"?"},
                                                                {"||"},
                                                                {"&&"},
                                                                {"|"},
                                                                {"^"},
                                                                {"&"},
                                                                {"==", "!="},
                                                                {"<", ">", "<=", ">="},
                                                                {"<<", ">>"},
                                                                {"+", "-"},
                                                                {"*", "/", "%"}};
    for (std::size_t level = 0; level < levels.size(); ++level) {
        if (levels[level].count(op) > 0) return static_cast<int>(level);
    }
    return -1;
}
constexpr int assigning = 0, choosing = 1;

}  // namespace

bool Parser::ends_launch() const {
    const auto follows = [&](std::size_t i) { return peek(i) == ">" && tokens_[at_ + i].begin == tokens_[at_].begin + i; };
    return follows(0) && follows(1) && follows(2);
}

std::string_view Parser::infix(std::size_t* tokens) const {
    *tokens = 1;
    if (ends_launch()) return "";
    if (peek() == ">" && peek(1) == ">" && tokens_[at_ + 1].begin == tokens_[at_].end()) {
        *tokens = 2;
        return ">>";
    }
    if (peek() == ">" && peek(1) == ">=" && tokens_[at_ + 1].begin == tokens_[at_].end()) {
        *tokens = 2;
        return ">>=";
    }
    return precedence(peek()) >= 0 ? peek() : "";
}

Node Parser::joined(NodeKind kind, Node left, std::string_view op, std::size_t op_begin, Node right) const {
    Node node{.kind = kind, .begin = left.begin, .end = right.end, .op = op, .op_begin = op_begin};
    node.children.push_back(std::move(left));
    node.children.push_back(std::move(right));
    return node;
}

Node Parser::expression(int lowest) {
    Node left = unary();
    for (;;) {
        std::size_t tokens = 1;
        const std::string_view op = infix(&tokens);
        const int level = precedence(op);
        if (op.empty() || level < lowest) return left;
        const std::size_t op_begin = begin_of_next();
        at_ += tokens;
        if (level == assigning) {
            left = joined(NodeKind::assignment, std::move(left), op, op_begin, expression(assigning));
        } else if (level == choosing) {
            Node first = expression(assigning);
            expect(":");
            Node second = expression(choosing);
            const std::size_t end = second.end;
            left = joined(NodeKind::conditional, std::move(left), op, op_begin, std::move(first));
            left.children.push_back(std::move(second));
            left.end = end;
        } else {
            left = joined(NodeKind::binary, std::move(left), op, op_begin, expression(level + 1));
        }
    }
}

std::size_t Parser::c_cast() const {
    if (peek() != "(") return 0;
    std::size_t i = 1;
    bool is_known = false;
    while (is_number_type(peek(i)) || type_names.count(peek(i)) > 0 || is_specifier(peek(i))) {
        is_known = true;
        ++i;
    }
    const bool is_name = !is_known && is_next(TokenKind::name, i);
    if (is_name) ++i;
    while (is_name && peek(i) == "::" && is_next(TokenKind::name, i + 1)) i += 2;
    is_known = is_known || (is_name && peek(i - 1).ends_with("_t"));
    const std::size_t stars = i;
    while (peek(i) == "*") ++i;
    if ((!is_known && !is_name) || peek(i) != ")") return 0;
    // (T)x is a cast; (a) * x and (a)(x) are not.
    const bool has_operand = is_next(TokenKind::name, i + 1) || is_next(TokenKind::number, i + 1);
    return is_known || i > stars || has_operand ? i + 1 : 0;
}

Node Parser::unary() {
    static const std::set<std::string_view> operators{"-", "+", "!", "~", "*", "&", "++", "--"};
    const Level level(&depth_);
    const std::size_t begin = begin_of_next();
    if (operators.count(peek()) > 0 || c_cast() > 0) {
        const std::size_t cast = c_cast();
        Node node{.kind = cast > 0 ? NodeKind::cast : NodeKind::unary, .begin = begin, .op = peek(), .op_begin = begin};
        at_ += cast > 0 ? cast : 1;
        if (cast > 0) node.op = source_.substr(begin, end_of_last() - begin);
        node.children.push_back(unary());
        node.end = node.children.back().end;
        return node;
    }
    return postfix(primary());
}

Node Parser::primary() {
    const Token& token = next();
    Node node{.begin = token.begin, .end = token.end(), .op = token.text, .op_begin = token.begin};
    if (token.is("(")) {
        node.kind = NodeKind::parentheses;
        node.children.push_back(expression(any_operator));
        node.end = expect(")").end();
    } else if (token.is("{")) {
        node.kind = NodeKind::list;
        arguments("}", &node);
        node.end = end_of_last();
    } else if (token.kind == TokenKind::number || token.kind == TokenKind::text) {
        node.kind = token.kind == TokenKind::number ? NodeKind::number : NodeKind::text;
    } else if (token.kind == TokenKind::name) {
        --at_;
        return named();
    } else {
        throw Unreadable();
    }
    return node;
}

Node Parser::named() {
    const Token& token = next();
    Node node{.kind = NodeKind::name, .begin = token.begin, .op_begin = token.begin};
    if (builtins.count(token.text) > 0 && accept(".")) {
        next();
        node.kind = NodeKind::builtin;
    } else if (named_casts.count(token.text) > 0) {
        at_ = at_ + past_template_arguments(0);
        node.kind = NodeKind::cast;
        expect("(");
        node.children.push_back(expression(any_operator));
        expect(")");
    } else {
        while (accept("::")) next();
        // k<16><<<...
        if (const std::size_t past = past_template_arguments(0); peek(past) == "<<<") at_ += past;
    }
    node.end = end_of_last();
    node.op = node.kind == NodeKind::cast ? token.text : source_.substr(node.begin, node.end - node.begin);
    return node;
}

void Parser::arguments(std::string_view end, Node* node) {
    while (peek() != end) {
        node->children.push_back(expression(any_operator));
        if (!accept(",") && peek() != end) throw Unreadable();
    }
    next();
}

Node Parser::postfix(Node operand) {
    for (;;) {
        const std::string_view op = peek();
        Node node{.begin = operand.begin, .op = op, .op_begin = begin_of_next()};
        if (op == "[") {
            node.kind = NodeKind::subscript;
        } else if (op == "(" || op == "<<<") {
            node.kind = NodeKind::call;
        } else if (op == "++" || op == "--") {
            node.kind = NodeKind::postfix;
        } else if (op == "." || op == "->") {
            node.kind = NodeKind::member;
        } else {
            return operand;
        }
        next();
        node.children.push_back(std::move(operand));
        if (op == "[") node.children.push_back(expression(any_operator));
        if (op == "[") expect("]");
        if (op == "<<<") {
            do {
                node.children.push_back(expression(any_operator));
            } while (accept(","));
            for (int i = 0; i < 3; ++i) expect(">");
            expect("(");
        }
        if (op == "(" || op == "<<<") arguments(")", &node);
        if (node.kind == NodeKind::member) node.op = next().text;
        node.end = end_of_last();
        operand = std::move(node);
    }
}

}  // namespace lab::repair

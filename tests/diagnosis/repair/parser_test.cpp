// What the parser reads of a student's file, and what it leaves alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "common/diagnosis/repair/edits.h"
#include "common/diagnosis/repair/syntax.h"
#include "common/diagnosis/repair/tokens.h"
#include "tests/diagnosis/repair/failed_call.h"

namespace lab::repair {
namespace {

std::string text_at(const std::string& source, const Node& node) { return source.substr(node.begin, node.end - node.begin); }

// Adds the tokens of a tree in the order of the source; expects every byte between two children to be a token's or a blank.
void expect_ordered(const Node& node) {
    std::size_t at = node.begin;
    for (const Node& child : node.children) {
        EXPECT_LE(at, child.begin);
        EXPECT_LE(child.begin, child.end);
        EXPECT_LE(child.end, node.end);
        EXPECT_EQ(child.parent, &node);
        at = child.end;
        expect_ordered(child);
    }
}

bool is_counted(const Node& node) {
    return node.kind == NodeKind::if_else || node.kind == NodeKind::for_loop || node.kind == NodeKind::while_loop ||
           (node.kind == NodeKind::jump && node.op == "return");
}

// A student's text may be anything that the preprocessor leaves out, and a suite must not end of it.
TEST(Parser, ReadsAnyTextWithoutHarm) {
    const auto kernel = [](const std::string& body) { return "__global__ void f(float* p, int n) {\n" + body + "\n}\n"; };
    const auto times = [](int count, const std::string& text) {
        std::string all;
        for (int i = 0; i < count; ++i) all += text;
        return all;
    };
    constexpr int many = 50'000;
    for (const char* const text : {"(", "{", "[", "-", "if (n) ", "for (;;) ", "p[", "n ? ", "else ", "do ", "1 + ", "n = ", "f(", "<"}) {
        for (const int count : {10, many}) (void)functions_in(kernel(times(count, text)));
        (void)functions_in(times(many, text));
    }
    for (int lab = 1; lab <= 6; ++lab) {
        const std::string source = text_of(solution_of(lab));
        const auto tokens = tokens_of(source);
        // One token is missing.
        for (std::size_t i = 0; i < tokens.size(); i += 61) {
            std::string without = source;
            without.erase(tokens[i].begin, tokens[i].text.size());
            for (const auto& function : functions_in(without)) {
                if (function->is_kernel) (void)edits_of(Subject(without, *function));
            }
        }
    }
}

// Launches, and the switches around them, are of host functions, which the search does not edit.
TEST(Parser, ReadsEveryStatementOfTheSolutions) {
    std::size_t functions = 0, kernels = 0, statements = 0;
    for (int lab = 1; lab <= 6; ++lab) {
        const std::string source = text_of(solution_of(lab));
        ASSERT_FALSE(source.empty());
        for (const auto& function : functions_in(source)) {
            ++functions;
            kernels += function->is_kernel ? 1U : 0U;
            EXPECT_EQ(function->body.end, function->end) << "the whole body of " << function->name;
            expect_ordered(function->body);
            // Loops, conditions and returns that are in the text are in the tree.
            std::size_t found = 0, words = 0;
            for (const Node* const node : nodes_of(function->body)) {
                statements += is_statement(node->kind) ? 1U : 0U;
                found += is_counted(*node) ? 1U : 0U;
                if (node->kind != NodeKind::unread) continue;
                const std::string text = text_at(source, *node);
                EXPECT_TRUE(!function->is_kernel && text.find("<<<") != std::string::npos) << "lab " << lab << ": " << text;
                for (const Token& token : tokens_of(text)) found += token.is("return") ? 1U : 0U;
            }
            const std::string body = text_at(source, function->body);
            for (const Token& token : tokens_of(body))
                words += token.is("if") || token.is("for") || token.is("while") || token.is("return") ? 1U : 0U;
            EXPECT_EQ(found, words) << "lab " << lab << ": " << function->name;
        }
    }
    EXPECT_GT(functions, 45U);
    EXPECT_GT(kernels, 15U);
    EXPECT_GT(statements, 400U);
}

TEST(Parser, TokensCoverTheSourceByteForByte) {
    for (int lab = 1; lab <= 6; ++lab) {
        const std::string source = text_of(solution_of(lab));
        std::string again = source;
        std::size_t last = 0;
        for (const Token& token : tokens_of(source)) {
            EXPECT_LE(last, token.begin);
            EXPECT_EQ(source.substr(token.begin, token.text.size()), token.text);
            again.replace(token.begin, token.text.size(), token.text.size(), ' ');
            last = token.end();
        }
        // What is left are comments, preprocessor's lines and blanks.
        for (std::size_t at = 0; at < again.size();) {
            const std::size_t end = std::min(again.size(), again.find('\n', at));
            const std::size_t first = again.find_first_not_of(' ', at);
            const bool is_empty = first >= end;
            EXPECT_TRUE(is_empty || again[first] == '#' || again.compare(first, 2, "//") == 0) << again.substr(at, end - at);
            at = end + 1;
        }
    }
}

TEST(Parser, KnowsHeadsOfFunctions) {
    const std::string source =
        "constexpr int SIDE = 8;\nnamespace own {\ntemplate <int TILE, typename T>\n__global__ void __launch_bounds__(256) scale(const T* "
        "in, "
        "T* out, int n) {\n}\n}\nstruct Pair { int a; };\nint table[] = {1, 2};\nstatic inline int f() { return 0; }\n";
    const auto functions = functions_in(source);
    ASSERT_EQ(functions.size(), 2U);
    EXPECT_EQ(functions[0]->name, "scale");
    EXPECT_TRUE(functions[0]->is_kernel);
    ASSERT_EQ(functions[0]->parameters.size(), 3U);
    EXPECT_EQ(functions[0]->parameters[1].name, "out");
    EXPECT_TRUE(functions[0]->parameters[1].is_pointer());
    EXPECT_FALSE(functions[0]->parameters[2].is_pointer());
    ASSERT_EQ(functions[0]->template_values.size(), 1U);
    EXPECT_EQ(functions[0]->template_values[0].name, "TILE");
    EXPECT_EQ(functions[1]->name, "f");
    EXPECT_FALSE(functions[1]->is_kernel);
}

TEST(Parser, KnowsPrecedence) {
    const std::string source = "void f(int* a, int b) { a[b + 2 * (int)b] += b < 3 && b >> 1 > 0 ? -b : b--; b = b - 1 - 2; }";
    const auto functions = functions_in(source);
    ASSERT_EQ(functions.size(), 1U);
    const Node& statement = functions[0]->body.child(0);
    ASSERT_EQ(statement.kind, NodeKind::expression);
    const Node& assignment = statement.child(0);
    ASSERT_EQ(assignment.kind, NodeKind::assignment);
    EXPECT_EQ(assignment.op, "+=");
    EXPECT_EQ(text_at(source, assignment.child(0).child(1)), "b + 2 * (int)b");
    EXPECT_EQ(assignment.child(0).child(1).op, "+");
    ASSERT_EQ(assignment.child(1).kind, NodeKind::conditional);
    EXPECT_EQ(assignment.child(1).child(0).op, "&&");
    EXPECT_EQ(text_at(source, assignment.child(1).child(0).child(1)), "b >> 1 > 0");
    EXPECT_EQ(assignment.child(1).child(0).child(1).op, ">");
    EXPECT_EQ(text_at(source, functions[0]->body.child(1).child(0).child(1).child(0)), "b - 1");
}

TEST(Parser, ReadsLaunches) {
    const std::string source = "void f(int* a, int b) { k<16><<<dim3(b, b >> 1), 4 * b, 0>>>(a, b > 3); k<<<b, 1>>>(); }";
    const auto functions = functions_in(source);
    ASSERT_EQ(functions.size(), 1U);
    const Node& launch = functions[0]->body.child(0).child(0);
    ASSERT_EQ(launch.kind, NodeKind::call);
    ASSERT_EQ(launch.children.size(), 6U);
    EXPECT_EQ(text_at(source, launch.child(0)), "k<16>");
    EXPECT_EQ(text_at(source, launch.child(1)), "dim3(b, b >> 1)");
    EXPECT_EQ(text_at(source, launch.child(3)), "0");
    EXPECT_EQ(text_at(source, launch.child(5)), "b > 3");
    EXPECT_EQ(functions[0]->body.child(1).child(0).children.size(), 3U);
}

TEST(Parser, ReadsLabelsCastsAndMacrosOfSeveralLines) {
    const std::string source =
        "#define TRY(call) \\\n    do {          \\\n        (call);   \\\n    } while (0)\nvoid f(float* a, int n) {\n    TRY(g());\n    "
        "switch "
        "(n) {\n        case own::one:\n            a[1] = 2;\n            break;\n        default:\n            a[2] = 3;\n    }\n    "
        "a[(std::size_t)n * "
        "n] = a[(std::size_t)(n + 1)];\nfinish:\n    g(a);\n}\n";
    const auto functions = functions_in(source);
    ASSERT_EQ(functions.size(), 1U);
    const std::vector<Node>& statements = functions[0]->body.children;
    ASSERT_EQ(statements.size(), 4U);
    EXPECT_EQ(text_at(source, statements[0]), "TRY(g());");
    ASSERT_EQ(statements[1].kind, NodeKind::block);
    EXPECT_EQ(text_at(source, statements[1].child(0)), "a[1] = 2;");
    EXPECT_EQ(text_at(source, statements[1].child(2)), "a[2] = 3;");
    const Node& store = statements[2].child(0);
    EXPECT_EQ(store.child(0).child(1).child(0).kind, NodeKind::cast);
    EXPECT_EQ(store.child(1).child(1).kind, NodeKind::cast);
    EXPECT_EQ(text_at(source, statements[3]), "g(a);");
}

TEST(Parser, LeavesAloneWhatItCantRead) {
    const std::string source =
        "__global__ void f(float* a, int n) {\n    int i = threadIdx.x;\n    for (float x : {1, 2}) a[1] = x;\n"
        "    const auto g = [&](int k) { return k; };\n    a[i] = g(n);\n}\n";
    const auto functions = functions_in(source);
    ASSERT_EQ(functions.size(), 1U);
    const std::vector<Node>& statements = functions[0]->body.children;
    ASSERT_EQ(statements.size(), 4U);
    EXPECT_EQ(statements[0].kind, NodeKind::declaration);
    EXPECT_EQ(statements[1].kind, NodeKind::unread);
    EXPECT_EQ(text_at(source, statements[1]).substr(0, 9), "for (floa");
    EXPECT_EQ(statements[2].kind, NodeKind::unread);
    EXPECT_EQ(statements[3].kind, NodeKind::expression);
    // Broken text: no function, no statement, no exception.
    for (const char* const broken :
         {"", "}", "__global__ void f(", "__global__ void f() {", "__global__ void f() { a[", "void f() { ) } }", "{{{"}) {
        for (const auto& function : functions_in(broken)) EXPECT_TRUE(nodes_of(function->body).size() < 4U) << broken;
    }
}

}  // namespace
}  // namespace lab::repair

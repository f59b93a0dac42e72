// Writes a made-up class's results: write_synthetic_class STUDENTS SEED FILE
#include <cstdio>
#include <string>

#include "tests/classroom/synthetic_class.h"

int main(int argc, char** argv) {
    using namespace lab::classroom;
    constexpr int bad_input = 2;
    if (argc != 4) {
        std::fputs("write_synthetic_class STUDENTS SEED FILE\n", stderr);
        return bad_input;
    }
    synthetic::Options options;
    options.students = std::stoul(argv[1]);
    options.seed = std::stoull(argv[2]);
    Results results{std::string(argv[3])};
    (void)synthetic::fill(&results, options);
    return 0;
}

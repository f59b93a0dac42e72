// The right values of an output, and what a diagnosis knows of where they come from.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace lab::diagnosis {

// Factors of a product, for a verdict that identifies another product.
struct Factors {
    std::vector<double> M, N;
    std::size_t inner = 0;                // columns of M, rows of N
    std::size_t cols = 0;                 // of N
    std::string left = "M", right = "N";  // their names in the student's code
};

// A matrix whose elements are moved, row by row, and its name.
struct Source {
    std::string name;
    std::vector<double> values;
    std::size_t cols = 0;  // elements of a row; 0: not given
};

// Expected values of all elements, and their tolerances.
struct Expected {
    std::vector<double> value;
    std::vector<double> bound;
    std::shared_ptr<const Factors> factors = nullptr;  // a matrix product's
    std::shared_ptr<const Source> source = nullptr;    // a transpose's
};

}  // namespace lab::diagnosis

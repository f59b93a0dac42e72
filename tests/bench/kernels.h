// The kernels of the solutions in the emulator, as a student's program launches them: through the CUDA runtime, from the PTX
// in this program, with every counter on.
#pragma once

#include <string>
#include <vector>

#include "common/emulator/cuda/session.h"

namespace lab::bench {

constexpr unsigned host_threads = 2;  // that run blocks: the demands are made for two cores

enum class Kernel { global, tiled };  // lab 2's in blocks of 16 x 16, lab 3's with tiles of 16

// Counters alone, with the checks that `lab run` makes unasked, or with all that grading makes.
enum class Checking { none, usual, all };

// A launch with counters alone, or with all that the model of times wants to know of it beside them.
struct Modelled {
    Kernel kernel;
    int W;
    const char* device;
    bool times = true;
};
// Without times; each is compared with itself with them. A current GPU, and older ones that look at DRAM's rows as well, where all blocks
// of a small launch are looked at.
[[nodiscard]] const std::vector<Modelled>& modelled_launches();

// Two inputs and the product, W x W, on the host and on the emulated device.
class Product {
public:
    explicit Product(int W);
    ~Product();
    Product(const Product&) = delete;
    Product& operator=(const Product&) = delete;

    // The matrices into the emulated device's memory, unless they are there, and out of it, before another device is chosen.
    void enter_device();
    void leave_device();

    void multiply_by_loop();
    // Ends the program with a message if the launch fails or if the emulator found a fault.
    void multiply_by(Kernel kernel, Checking checking = Checking::usual);
    // With counters alone.
    void multiply_by(const Modelled& modelled);
    // How far the two products are apart at most; ends the program where one of them wasn't computed.
    [[nodiscard]] double difference();
    [[nodiscard]] double data_bytes() const;  // of all matrices, host and device

private:
    void multiply_by(Kernel kernel, const cuda::Options& options);

    int W_;
    bool looped_ = false, launched_ = false;
    std::vector<float> M_, N_, by_loop_;
    float *device_M_ = nullptr, *device_N_ = nullptr, *device_P_ = nullptr;
};

void register_kernels();

// The names under which results are kept.
[[nodiscard]] std::string loop_name(int W);
[[nodiscard]] std::string kernel_name(Kernel kernel, int W, Checking checking = Checking::usual);
[[nodiscard]] std::string kernel_name(const Modelled& modelled);

}  // namespace lab::bench

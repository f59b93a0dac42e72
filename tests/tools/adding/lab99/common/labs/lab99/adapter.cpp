// Lab 99's functions, in the form that the suite calls.
#include "common/api/lab99.h"
#include "common/runner/device_arrays.h"
#include "common/runner/invocation.h"

namespace lab::runner {
namespace {

const Register add("vector_add", [](Invocation& invocation) {
    const int blocks = invocation.integer("blocks");
    const int threads = invocation.integer("threads");
    const int n = invocation.integer("n");
    DeviceArrays arrays(invocation);
    const auto* a = arrays.data<const float>("a");
    const auto* b = arrays.data<const float>("b");
    auto* c = arrays.data<float>("c");
    arrays.call([&] { return static_cast<int>(launch_vector_add(blocks, threads, a, b, c, n)); });
});

}  // namespace
}  // namespace lab::runner

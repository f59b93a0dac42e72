// Lab 6's functions, in the form that the suite calls.
#include "common/api/lab6.h"
#include "common/runner/transposition.h"

namespace lab::runner {
namespace {

const Register row("diagonal_row", [](Invocation& invocation) { call_transposition(invocation, {16, 16}, launch_diagonal_row); });
const Register col("diagonal_col", [](Invocation& invocation) { call_transposition(invocation, {16, 16}, launch_diagonal_col); });
const Register smem_pad("diagonal_smem_pad", [](Invocation& invocation) { call_transposition(invocation, launch_diagonal_smem_pad); });

nlohmann::json to_json(const BlockChoice& choice) {
    return {{"shape", static_cast<int>(choice.shape)}, {"load_sectors", choice.load_sectors}, {"store_sectors", choice.store_sectors}};
}

const Register study("best_blocks", [](Invocation& invocation) {
    invocation.set("gtx280", to_json(best_on_gtx280));
    invocation.set("h100", to_json(best_on_h100));
});

}  // namespace
}  // namespace lab::runner

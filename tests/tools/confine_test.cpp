// lab-confine itself; tests/attacks try what student code could do about it.
#include <gtest/gtest.h>

#include "common/sandbox/sandbox.h"
#include "common/tools/process.h"
#include "common/tools/project.h"

namespace lab::tools {
namespace {

// What bash says about a connection to this machine.
std::string about_a_socket(const sandbox::Sandbox& sandbox, bool has_gpu) {
    sandbox::Reach reach;
    reach.has_gpu = has_gpu;
    const std::vector<std::string> words = sandbox.run(reach, {"/bin/bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/9"});
    return run({words, {}, {}}).output;
}

TEST(Confine, AllowsNoConnectionWithOrWithoutAGpu) {
    std::size_t tried = 0;
    for (const char* const strength : sandbox::strengths) {
        const sandbox::Sandbox sandbox(Project::current().bin("lab-confine"), strength);
        std::string why;
        if (!sandbox.can_be_had(&why)) continue;
        ++tried;
        for (const bool has_gpu : {false, true}) {
            const std::string said = about_a_socket(sandbox, has_gpu);
            EXPECT_NE(said.find("Operation not permitted"), std::string::npos) << strength << ": " << said;
        }
    }
    EXPECT_GT(tried, 0U);
}

}  // namespace
}  // namespace lab::tools

#include "common/tools/lab_runner.h"

#include "common/tools/recipe.h"
#include "common/tools/student_files.h"

namespace lab::tools {
namespace fs = std::filesystem;

std::string compiler_text(const Ending& build) {
    std::string text;
    std::size_t start = 0;
    while (start < build.output.size()) {
        std::size_t end = build.output.find('\n', start);
        if (end == std::string::npos) end = build.output.size();
        const std::string line = build.output.substr(start, end - start);
        start = end + 1;
        const auto starts = [&](const char* what) { return line.rfind(what, 0) == 0; };
        const bool command = starts("cd /") || (starts("/") && line.find(" -o ") != std::string::npos);
        if (!command && !starts("ninja: ") && !starts("FAILED: ") && !starts("[")) text += "  " + line + "\n";
    }
    return text.empty() ? build.output : text;
}

Ending build_targets(const Project& project, const std::vector<std::string>& targets, const Audience& audience) {
    Command command{{"ninja", "-C", project.build.string()}, {}, {{"NINJA_STATUS", "[%f/%t] "}}};
    command.words.insert(command.words.end(), targets.begin(), targets.end());
    const auto show = [&](const std::string& line) {
        if (line.rfind('[', 0) == 0) audience.progress.show("building " + line);
    };
    return run(command, show, audience.stop_asked);
}

// Ninja (1.11 at least) takes an object that was written after a save for up to date, even if the compiler had read the file
// before it. So what was saved meanwhile is compiled again.
Runner build_own_runner(const Project& project, const Lab& lab, const Audience& audience) {
    const std::string target = lab.name() + "_runner";
    while (true) {
        const std::string before = saved_state(project, lab);
        const Ending built = build_targets(project, {target}, audience);
        const bool saved_meanwhile = saved_state(project, lab) != before;
        if (saved_meanwhile) {
            for (const fs::path& object : Recipe(project.build, target).objects()) fs::remove(object);
        }
        if (built.stopped || interrupted()) return {{}, "interrupted; no points counted", false, true};
        if (saved_meanwhile) continue;
        if (built.ok()) return {project.bin(target), {}};
        return {{}, "your file does not compile:\n" + compiler_text(built), true};
    }
}

}  // namespace lab::tools

// Detects that a student saves a lab's file.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "common/tools/project.h"

namespace lab::tools {

// Watches the lab's folder, not its file: many editors save by writing another file and renaming it, which ends a watch on the file. If the
// system sends no notifications (some shared folders), it compares times and contents instead.
class SaveWatch {
public:
    SaveWatch(const Project& project, const Lab& lab);
    ~SaveWatch();
    SaveWatch(const SaveWatch&) = delete;
    SaveWatch& operator=(const SaveWatch&) = delete;

    // Marks everything saved up to now as seen.
    void catch_up();

    // Whether something was saved since. Fast; does not wait.
    [[nodiscard]] bool saved();

    // Waits for a save, until the file exists and has not changed for a moment: editors save in several steps. False if `give_up`, polled a
    // few times a second, returns true first.
    [[nodiscard]] bool wait(const std::function<bool()>& give_up);

private:
    // Waits for notifications at most this long. The files are compared in any case.
    void listen(std::chrono::milliseconds limit) const;
    void settle();

    const Project& project_;
    const Lab& lab_;
    int news_ = -1;
    std::string seen_;
};

}  // namespace lab::tools

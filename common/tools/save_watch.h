// Sees when a student saves a lab's file.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "common/tools/project.h"

namespace lab::tools {

// Listens to the lab's folder, not to its file: many editors save by writing another file and renaming it, and the file that was
// listened to is then gone. Where the system sends no news (some shared folders), times and contents are looked at instead.
class SaveWatch {
public:
    SaveWatch(const Project& project, const Lab& lab);
    ~SaveWatch();
    SaveWatch(const SaveWatch&) = delete;
    SaveWatch& operator=(const SaveWatch&) = delete;

    // Everything saved up to now has been seen.
    void catch_up();

    // Was something saved since? Quick, and does not wait.
    [[nodiscard]] bool saved();

    // Waits for a save, and until the file is there and has been left alone for a moment: editors save in several steps.
    // False when `give_up`, asked a few times a second, says so first.
    [[nodiscard]] bool wait(const std::function<bool()>& give_up);

private:
    // Waits for news at most so long. Without news the files are looked at all the same.
    void listen(std::chrono::milliseconds limit) const;
    void settle();

    const Project& project_;
    const Lab& lab_;
    int news_ = -1;
    std::string seen_;
};

}  // namespace lab::tools

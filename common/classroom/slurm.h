// A class on a cluster: a job array of Slurm whose tasks grade some texts each.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "common/classroom/class_run.h"

namespace lab::classroom {

struct SlurmOptions {
    bool is_wanted = false;
    std::string partition, gres;  // as sbatch takes them
    int tasks = 0;                // size of the array, at most 1000; 0: one task per 8 submissions
};

// grade_class by tasks of a job array. A task writes a file for each verdict into a folder beside the database, `database`.slurm, which all
// nodes share; this process alone gathers them into the database. What a task that ended early leaves is submitted again, twice at most.
// An earlier run's tasks are cancelled, and its verdicts are gathered. Throws BadInput as grade_class does, and if sbatch refuses.
[[nodiscard]] RunEnd grade_on_slurm(const tools::Project& project, const std::vector<tools::Lab>& labs, const Collection& collection,
                                    const RunOptions& options, const SlurmOptions& slurm, const std::filesystem::path& database,
                                    Results& results);

struct TaskOptions {
    std::string folder;  // the run's: `database`.slurm
    std::string round;   // number of the job array within the run
};

// A task of the array, which Slurm starts: grades the texts of its list. Throws BadInput.
[[nodiscard]] int grade_task(const tools::Project& project, const TaskOptions& options);

}  // namespace lab::classroom

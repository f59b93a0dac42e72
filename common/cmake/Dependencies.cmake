# Libraries for all that isn't the subject of this project: the installed one first, a pinned download after.
include(FetchContent)

function(lab_dependency name url tag)
  find_package(${name} QUIET CONFIG)
  if(NOT ${name}_FOUND)
    find_package(${name} QUIET)
  endif()
  if(NOT ${name}_FOUND)
    message(STATUS "${name} is not installed; fetching ${tag}")
    FetchContent_Declare(${name} GIT_REPOSITORY ${url} GIT_TAG ${tag} GIT_SHALLOW ON)
    FetchContent_MakeAvailable(${name})
  endif()
endfunction()

lab_dependency(GTest https://github.com/google/googletest.git v1.14.0)
lab_dependency(nlohmann_json https://github.com/nlohmann/json.git v3.11.3)
lab_dependency(fmt https://github.com/fmtlib/fmt.git 9.1.0)
lab_dependency(CLI11 https://github.com/CLIUtils/CLI11.git v2.4.1)

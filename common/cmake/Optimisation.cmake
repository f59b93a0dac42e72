# How far our own code is optimised where it is not the build type that says it.
#
#   lab_simd              link this PRIVATE in emulator libraries whose inner loops must use the widest vectors of this machine
#   lab_runs_once         link this PRIVATE in libraries that do a little work for each kernel or call, none for each access
#   lab_quick_to_build    link this PRIVATE where being quick to build matters more than being quick to run: tools, tests that mostly
#                         wait for others, and what only reads options and writes texts
#   lab_most_optimised    an option for single files that must be quick, as a generator expression
#
# A build of the type Debug has the flags that it is given, and no others: where code is only compiled, or checked by sanitizers.

set(lab_most_optimised $<$<NOT:$<CONFIG:Debug>>:-O3>)

set(LAB_EMULATOR_ARCH "native" CACHE STRING "-march of the emulator's inner loops; empty: the compiler's default")
add_library(lab_simd INTERFACE)
target_compile_options(lab_simd INTERFACE ${lab_most_optimised})
if(LAB_EMULATOR_ARCH)
  target_compile_options(lab_simd INTERFACE "-march=${LAB_EMULATOR_ARCH}" -mprefer-vector-width=512)
endif()

add_library(lab_runs_once INTERFACE)
target_compile_options(lab_runs_once INTERFACE $<$<NOT:$<CONFIG:Debug>>:-O1>)

add_library(lab_quick_to_build INTERFACE)
target_compile_options(lab_quick_to_build INTERFACE $<$<NOT:$<CONFIG:Debug>>:-O0>)

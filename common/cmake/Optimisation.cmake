# How far our own code is optimised where it is not the build type that says it.
#
#   lab_simd              link this PRIVATE in emulator libraries whose inner loops must use the widest vectors of this machine
#   lab_quick_to_build(TARGET...)    not optimised, and quick to compile: tools, tests that mostly wait for others, and what works once for
#                         each kernel or call, not for each access (PrecompiledHeaders.cmake)
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

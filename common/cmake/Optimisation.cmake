# How far our own code is optimised where it is not the build type that says it.
#
#   lab_simd              link this PRIVATE in emulator libraries whose inner loops must use the widest vectors of this machine
#   lab_quick_to_build(TARGET...)    not optimised, and quick to compile: tools, tests that mostly wait for others, and what works once for
#                         each kernel or call, not for each access (PrecompiledHeaders.cmake)
#   lab_most_optimised    an option for single files that must be quick, as a generator expression
#   lab_optimised         the same for what loads kernels: hundreds of variants of a kernel are tried one after the other
#
# A build of the type Debug has the flags that it is given, and no others: where code is only compiled, or checked by sanitizers.

set(lab_most_optimised $<$<NOT:$<CONFIG:Debug>>:-O3>)
set(lab_optimised $<$<NOT:$<CONFIG:Debug>>:-O2>)

# What this machine's processor has is asked for by -march on x86-64, and on AArch64 by -march since clang 15, by -mcpu before. A build for
# another machine asks for nothing. doctor.sh compiles its probe with the same.
set(LAB_MACHINE_OPTIONS -march= -mcpu=)
set(LAB_EMULATOR_ARCH "native" CACHE STRING "-march or -mcpu of the emulator's inner loops; empty: the compiler's default")
add_library(lab_simd INTERFACE)
target_compile_options(lab_simd INTERFACE ${lab_most_optimised})
if(LAB_EMULATOR_ARCH AND NOT (CMAKE_CROSSCOMPILING AND LAB_EMULATOR_ARCH STREQUAL "native"))
  include(CheckCXXCompilerFlag)
  foreach(option IN LISTS LAB_MACHINE_OPTIONS)
    check_cxx_compiler_flag(${option}${LAB_EMULATOR_ARCH} LAB_TAKES_${option}${LAB_EMULATOR_ARCH})
    if(LAB_TAKES_${option}${LAB_EMULATOR_ARCH})
      target_compile_options(lab_simd INTERFACE ${option}${LAB_EMULATOR_ARCH})
      break()
    endif()
  endforeach()
  check_cxx_compiler_flag(-mprefer-vector-width=512 LAB_TAKES_PREFERRED_WIDTH)
  if(LAB_TAKES_PREFERRED_WIDTH)
    target_compile_options(lab_simd INTERFACE -mprefer-vector-width=512)
  endif()
endif()

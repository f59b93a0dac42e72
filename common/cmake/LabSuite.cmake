# A lab's suite, known to ctest such that `ctest -R lab<n>` alone judges today's file:
#
#   lab_add_suite(n SOURCES lab<n>_test.cpp LIBS lab_grading ...)
#
# makes the executable lab<n>_test and one ctest test for each TEST of it, "lab<n>.Lab<n>.MatchesReference...", label lab<n>. All
# require the fixture "lab<n>_built", whose test "lab<n>.builds" builds lab<n>_test and the runners first: a
# compile error is that test's failure, with the compiler's text. Tests are read from the source at configure time (TEST and
# TEST_F only, no macros around them), so they are known before anything is built.
# The targets lab<n>_runner and lab<n>_reference, and lab<n>_runner_gpu and lab<n>_reference_gpu if the GPU measures, come from
# lab_add_runner (LabCuda.cmake).
function(lab_add_suite number)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBS")
  set(lab lab${number})
  add_executable(${lab}_test ${arg_SOURCES})
  target_link_libraries(${lab}_test PRIVATE lab_warnings GTest::gtest ${arg_LIBS})
  lab_quick_to_build(${lab}_test)
  set_target_properties(${lab}_test PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")

  set(targets ${lab}_runner ${lab}_reference)
  set(programs --runner $<TARGET_FILE:${lab}_runner> --reference $<TARGET_FILE:${lab}_reference>)
  if(TARGET ${lab}_runner_gpu)
    list(APPEND targets ${lab}_runner_gpu ${lab}_reference_gpu)
    list(APPEND programs --gpu-runner $<TARGET_FILE:${lab}_runner_gpu> --gpu-reference $<TARGET_FILE:${lab}_reference_gpu>)
  endif()
  add_test(NAME ${lab}.builds COMMAND "${CMAKE_COMMAND}" --build "${CMAKE_BINARY_DIR}" --target ${targets} ${lab}_test)
  set_tests_properties(${lab}.builds PROPERTIES FIXTURES_SETUP ${lab}_built RESOURCE_LOCK build LABELS ${lab} TIMEOUT 1200)

  gtest_add_tests(TARGET ${lab}_test SOURCES ${arg_SOURCES} TEST_PREFIX ${lab}. TEST_LIST tests
                  EXTRA_ARGS ${programs})
  set_tests_properties(${tests} PROPERTIES FIXTURES_REQUIRED ${lab}_built LABELS "${lab};labs" TIMEOUT 300 RUN_SERIAL ON)
endfunction()

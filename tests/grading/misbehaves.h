// Misbehaviours of the student's file misbehaves.cpp; selected by the number of rows that transpose is called with.
#pragma once

enum class Misdeed {
    none = 1,
    exit_0,
    underscore_exit_0,
    abort,
    null_pointer,
    endless_loop,
    sleep_without_end,
    print_and_crash,
    close_everything,
    write_everywhere,
    print_without_end,
    print_a_pass,
    write_past_the_end,
    write_before_the_start,
    copy_from_before_to_before,
    read_past_the_end,
    change_the_input,
    throw_something,
    endless_recursion,
    leave_a_child_behind,
    divide_by_zero,
    exit_after_writing,
    large_local_array,
    remember_the_past,
};

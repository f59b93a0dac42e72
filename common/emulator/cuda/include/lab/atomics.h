// Atomic functions on global and shared memory: device-wide, and with _block or _system for other scopes.
// CUDA C++ Programming Guide, "Atomic Functions". Each returns the old value.
#pragma once

#define LAB_ATOMIC static LAB_INLINE

// Scope: the device.
LAB_ATOMIC int atomicAdd(int* address, int value) { return __nvvm_atom_add_gen_i(address, value); }
LAB_ATOMIC unsigned atomicAdd(unsigned* address, unsigned value) { return (unsigned)__nvvm_atom_add_gen_i((int*)address, (int)value); }
LAB_ATOMIC unsigned long long atomicAdd(unsigned long long* address, unsigned long long value) {
    return (unsigned long long)__nvvm_atom_add_gen_ll((long long*)address, (long long)value);
}
LAB_ATOMIC int atomicExch(int* address, int value) { return __nvvm_atom_xchg_gen_i(address, value); }
LAB_ATOMIC unsigned atomicExch(unsigned* address, unsigned value) { return (unsigned)__nvvm_atom_xchg_gen_i((int*)address, (int)value); }
LAB_ATOMIC unsigned long long atomicExch(unsigned long long* address, unsigned long long value) {
    return (unsigned long long)__nvvm_atom_xchg_gen_ll((long long*)address, (long long)value);
}
LAB_ATOMIC int atomicAnd(int* address, int value) { return __nvvm_atom_and_gen_i(address, value); }
LAB_ATOMIC unsigned atomicAnd(unsigned* address, unsigned value) { return (unsigned)__nvvm_atom_and_gen_i((int*)address, (int)value); }
LAB_ATOMIC unsigned long long atomicAnd(unsigned long long* address, unsigned long long value) {
    return (unsigned long long)__nvvm_atom_and_gen_ll((long long*)address, (long long)value);
}
LAB_ATOMIC int atomicOr(int* address, int value) { return __nvvm_atom_or_gen_i(address, value); }
LAB_ATOMIC unsigned atomicOr(unsigned* address, unsigned value) { return (unsigned)__nvvm_atom_or_gen_i((int*)address, (int)value); }
LAB_ATOMIC unsigned long long atomicOr(unsigned long long* address, unsigned long long value) {
    return (unsigned long long)__nvvm_atom_or_gen_ll((long long*)address, (long long)value);
}
LAB_ATOMIC int atomicXor(int* address, int value) { return __nvvm_atom_xor_gen_i(address, value); }
LAB_ATOMIC unsigned atomicXor(unsigned* address, unsigned value) { return (unsigned)__nvvm_atom_xor_gen_i((int*)address, (int)value); }
LAB_ATOMIC unsigned long long atomicXor(unsigned long long* address, unsigned long long value) {
    return (unsigned long long)__nvvm_atom_xor_gen_ll((long long*)address, (long long)value);
}
LAB_ATOMIC int atomicMin(int* address, int value) { return __nvvm_atom_min_gen_i(address, value); }
LAB_ATOMIC unsigned atomicMin(unsigned* address, unsigned value) { return __nvvm_atom_min_gen_ui(address, value); }
LAB_ATOMIC long long atomicMin(long long* address, long long value) { return __nvvm_atom_min_gen_ll(address, value); }
LAB_ATOMIC unsigned long long atomicMin(unsigned long long* address, unsigned long long value) {
    return __nvvm_atom_min_gen_ull(address, value);
}
LAB_ATOMIC int atomicMax(int* address, int value) { return __nvvm_atom_max_gen_i(address, value); }
LAB_ATOMIC unsigned atomicMax(unsigned* address, unsigned value) { return __nvvm_atom_max_gen_ui(address, value); }
LAB_ATOMIC long long atomicMax(long long* address, long long value) { return __nvvm_atom_max_gen_ll(address, value); }
LAB_ATOMIC unsigned long long atomicMax(unsigned long long* address, unsigned long long value) {
    return __nvvm_atom_max_gen_ull(address, value);
}
LAB_ATOMIC float atomicAdd(float* address, float value) { return __nvvm_atom_add_gen_f(address, value); }
LAB_ATOMIC double atomicAdd(double* address, double value) { return __nvvm_atom_add_gen_d(address, value); }
LAB_ATOMIC float atomicExch(float* address, float value) {
    return __builtin_bit_cast(float, __nvvm_atom_xchg_gen_i((int*)address, __builtin_bit_cast(int, value)));
}
LAB_ATOMIC int atomicSub(int* address, int value) { return __nvvm_atom_add_gen_i(address, (int)(0U - (unsigned)value)); }
LAB_ATOMIC unsigned atomicSub(unsigned* address, unsigned value) {
    return (unsigned)__nvvm_atom_add_gen_i((int*)address, (int)(0U - value));
}
LAB_ATOMIC unsigned atomicInc(unsigned* address, unsigned limit) { return __nvvm_atom_inc_gen_ui(address, limit); }
LAB_ATOMIC unsigned atomicDec(unsigned* address, unsigned limit) { return __nvvm_atom_dec_gen_ui(address, limit); }
LAB_ATOMIC int atomicCAS(int* address, int expected, int value) { return __nvvm_atom_cas_gen_i(address, expected, value); }
LAB_ATOMIC unsigned atomicCAS(unsigned* address, unsigned expected, unsigned value) {
    return (unsigned)__nvvm_atom_cas_gen_i((int*)address, (int)expected, (int)value);
}
LAB_ATOMIC unsigned long long atomicCAS(unsigned long long* address, unsigned long long expected, unsigned long long value) {
    return (unsigned long long)__nvvm_atom_cas_gen_ll((long long*)address, (long long)expected, (long long)value);
}
// Scope: the block.
LAB_ATOMIC int atomicAdd_block(int* address, int value) { return __nvvm_atom_cta_add_gen_i(address, value); }
LAB_ATOMIC unsigned atomicAdd_block(unsigned* address, unsigned value) {
    return (unsigned)__nvvm_atom_cta_add_gen_i((int*)address, (int)value);
}
LAB_ATOMIC unsigned long long atomicAdd_block(unsigned long long* address, unsigned long long value) {
    return (unsigned long long)__nvvm_atom_cta_add_gen_ll((long long*)address, (long long)value);
}
LAB_ATOMIC int atomicExch_block(int* address, int value) { return __nvvm_atom_cta_xchg_gen_i(address, value); }
LAB_ATOMIC unsigned atomicExch_block(unsigned* address, unsigned value) {
    return (unsigned)__nvvm_atom_cta_xchg_gen_i((int*)address, (int)value);
}
LAB_ATOMIC unsigned long long atomicExch_block(unsigned long long* address, unsigned long long value) {
    return (unsigned long long)__nvvm_atom_cta_xchg_gen_ll((long long*)address, (long long)value);
}
LAB_ATOMIC int atomicAnd_block(int* address, int value) { return __nvvm_atom_cta_and_gen_i(address, value); }
LAB_ATOMIC unsigned atomicAnd_block(unsigned* address, unsigned value) {
    return (unsigned)__nvvm_atom_cta_and_gen_i((int*)address, (int)value);
}
LAB_ATOMIC unsigned long long atomicAnd_block(unsigned long long* address, unsigned long long value) {
    return (unsigned long long)__nvvm_atom_cta_and_gen_ll((long long*)address, (long long)value);
}
LAB_ATOMIC int atomicOr_block(int* address, int value) { return __nvvm_atom_cta_or_gen_i(address, value); }
LAB_ATOMIC unsigned atomicOr_block(unsigned* address, unsigned value) {
    return (unsigned)__nvvm_atom_cta_or_gen_i((int*)address, (int)value);
}
LAB_ATOMIC unsigned long long atomicOr_block(unsigned long long* address, unsigned long long value) {
    return (unsigned long long)__nvvm_atom_cta_or_gen_ll((long long*)address, (long long)value);
}
LAB_ATOMIC int atomicXor_block(int* address, int value) { return __nvvm_atom_cta_xor_gen_i(address, value); }
LAB_ATOMIC unsigned atomicXor_block(unsigned* address, unsigned value) {
    return (unsigned)__nvvm_atom_cta_xor_gen_i((int*)address, (int)value);
}
LAB_ATOMIC unsigned long long atomicXor_block(unsigned long long* address, unsigned long long value) {
    return (unsigned long long)__nvvm_atom_cta_xor_gen_ll((long long*)address, (long long)value);
}
LAB_ATOMIC int atomicMin_block(int* address, int value) { return __nvvm_atom_cta_min_gen_i(address, value); }
LAB_ATOMIC unsigned atomicMin_block(unsigned* address, unsigned value) { return __nvvm_atom_cta_min_gen_ui(address, value); }
LAB_ATOMIC long long atomicMin_block(long long* address, long long value) { return __nvvm_atom_cta_min_gen_ll(address, value); }
LAB_ATOMIC unsigned long long atomicMin_block(unsigned long long* address, unsigned long long value) {
    return __nvvm_atom_cta_min_gen_ull(address, value);
}
LAB_ATOMIC int atomicMax_block(int* address, int value) { return __nvvm_atom_cta_max_gen_i(address, value); }
LAB_ATOMIC unsigned atomicMax_block(unsigned* address, unsigned value) { return __nvvm_atom_cta_max_gen_ui(address, value); }
LAB_ATOMIC long long atomicMax_block(long long* address, long long value) { return __nvvm_atom_cta_max_gen_ll(address, value); }
LAB_ATOMIC unsigned long long atomicMax_block(unsigned long long* address, unsigned long long value) {
    return __nvvm_atom_cta_max_gen_ull(address, value);
}
LAB_ATOMIC float atomicAdd_block(float* address, float value) { return __nvvm_atom_cta_add_gen_f(address, value); }
LAB_ATOMIC double atomicAdd_block(double* address, double value) { return __nvvm_atom_cta_add_gen_d(address, value); }
LAB_ATOMIC float atomicExch_block(float* address, float value) {
    return __builtin_bit_cast(float, __nvvm_atom_cta_xchg_gen_i((int*)address, __builtin_bit_cast(int, value)));
}
LAB_ATOMIC int atomicSub_block(int* address, int value) { return __nvvm_atom_cta_add_gen_i(address, (int)(0U - (unsigned)value)); }
LAB_ATOMIC unsigned atomicSub_block(unsigned* address, unsigned value) {
    return (unsigned)__nvvm_atom_cta_add_gen_i((int*)address, (int)(0U - value));
}
LAB_ATOMIC unsigned atomicInc_block(unsigned* address, unsigned limit) { return __nvvm_atom_cta_inc_gen_ui(address, limit); }
LAB_ATOMIC unsigned atomicDec_block(unsigned* address, unsigned limit) { return __nvvm_atom_cta_dec_gen_ui(address, limit); }
LAB_ATOMIC int atomicCAS_block(int* address, int expected, int value) { return __nvvm_atom_cta_cas_gen_i(address, expected, value); }
LAB_ATOMIC unsigned atomicCAS_block(unsigned* address, unsigned expected, unsigned value) {
    return (unsigned)__nvvm_atom_cta_cas_gen_i((int*)address, (int)expected, (int)value);
}
LAB_ATOMIC unsigned long long atomicCAS_block(unsigned long long* address, unsigned long long expected, unsigned long long value) {
    return (unsigned long long)__nvvm_atom_cta_cas_gen_ll((long long*)address, (long long)expected, (long long)value);
}
// Scope: the whole system.
LAB_ATOMIC int atomicAdd_system(int* address, int value) { return __nvvm_atom_sys_add_gen_i(address, value); }
LAB_ATOMIC unsigned atomicAdd_system(unsigned* address, unsigned value) {
    return (unsigned)__nvvm_atom_sys_add_gen_i((int*)address, (int)value);
}
LAB_ATOMIC unsigned long long atomicAdd_system(unsigned long long* address, unsigned long long value) {
    return (unsigned long long)__nvvm_atom_sys_add_gen_ll((long long*)address, (long long)value);
}
LAB_ATOMIC int atomicExch_system(int* address, int value) { return __nvvm_atom_sys_xchg_gen_i(address, value); }
LAB_ATOMIC unsigned atomicExch_system(unsigned* address, unsigned value) {
    return (unsigned)__nvvm_atom_sys_xchg_gen_i((int*)address, (int)value);
}
LAB_ATOMIC unsigned long long atomicExch_system(unsigned long long* address, unsigned long long value) {
    return (unsigned long long)__nvvm_atom_sys_xchg_gen_ll((long long*)address, (long long)value);
}
LAB_ATOMIC int atomicAnd_system(int* address, int value) { return __nvvm_atom_sys_and_gen_i(address, value); }
LAB_ATOMIC unsigned atomicAnd_system(unsigned* address, unsigned value) {
    return (unsigned)__nvvm_atom_sys_and_gen_i((int*)address, (int)value);
}
LAB_ATOMIC unsigned long long atomicAnd_system(unsigned long long* address, unsigned long long value) {
    return (unsigned long long)__nvvm_atom_sys_and_gen_ll((long long*)address, (long long)value);
}
LAB_ATOMIC int atomicOr_system(int* address, int value) { return __nvvm_atom_sys_or_gen_i(address, value); }
LAB_ATOMIC unsigned atomicOr_system(unsigned* address, unsigned value) {
    return (unsigned)__nvvm_atom_sys_or_gen_i((int*)address, (int)value);
}
LAB_ATOMIC unsigned long long atomicOr_system(unsigned long long* address, unsigned long long value) {
    return (unsigned long long)__nvvm_atom_sys_or_gen_ll((long long*)address, (long long)value);
}
LAB_ATOMIC int atomicXor_system(int* address, int value) { return __nvvm_atom_sys_xor_gen_i(address, value); }
LAB_ATOMIC unsigned atomicXor_system(unsigned* address, unsigned value) {
    return (unsigned)__nvvm_atom_sys_xor_gen_i((int*)address, (int)value);
}
LAB_ATOMIC unsigned long long atomicXor_system(unsigned long long* address, unsigned long long value) {
    return (unsigned long long)__nvvm_atom_sys_xor_gen_ll((long long*)address, (long long)value);
}
LAB_ATOMIC int atomicMin_system(int* address, int value) { return __nvvm_atom_sys_min_gen_i(address, value); }
LAB_ATOMIC unsigned atomicMin_system(unsigned* address, unsigned value) { return __nvvm_atom_sys_min_gen_ui(address, value); }
LAB_ATOMIC long long atomicMin_system(long long* address, long long value) { return __nvvm_atom_sys_min_gen_ll(address, value); }
LAB_ATOMIC unsigned long long atomicMin_system(unsigned long long* address, unsigned long long value) {
    return __nvvm_atom_sys_min_gen_ull(address, value);
}
LAB_ATOMIC int atomicMax_system(int* address, int value) { return __nvvm_atom_sys_max_gen_i(address, value); }
LAB_ATOMIC unsigned atomicMax_system(unsigned* address, unsigned value) { return __nvvm_atom_sys_max_gen_ui(address, value); }
LAB_ATOMIC long long atomicMax_system(long long* address, long long value) { return __nvvm_atom_sys_max_gen_ll(address, value); }
LAB_ATOMIC unsigned long long atomicMax_system(unsigned long long* address, unsigned long long value) {
    return __nvvm_atom_sys_max_gen_ull(address, value);
}
LAB_ATOMIC float atomicAdd_system(float* address, float value) { return __nvvm_atom_sys_add_gen_f(address, value); }
LAB_ATOMIC double atomicAdd_system(double* address, double value) { return __nvvm_atom_sys_add_gen_d(address, value); }
LAB_ATOMIC float atomicExch_system(float* address, float value) {
    return __builtin_bit_cast(float, __nvvm_atom_sys_xchg_gen_i((int*)address, __builtin_bit_cast(int, value)));
}
LAB_ATOMIC int atomicSub_system(int* address, int value) { return __nvvm_atom_sys_add_gen_i(address, (int)(0U - (unsigned)value)); }
LAB_ATOMIC unsigned atomicSub_system(unsigned* address, unsigned value) {
    return (unsigned)__nvvm_atom_sys_add_gen_i((int*)address, (int)(0U - value));
}
LAB_ATOMIC unsigned atomicInc_system(unsigned* address, unsigned limit) { return __nvvm_atom_sys_inc_gen_ui(address, limit); }
LAB_ATOMIC unsigned atomicDec_system(unsigned* address, unsigned limit) { return __nvvm_atom_sys_dec_gen_ui(address, limit); }
LAB_ATOMIC int atomicCAS_system(int* address, int expected, int value) { return __nvvm_atom_sys_cas_gen_i(address, expected, value); }
LAB_ATOMIC unsigned atomicCAS_system(unsigned* address, unsigned expected, unsigned value) {
    return (unsigned)__nvvm_atom_sys_cas_gen_i((int*)address, (int)expected, (int)value);
}
LAB_ATOMIC unsigned long long atomicCAS_system(unsigned long long* address, unsigned long long expected, unsigned long long value) {
    return (unsigned long long)__nvvm_atom_sys_cas_gen_ll((long long*)address, (long long)expected, (long long)value);
}

#undef LAB_ATOMIC

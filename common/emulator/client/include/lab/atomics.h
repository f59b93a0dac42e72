// Atomic functions on global and shared memory: device-wide, and with _block or _system for other scopes.
// CUDA C++ Programming Guide, "Atomic Functions". Each returns the old value.
#pragma once

#define LAB_ATOMIC static LAB_INLINE

// Scope: the device. Written out, so that a compiler error about a call lists plain functions.
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
// Other scopes: an operation that is the same with and without a sign, one that is not, and all functions of a scope.
#define LAB_ATOMIC_OF_EITHER_SIGN(function, operation)                                                       \
    LAB_ATOMIC int function(int* address, int value) { return __nvvm_atom_##operation##_i(address, value); } \
    LAB_ATOMIC unsigned function(unsigned* address, unsigned value) {                                        \
        return (unsigned)__nvvm_atom_##operation##_i((int*)address, (int)value);                             \
    }                                                                                                        \
    LAB_ATOMIC unsigned long long function(unsigned long long* address, unsigned long long value) {          \
        return (unsigned long long)__nvvm_atom_##operation##_ll((long long*)address, (long long)value);      \
    }
#define LAB_ATOMIC_BY_SIGN(function, operation)                                                                                 \
    LAB_ATOMIC int function(int* address, int value) { return __nvvm_atom_##operation##_i(address, value); }                    \
    LAB_ATOMIC unsigned function(unsigned* address, unsigned value) { return __nvvm_atom_##operation##_ui(address, value); }    \
    LAB_ATOMIC long long function(long long* address, long long value) { return __nvvm_atom_##operation##_ll(address, value); } \
    LAB_ATOMIC unsigned long long function(unsigned long long* address, unsigned long long value) {                             \
        return __nvvm_atom_##operation##_ull(address, value);                                                                   \
    }
#define LAB_ATOMICS(suffix, scope)                                                                                                        \
    LAB_ATOMIC_OF_EITHER_SIGN(atomicAdd##suffix, scope##add_gen)                                                                          \
    LAB_ATOMIC_OF_EITHER_SIGN(atomicExch##suffix, scope##xchg_gen)                                                                        \
    LAB_ATOMIC_OF_EITHER_SIGN(atomicAnd##suffix, scope##and_gen)                                                                          \
    LAB_ATOMIC_OF_EITHER_SIGN(atomicOr##suffix, scope##or_gen)                                                                            \
    LAB_ATOMIC_OF_EITHER_SIGN(atomicXor##suffix, scope##xor_gen)                                                                          \
    LAB_ATOMIC_BY_SIGN(atomicMin##suffix, scope##min_gen)                                                                                 \
    LAB_ATOMIC_BY_SIGN(atomicMax##suffix, scope##max_gen)                                                                                 \
    LAB_ATOMIC float atomicAdd##suffix(float* address, float value) { return __nvvm_atom_##scope##add_gen_f(address, value); }            \
    LAB_ATOMIC double atomicAdd##suffix(double* address, double value) { return __nvvm_atom_##scope##add_gen_d(address, value); }         \
    LAB_ATOMIC float atomicExch##suffix(float* address, float value) {                                                                    \
        return __builtin_bit_cast(float, __nvvm_atom_##scope##xchg_gen_i((int*)address, __builtin_bit_cast(int, value)));                 \
    }                                                                                                                                     \
    LAB_ATOMIC int atomicSub##suffix(int* address, int value) {                                                                           \
        return __nvvm_atom_##scope##add_gen_i(address, (int)(0U - (unsigned)value));                                                      \
    }                                                                                                                                     \
    LAB_ATOMIC unsigned atomicSub##suffix(unsigned* address, unsigned value) {                                                            \
        return (unsigned)__nvvm_atom_##scope##add_gen_i((int*)address, (int)(0U - value));                                                \
    }                                                                                                                                     \
    LAB_ATOMIC unsigned atomicInc##suffix(unsigned* address, unsigned limit) { return __nvvm_atom_##scope##inc_gen_ui(address, limit); }  \
    LAB_ATOMIC unsigned atomicDec##suffix(unsigned* address, unsigned limit) { return __nvvm_atom_##scope##dec_gen_ui(address, limit); }  \
    LAB_ATOMIC int atomicCAS##suffix(int* address, int expected, int value) {                                                             \
        return __nvvm_atom_##scope##cas_gen_i(address, expected, value);                                                                  \
    }                                                                                                                                     \
    LAB_ATOMIC unsigned atomicCAS##suffix(unsigned* address, unsigned expected, unsigned value) {                                         \
        return (unsigned)__nvvm_atom_##scope##cas_gen_i((int*)address, (int)expected, (int)value);                                        \
    }                                                                                                                                     \
    LAB_ATOMIC unsigned long long atomicCAS##suffix(unsigned long long* address, unsigned long long expected, unsigned long long value) { \
        return (unsigned long long)__nvvm_atom_##scope##cas_gen_ll((long long*)address, (long long)expected, (long long)value);           \
    }
LAB_ATOMICS(_block, cta_)
LAB_ATOMICS(_system, sys_)

// Of 16 bits, by way of 32: clang has no builtin before version 17, and its host pass knows no register of 16.
LAB_ATOMIC unsigned short atomicCAS(unsigned short* address, unsigned short expected, unsigned short value) {
    unsigned old;
    asm volatile("{ .reg .b16 o, e, v; cvt.u16.u32 e, %2; cvt.u16.u32 v, %3; atom.cas.b16 o, [%1], e, v; cvt.u32.u16 %0, o; }"
                 : "=r"(old)
                 : "l"(address), "r"((unsigned)expected), "r"((unsigned)value)
                 : "memory");
    return (unsigned short)old;
}

#undef LAB_ATOMICS
#undef LAB_ATOMIC_BY_SIGN
#undef LAB_ATOMIC_OF_EITHER_SIGN
#undef LAB_ATOMIC

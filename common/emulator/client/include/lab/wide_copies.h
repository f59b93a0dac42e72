// Copies of vector types of 16 bytes and more. Device code copies them as vectors, by one load and one store of 16 bytes, like nvcc. clang
// would copy plain structs by two loads of 8 bytes, or by one per kind of element use. So these types have constructors in device code that
// accept brace initialisers; trivial_abi keeps the way they are passed to kernels.
#pragma once

#ifdef __CUDA_ARCH__
#include "lab/inline.h"

#define LAB_COPIED_WHOLE [[clang::trivial_abi]]
#define LAB_WHOLE(type, element, count)                                                          \
    type() = default;                                                                            \
    using lab_vector = element __attribute__((ext_vector_type(count), aligned(16)));             \
    __host__ LAB_INLINE lab_vector& lab_whole() { return *reinterpret_cast<lab_vector*>(this); } \
    __host__ LAB_INLINE const lab_vector& lab_whole() const { return *reinterpret_cast<const lab_vector*>(this); }
#define LAB_ELEMENT(name) __builtin_is_constant_evaluated() ? other.name : other.lab_whole().name
#define LAB_COPIED_PAIR(type, element)                                                              \
    LAB_WHOLE(type, element, 2)                                                                     \
    __host__ LAB_INLINE constexpr type(element first, element second = 0) : x(first), y(second) {}  \
    __host__ LAB_INLINE constexpr type(const type& other) : x(LAB_ELEMENT(x)), y(LAB_ELEMENT(y)) {} \
    __host__ LAB_INLINE constexpr type& operator=(const type& other) {                              \
        if (!__builtin_is_constant_evaluated()) {                                                   \
            lab_whole() = other.lab_whole();                                                        \
        } else {                                                                                    \
            x = other.x;                                                                            \
            y = other.y;                                                                            \
        }                                                                                           \
        return *this;                                                                               \
    }
#define LAB_COPIED_FOUR(type, element)                                                                                                    \
    LAB_WHOLE(type, element, 4)                                                                                                           \
    __host__ LAB_INLINE constexpr type(element first, element second = 0, element third = 0, element last = 0)                            \
        : x(first), y(second), z(third), w(last) {}                                                                                       \
    __host__ LAB_INLINE constexpr type(const type& other) : x(LAB_ELEMENT(x)), y(LAB_ELEMENT(y)), z(LAB_ELEMENT(z)), w(LAB_ELEMENT(w)) {} \
    __host__ LAB_INLINE constexpr type& operator=(const type& other) {                                                                    \
        if (!__builtin_is_constant_evaluated()) {                                                                                         \
            lab_whole() = other.lab_whole();                                                                                              \
        } else {                                                                                                                          \
            x = other.x;                                                                                                                  \
            y = other.y;                                                                                                                  \
            z = other.z;                                                                                                                  \
            w = other.w;                                                                                                                  \
        }                                                                                                                                 \
        return *this;                                                                                                                     \
    }
#else
#define LAB_COPIED_WHOLE
#define LAB_COPIED_PAIR(type, element)
#define LAB_COPIED_FOUR(type, element)
#endif

// Loads and stores with a cache hint. The hint changes neither results nor the emulator's counters. CUDA C++ Programming Guide, "Load/Store
// Functions Using Cache Hints".
#pragma once

template <class T>
static LAB_INLINE T __ldg(const T* address) {
    return *address;
}
template <class T>
static LAB_INLINE T __ldcg(const T* address) {
    return *address;
}
template <class T>
static LAB_INLINE T __ldca(const T* address) {
    return *address;
}
template <class T>
static LAB_INLINE T __ldcs(const T* address) {
    return *address;
}
template <class T>
static LAB_INLINE T __ldlu(const T* address) {
    return *address;
}
template <class T>
static LAB_INLINE T __ldcv(const T* address) {
    return *static_cast<const volatile T*>(address);
}
template <class T>
static LAB_INLINE void __stwb(T* address, T value) {
    *address = value;
}
template <class T>
static LAB_INLINE void __stcg(T* address, T value) {
    *address = value;
}
template <class T>
static LAB_INLINE void __stcs(T* address, T value) {
    *address = value;
}
template <class T>
static LAB_INLINE void __stwt(T* address, T value) {
    *address = value;
}

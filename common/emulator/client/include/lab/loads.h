// Loads and stores with a cache hint. The hint changes neither results nor the emulator's counters. CUDA C++ Programming Guide, "Load/Store
// Functions Using Cache Hints".
#pragma once

#define LAB_LOAD(name, qualifier)                         \
    template <class T>                                    \
    static LAB_INLINE T name(const T* address) {          \
        return *static_cast<const qualifier T*>(address); \
    }
#define LAB_STORE(name)                                \
    template <class T>                                 \
    static LAB_INLINE void name(T* address, T value) { \
        *address = value;                              \
    }
LAB_LOAD(__ldg, )
LAB_LOAD(__ldcg, )
LAB_LOAD(__ldca, )
LAB_LOAD(__ldcs, )
LAB_LOAD(__ldlu, )
LAB_LOAD(__ldcv, volatile)
LAB_STORE(__stwb)
LAB_STORE(__stcg)
LAB_STORE(__stcs)
LAB_STORE(__stwt)
#undef LAB_STORE
#undef LAB_LOAD

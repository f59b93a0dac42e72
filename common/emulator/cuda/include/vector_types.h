// CUDA's vector types: structs of 1 to 4 elements of one type. Those of 2 and 4 are aligned to their size (at most 16), so that the
// compiler may load them by one instruction (CUDA C++ Programming Guide, "Built-in Vector Types").
#pragma once

#define __VECTOR_TYPES_H__  // public helper headers test for it

#include "host_defines.h"
#include "lab/wide_copies.h"

struct char1 {
    signed char x;
};
struct alignas(2) char2 {
    signed char x, y;
};
struct char3 {
    signed char x, y, z;
};
struct alignas(4) char4 {
    signed char x, y, z, w;
};
struct uchar1 {
    unsigned char x;
};
struct alignas(2) uchar2 {
    unsigned char x, y;
};
struct uchar3 {
    unsigned char x, y, z;
};
struct alignas(4) uchar4 {
    unsigned char x, y, z, w;
};
struct short1 {
    short x;
};
struct alignas(4) short2 {
    short x, y;
};
struct short3 {
    short x, y, z;
};
struct alignas(8) short4 {
    short x, y, z, w;
};
struct ushort1 {
    unsigned short x;
};
struct alignas(4) ushort2 {
    unsigned short x, y;
};
struct ushort3 {
    unsigned short x, y, z;
};
struct alignas(8) ushort4 {
    unsigned short x, y, z, w;
};
struct int1 {
    int x;
};
struct alignas(8) int2 {
    int x, y;
};
struct int3 {
    int x, y, z;
};
struct LAB_COPIED_WHOLE alignas(16) int4 {
    int x, y, z, w;
    LAB_COPIED_FOUR(int4, int)
};
struct uint1 {
    unsigned int x;
};
struct alignas(8) uint2 {
    unsigned int x, y;
};
struct uint3 {
    unsigned int x, y, z;
};
struct LAB_COPIED_WHOLE alignas(16) uint4 {
    unsigned int x, y, z, w;
    LAB_COPIED_FOUR(uint4, unsigned int)
};
struct long1 {
    long x;
};
struct LAB_COPIED_WHOLE alignas(16) long2 {
    long x, y;
    LAB_COPIED_PAIR(long2, long)
};
struct long3 {
    long x, y, z;
};
struct LAB_COPIED_WHOLE alignas(16) long4 {
    long x, y, z, w;
    LAB_COPIED_FOUR(long4, long)
};
struct ulong1 {
    unsigned long x;
};
struct LAB_COPIED_WHOLE alignas(16) ulong2 {
    unsigned long x, y;
    LAB_COPIED_PAIR(ulong2, unsigned long)
};
struct ulong3 {
    unsigned long x, y, z;
};
struct LAB_COPIED_WHOLE alignas(16) ulong4 {
    unsigned long x, y, z, w;
    LAB_COPIED_FOUR(ulong4, unsigned long)
};
struct longlong1 {
    long long x;
};
struct LAB_COPIED_WHOLE alignas(16) longlong2 {
    long long x, y;
    LAB_COPIED_PAIR(longlong2, long long)
};
struct longlong3 {
    long long x, y, z;
};
struct LAB_COPIED_WHOLE alignas(16) longlong4 {
    long long x, y, z, w;
    LAB_COPIED_FOUR(longlong4, long long)
};
struct ulonglong1 {
    unsigned long long x;
};
struct LAB_COPIED_WHOLE alignas(16) ulonglong2 {
    unsigned long long x, y;
    LAB_COPIED_PAIR(ulonglong2, unsigned long long)
};
struct ulonglong3 {
    unsigned long long x, y, z;
};
struct LAB_COPIED_WHOLE alignas(16) ulonglong4 {
    unsigned long long x, y, z, w;
    LAB_COPIED_FOUR(ulonglong4, unsigned long long)
};
struct float1 {
    float x;
};
struct alignas(8) float2 {
    float x, y;
};
struct float3 {
    float x, y, z;
};
struct LAB_COPIED_WHOLE alignas(16) float4 {
    float x, y, z, w;
    LAB_COPIED_FOUR(float4, float)
};
struct double1 {
    double x;
};
struct LAB_COPIED_WHOLE alignas(16) double2 {
    double x, y;
    LAB_COPIED_PAIR(double2, double)
};
struct double3 {
    double x, y, z;
};
struct LAB_COPIED_WHOLE alignas(16) double4 {
    double x, y, z, w;
    LAB_COPIED_FOUR(double4, double)
};

// Sizes of grids and blocks; omitted components are 1.
struct dim3 {
    unsigned int x, y, z;
    __host__ __device__ constexpr dim3(unsigned int width = 1, unsigned int height = 1, unsigned int depth = 1)
        : x(width), y(height), z(depth) {}
    __host__ __device__ constexpr dim3(uint3 size) : x(size.x), y(size.y), z(size.z) {}
    __host__ __device__ constexpr operator uint3() const { return {x, y, z}; }
};

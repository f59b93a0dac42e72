// Compute-bound kernels.
#pragma once

#include "tests/model/other_kernels/streams.cuh"

namespace other {

__global__ void approximations(float* out, const float* in, int n) {
    const int i = thread_in_grid();
    if (i >= n) {
        return;
    }
    float value = in[i];
    for (int k = 0; k < 16; ++k) {
        value = __expf(-value) + __sinf(value);
    }
    out[i] = value;
}

__global__ void exact_functions(float* out, const float* in, int n) {
    const int i = thread_in_grid();
    if (i >= n) {
        return;
    }
    float value = in[i];
    for (int k = 0; k < 8; ++k) {
        value = expf(-value) + sqrtf(value) + 1.0f / (value + 2);
    }
    out[i] = value;
}

__global__ void hashes(unsigned* out, int n) {
    const int i = thread_in_grid();
    if (i >= n) {
        return;
    }
    unsigned hash = i;
    for (int k = 0; k < 64; ++k) {
        hash ^= hash << 13U;
        hash ^= hash >> 17U;
        hash ^= hash << 5U;
    }
    out[i] = hash;
}

__global__ void remainders(unsigned* out, int n, unsigned divisor) {
    const int i = thread_in_grid();
    if (i >= n) {
        return;
    }
    unsigned value = i;
    for (int k = 0; k < 16; ++k) {
        value = (value * 31U + 7U) % divisor;
    }
    out[i] = value;
}

// `CHAINS` independent chains of dependent multiplications.
template <typename T, int CHAINS>
__global__ void chains(T* out, T factor) {
    const int i = thread_in_grid();
    T values[CHAINS];
    for (int chain = 0; chain < CHAINS; ++chain) {
        values[chain] = T(i + chain);
    }
    for (int k = 0; k < 512; ++k) {
        for (T& value : values) {
            value = value * factor + T(1);
        }
    }
    T sum = 0;
    for (const T value : values) {
        sum += value;
    }
    out[i] = sum;
}

__global__ void bank_conflicts(float* out, int stride) {
    __shared__ float values[1024];
    const int t = threadIdx.x;
    values[t] = t;
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < 256; ++k) {
        sum += values[((t % 32) * stride + k) & 1023];
    }
    out[thread_in_grid()] = sum;
}

__global__ void mandelbrot(int* steps, int side) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    const float real = x * 3.0f / side - 2, imaginary = y * 2.0f / side - 1;
    float a = 0, b = 0;
    int k = 0;
    while (k < 100 && a * a + b * b < 4) {
        const float next = a * a - b * b + real;
        b = 2 * a * b + imaginary;
        a = next;
        ++k;
    }
    steps[y * side + x] = k;
}

// An array per thread, with indices unknown to the compiler: local memory.
__global__ void own_array(float* out, const unsigned* from, int n) {
    const int i = thread_in_grid();
    if (i >= n) {
        return;
    }
    float values[64];
    for (int k = 0; k < 64; ++k) {
        values[k] = float(k) * float(i);
    }
    float sum = 0;
    for (int k = 0; k < 64; ++k) {
        sum += values[(from[i % 1024] + k * 7) & 63U];
    }
    out[i] = sum;
}

// Tiles of 64x64, of which each of 256 threads has 4x4 elements in registers.
__global__ void product_in_registers(float* C, const float* A, const float* B, int side) {
    constexpr int TILE = 64, DEPTH = 16, EACH = 4;
    __shared__ float a[DEPTH][TILE], b[DEPTH][TILE];
    float c[EACH][EACH] = {};
    const int tx = threadIdx.x % (TILE / EACH), ty = threadIdx.x / (TILE / EACH);
    const int row = blockIdx.y * TILE, column = blockIdx.x * TILE;
    for (int k = 0; k < side; k += DEPTH) {
        for (int e = threadIdx.x; e < TILE * DEPTH; e += blockDim.x) {
            a[e % DEPTH][e / DEPTH] = A[size_t(row + e / DEPTH) * side + k + e % DEPTH];
            b[e / TILE][e % TILE] = B[size_t(k + e / TILE) * side + column + e % TILE];
        }
        __syncthreads();
        for (int depth = 0; depth < DEPTH; ++depth) {
            for (int i = 0; i < EACH; ++i) {
                for (int j = 0; j < EACH; ++j) {
                    c[i][j] += a[depth][ty * EACH + i] * b[depth][tx * EACH + j];
                }
            }
        }
        __syncthreads();
    }
    for (int i = 0; i < EACH; ++i) {
        for (int j = 0; j < EACH; ++j) {
            C[size_t(row + ty * EACH + i) * side + column + tx * EACH + j] = c[i][j];
        }
    }
}

__global__ void attractions(float4* forces, const float4* bodies, int n) {
    extern __shared__ float4 others[];
    const float4 own = bodies[thread_in_grid()];
    float x = 0, y = 0, z = 0;
    for (int from = 0; from < n; from += blockDim.x) {
        others[threadIdx.x] = bodies[from + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < blockDim.x; ++j) {
            const float4 other = others[j];
            const float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
            const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
            const float strength = other.w * inverse * inverse * inverse;
            x += dx * strength;
            y += dy * strength;
            z += dz * strength;
        }
        __syncthreads();
    }
    forces[thread_in_grid()] = make_float4(x, y, z, 0);
}

}  // namespace other

// All-pairs gravity: a tile of bodies (float4: position and mass) in shared memory, several leapfrog steps.
#include <cmath>
#include <cstdio>
#include <vector>

#define SOFTENING 1e-3f

__device__ float3 bodyBodyInteraction(float3 ai, float4 bi, float4 bj) {
    float3 r = make_float3(bj.x - bi.x, bj.y - bi.y, bj.z - bi.z);
    float distSqr = r.x * r.x + r.y * r.y + r.z * r.z + SOFTENING;
    float invDist = rsqrtf(distSqr);
    float invDistCube = invDist * invDist * invDist;
    float s = bj.w * invDistCube;
    ai.x += r.x * s;
    ai.y += r.y * s;
    ai.z += r.z * s;
    return ai;
}

__global__ void integrateBodies(float4* newPos, const float4* oldPos, float4* vel, int n, float dt) {
    extern __shared__ float4 sharedPos[];
    int index = blockIdx.x * blockDim.x + threadIdx.x;
    float4 position = index < n ? oldPos[index] : make_float4(0, 0, 0, 0);
    float3 acc = {0.0f, 0.0f, 0.0f};
    for (int tile = 0; tile * blockDim.x < n; tile++) {
        int j = tile * blockDim.x + threadIdx.x;
        sharedPos[threadIdx.x] = j < n ? oldPos[j] : make_float4(0.f, 0.f, 0.f, 0.f);
        __syncthreads();
#pragma unroll 8
        for (unsigned k = 0; k < blockDim.x; k++) acc = bodyBodyInteraction(acc, position, sharedPos[k]);
        __syncthreads();
    }
    if (index >= n) return;
    float4 v = vel[index];
    v.x += acc.x * dt;
    v.y += acc.y * dt;
    v.z += acc.z * dt;
    position.x += v.x * dt;
    position.y += v.y * dt;
    position.z += v.z * dt;
    newPos[index] = position;
    vel[index] = v;
}

struct Body {
    double x, y, z, m, vx, vy, vz;
};

int main() {
    const int n = 300, steps = 3, block = 64;
    const float dt = 0.01f;
    std::vector<float4> pos(n), vel(n);
    std::vector<Body> ref(n);
    unsigned state = 1;
    auto uniform = [&state]() {
        state = state * 1103515245u + 12345u;
        return (float)((state >> 8) & 0xffff) / 65536.0f;
    };
    for (int i = 0; i < n; i++) {
        pos[i] = make_float4(uniform() * 2 - 1, uniform() * 2 - 1, uniform() * 2 - 1, uniform() / n);
        vel[i] = make_float4(uniform() - 0.5f, uniform() - 0.5f, uniform() - 0.5f, 0);
        ref[i] = Body{pos[i].x, pos[i].y, pos[i].z, pos[i].w, vel[i].x, vel[i].y, vel[i].z};
    }
    float4 *d_pos[2], *d_vel;
    for (auto& p : d_pos) cudaMalloc(&p, n * sizeof(float4));
    cudaMalloc(&d_vel, n * sizeof(float4));
    cudaMemcpy(d_pos[0], pos.data(), n * sizeof(float4), cudaMemcpyHostToDevice);
    cudaMemcpy(d_vel, vel.data(), n * sizeof(float4), cudaMemcpyHostToDevice);
    for (int s = 0; s < steps; s++)
        integrateBodies<<<(n + block - 1) / block, block, block * sizeof(float4)>>>(d_pos[1 - s % 2], d_pos[s % 2], d_vel, n, dt);
    cudaMemcpy(pos.data(), d_pos[steps % 2], n * sizeof(float4), cudaMemcpyDeviceToHost);

    for (int s = 0; s < steps; s++) {
        std::vector<Body> next = ref;
        for (int i = 0; i < n; i++) {
            double ax = 0, ay = 0, az = 0;
            for (int j = 0; j < n; j++) {
                double dx = ref[j].x - ref[i].x, dy = ref[j].y - ref[i].y, dz = ref[j].z - ref[i].z;
                double inv = 1.0 / std::sqrt(dx * dx + dy * dy + dz * dz + SOFTENING);
                double f = ref[j].m * inv * inv * inv;
                ax += dx * f;
                ay += dy * f;
                az += dz * f;
            }
            next[i].x += (next[i].vx += ax * dt) * dt;
            next[i].y += (next[i].vy += ay * dt) * dt;
            next[i].z += (next[i].vz += az * dt) * dt;
        }
        ref = next;
    }
    double worst = 0;
    for (int i = 0; i < n; i++)
        worst = std::fmax(
            worst, std::fmax(std::fabs(pos[i].x - ref[i].x), std::fmax(std::fabs(pos[i].y - ref[i].y), std::fabs(pos[i].z - ref[i].z))));
    for (auto& p : d_pos) cudaFree(p);
    cudaFree(d_vel);
    cudaError_t e = cudaGetLastError();
    bool ok = worst < 1e-5 && e == cudaSuccess;
    printf("%d bodies, %d steps, largest error %g (%s)\n%s\n", n, steps, worst, cudaGetErrorString(e), ok ? "PASSED" : "FAILED");
    return ok ? 0 : 1;
}

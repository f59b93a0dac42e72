// Breadth-first levels of a graph (frontier bitmap, then queue with atomics) and connected components by union-find.
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <queue>
#include <vector>

__global__ void bfs_level(const int* start, const int* edges, int* level, int n, int current, bool* changed) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n || level[v] != current) return;
    for (int e = start[v]; e < start[v + 1]; ++e)
        if (atomicCAS(&level[edges[e]], -1, current + 1) == -1) *changed = true;
}

__global__ void bfs_queue(const int* start, const int* edges, int* level, const int* from, int from_size, int* to, int* to_size,
                          int current) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < from_size; i += gridDim.x * blockDim.x) {
        int v = from[i];
        for (int e = start[v]; e < start[v + 1]; ++e)
            if (atomicCAS(&level[edges[e]], -1, current + 1) == -1) to[atomicAdd(to_size, 1)] = edges[e];
    }
}

__device__ int find_root(volatile int* parent, int v) {
    while (parent[v] != v) v = parent[v];
    return v;
}

__global__ void unite_edges(const int* start, const int* edges, int* parent, int n) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n) return;
    for (int e = start[v]; e < start[v + 1]; ++e) {
        int a = v, b = edges[e];
        while (true) {
            a = find_root(parent, a);
            b = find_root(parent, b);
            if (a == b) break;
            int high = max(a, b), low = min(a, b);
            if (atomicCAS(&parent[high], high, low) == high) break;
        }
    }
}

__global__ void flatten(int* parent, int n) {
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n) atomicExch(&parent[v], find_root(parent, v));
}

int main() {
    const int n = 2000;
    std::vector<std::vector<int>> neighbours(n);
    for (int v = 0; v < n; ++v)
        for (int k = 1; k <= v % 4; ++k) {
            int u = (int)((v * 48271ull + k * 7919ull) % n);
            if (u % 10 != v % 10 && (u % 10 == 9 || v % 10 == 9)) continue;  // vertices ending in 9 keep to themselves
            neighbours[v].push_back(u);
            neighbours[u].push_back(v);
        }
    std::vector<int> start{0}, edges;
    for (auto& list : neighbours) {
        edges.insert(edges.end(), list.begin(), list.end());
        start.push_back((int)edges.size());
    }
    const int source = 3;
    std::vector<int> want(n, -1), got(n), root(n, -1);
    std::queue<int> todo;
    want[source] = 0;
    for (todo.push(source); !todo.empty(); todo.pop())
        for (int u : neighbours[todo.front()])
            if (want[u] < 0) {
                want[u] = want[todo.front()] + 1;
                todo.push(u);
            }
    for (int v = 0; v < n; ++v) {
        if (root[v] >= 0) continue;
        root[v] = v;
        std::vector<int> stack{v};
        while (!stack.empty()) {
            int at = stack.back();
            stack.pop_back();
            for (int u : neighbours[at])
                if (root[u] < 0) {
                    root[u] = v;
                    stack.push_back(u);
                }
        }
    }
    int *d_start, *d_edges, *d_level, *queues[2], *sizes;
    bool *d_changed, changed = true;
    cudaMalloc(&d_start, start.size() * sizeof(int));
    cudaMalloc(&d_edges, edges.size() * sizeof(int));
    cudaMalloc(&d_level, n * sizeof(int));
    cudaMalloc(&d_changed, sizeof(bool));
    for (int*& q : queues) cudaMalloc(&q, n * sizeof(int));
    cudaMalloc(&sizes, sizeof(int));
    cudaMemcpy(d_start, start.data(), start.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_edges, edges.data(), edges.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(d_level, -1, n * sizeof(int));
    cudaMemset(d_level + source, 0, sizeof(int));
    for (int current = 0; changed; ++current) {
        changed = false;
        cudaMemcpy(d_changed, &changed, 1, cudaMemcpyHostToDevice);
        bfs_level<<<(n + 127) / 128, 128>>>(d_start, d_edges, d_level, n, current, d_changed);
        cudaMemcpy(&changed, d_changed, 1, cudaMemcpyDeviceToHost);
    }
    cudaMemcpy(got.data(), d_level, n * sizeof(int), cudaMemcpyDeviceToHost);
    bool ok = got == want;
    printf("by levels: %s, deepest %d\n", ok ? "ok" : "wrong", *std::max_element(got.begin(), got.end()));

    cudaMemset(d_level, -1, n * sizeof(int));
    cudaMemset(d_level + source, 0, sizeof(int));
    cudaMemcpy(queues[0], &source, sizeof(int), cudaMemcpyHostToDevice);
    for (int current = 0, size = 1; size > 0; ++current) {
        cudaMemset(sizes, 0, sizeof(int));
        bfs_queue<<<4, 128>>>(d_start, d_edges, d_level, queues[current % 2], size, queues[1 - current % 2], sizes, current);
        cudaMemcpy(&size, sizes, sizeof(int), cudaMemcpyDeviceToHost);
    }
    cudaMemcpy(got.data(), d_level, n * sizeof(int), cudaMemcpyDeviceToHost);
    ok = ok && got == want;
    printf("by queue: %s\n", got == want ? "ok" : "wrong");

    std::iota(got.begin(), got.end(), 0);
    cudaMemcpy(d_level, got.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    unite_edges<<<(n + 127) / 128, 128>>>(d_start, d_edges, d_level, n);
    flatten<<<(n + 127) / 128, 128>>>(d_level, n);
    cudaMemcpy(got.data(), d_level, n * sizeof(int), cudaMemcpyDeviceToHost);
    ok = ok && got == root;
    printf("union-find: %s\n", got == root ? "ok" : "wrong");
    for (int* p : {d_start, d_edges, d_level, queues[0], queues[1], sizes}) cudaFree(p);
    cudaFree(d_changed);
    ok = ok && cudaGetLastError() == cudaSuccess;
    puts(ok ? "PASSED" : "FAILED");
    return !ok;
}

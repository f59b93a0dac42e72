// Bytes that nobody writes and nobody uses, memory that the host writes directly, and one value that many threads store.
#include <cstdio>

struct Padded {
    double d;
    int i;
    char c;
};
struct __align__(16) Point {
    float x, y, z;
};
struct Node {
    int value;
    Node* next;
};

__global__ void fill(Padded* a, Point* p) {
    a[threadIdx.x].d = 1;
    a[threadIdx.x].i = 2;
    a[threadIdx.x].c = 3;
    p[threadIdx.x].x = p[threadIdx.x].y = p[threadIdx.x].z = 4;
}
__global__ void copy(Padded* a, Point* p) {
    a[threadIdx.x + 32] = a[threadIdx.x];
    p[threadIdx.x + 32] = p[threadIdx.x];
}
__global__ void visit(const Node* node, const unsigned char* white, int* level, int* changed, int depth) {
    for (; node != nullptr; node = node->next) level[node->value] = depth + white[node->value];
    if (threadIdx.x < 20) *changed = 1;
    if (threadIdx.x > 10) *changed = depth / depth;
}

int main() {
    Padded *a, padded[64];
    Point *p, points[64];
    cudaMalloc(&a, sizeof padded);
    cudaMalloc(&p, sizeof points);
    fill<<<1, 32>>>(a, p);
    copy<<<1, 32>>>(a, p);
    cudaMemcpy(padded, a, sizeof padded, cudaMemcpyDeviceToHost);
    cudaMemcpy(points, p, sizeof points, cudaMemcpyDeviceToHost);
    Node* list = nullptr;
    for (int i = 0; i < 3; ++i) {
        Node* node;
        cudaMallocManaged(&node, sizeof *node);
        *node = {i, list};
        list = node;
    }
    unsigned char* white;
    cudaMallocHost(&white, 100);
    for (int i = 0; i < 3; ++i) white[i] = 255;
    int *level, host[4];
    cudaMalloc(&level, sizeof host);
    visit<<<3, 64>>>(list, white, level, level + 3, 7);
    cudaMemcpy(host, level, sizeof host, cudaMemcpyDeviceToHost);
    while (list != nullptr) {
        Node* const next = list->next;
        cudaFree(list);
        list = next;
    }
    cudaFree(a);
    cudaFree(p);
    cudaFree(level);
    cudaFreeHost(white);
    printf("%d %d %g\n", host[2], host[3], points[40].z + padded[40].i);
    return cudaGetLastError() != cudaSuccess || host[2] != 262 || host[3] != 1;
}

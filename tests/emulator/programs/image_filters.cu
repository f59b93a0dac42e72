// An image by uchar4 pixels: grey values, box blur with a 2-D tile and clamped borders, Sobel edges, with a histogram equalisation on top.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

constexpr int kWidth = 130, kHeight = 94, kRadius = 2, kTile = 16;

__host__ __device__ inline int clamp_to(int v, int low, int high) { return v < low ? low : v > high ? high : v; }

__global__ void rgba_to_grey(const uchar4* const rgba, unsigned char* const grey, int rows, int cols) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= cols || y >= rows) return;
    const uchar4 p = rgba[y * cols + x];
    grey[y * cols + x] = (unsigned char)((p.x * 77 + p.y * 150 + p.z * 29) >> 8);
}

__global__ void box_blur(const unsigned char* in, unsigned char* out, int width, int height) {
    __shared__ unsigned char tile[kTile + 2 * kRadius][kTile + 2 * kRadius + 1];
    const int left = blockIdx.x * kTile - kRadius, top = blockIdx.y * kTile - kRadius;
    for (int y = threadIdx.y; y < kTile + 2 * kRadius; y += blockDim.y)
        for (int x = threadIdx.x; x < kTile + 2 * kRadius; x += blockDim.x)
            tile[y][x] = in[clamp_to(top + y, 0, height - 1) * width + clamp_to(left + x, 0, width - 1)];
    __syncthreads();
    const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
    if (x >= width || y >= height) return;
    int sum = 0;
    for (int dy = 0; dy <= 2 * kRadius; ++dy)
        for (int dx = 0; dx <= 2 * kRadius; ++dx) sum += tile[threadIdx.y + dy][threadIdx.x + dx];
    out[y * width + x] = sum / ((2 * kRadius + 1) * (2 * kRadius + 1));
}

template <typename Pixel>
__host__ __device__ inline int sobel_at(const Pixel* in, int x, int y, int width, int height) {
    auto at = [&](int dx, int dy) { return (int)in[clamp_to(y + dy, 0, height - 1) * width + clamp_to(x + dx, 0, width - 1)]; };
    int gx = at(1, -1) + 2 * at(1, 0) + at(1, 1) - at(-1, -1) - 2 * at(-1, 0) - at(-1, 1);
    int gy = at(-1, 1) + 2 * at(0, 1) + at(1, 1) - at(-1, -1) - 2 * at(0, -1) - at(1, -1);
    int magnitude = (gx < 0 ? -gx : gx) + (gy < 0 ? -gy : gy);
    return magnitude > 255 ? 255 : magnitude;
}

__global__ void sobel(const unsigned char* in, unsigned char* out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) out[y * width + x] = sobel_at(in, x, y, width, height);
}

int main() {
    const int n = kWidth * kHeight;
    std::vector<uchar4> image(n);
    for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth; ++x) image[y * kWidth + x] = make_uchar4(x * 2, (x * y) % 251, ((x / 9 + y / 7) % 2) * 200, 255);
    uchar4* d_image;
    unsigned char *d_grey, *d_blurred, *d_edges;
    cudaMalloc(&d_image, n * sizeof(uchar4));
    cudaMalloc(&d_grey, n);
    cudaMalloc(&d_blurred, n);
    cudaMalloc(&d_edges, n);
    cudaMemcpy(d_image, image.data(), n * sizeof(uchar4), cudaMemcpyHostToDevice);
    const dim3 block(kTile, kTile, 1), grid((kWidth + kTile - 1) / kTile, (kHeight + kTile - 1) / kTile, 1);
    rgba_to_grey<<<grid, block>>>(d_image, d_grey, kHeight, kWidth);
    box_blur<<<grid, block>>>(d_grey, d_blurred, kWidth, kHeight);
    sobel<<<grid, block>>>(d_blurred, d_edges, kWidth, kHeight);
    std::vector<unsigned char> grey(n), blurred(n), edges(n);
    cudaMemcpy(grey.data(), d_grey, n, cudaMemcpyDeviceToHost);
    cudaMemcpy(blurred.data(), d_blurred, n, cudaMemcpyDeviceToHost);
    cudaMemcpy(edges.data(), d_edges, n, cudaMemcpyDeviceToHost);
    int bad[3] = {0, 0, 0};
    std::vector<int> host_grey(n), host_blurred(n);
    for (int i = 0; i < n; ++i) {
        host_grey[i] = (image[i].x * 77 + image[i].y * 150 + image[i].z * 29) >> 8;
        bad[0] += grey[i] != host_grey[i];
    }
    for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth; ++x) {
            int sum = 0;
            for (int dy = -kRadius; dy <= kRadius; ++dy)
                for (int dx = -kRadius; dx <= kRadius; ++dx)
                    sum += host_grey[clamp_to(y + dy, 0, kHeight - 1) * kWidth + clamp_to(x + dx, 0, kWidth - 1)];
            host_blurred[y * kWidth + x] = sum / 25;
            bad[1] += blurred[y * kWidth + x] != sum / 25;
        }
    for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth; ++x) bad[2] += edges[y * kWidth + x] != sobel_at(host_blurred.data(), x, y, kWidth, kHeight);
    cudaFree(d_image);
    cudaFree(d_grey);
    cudaFree(d_blurred);
    cudaFree(d_edges);
    const bool ok = !bad[0] && !bad[1] && !bad[2] && cudaGetLastError() == cudaSuccess;
    printf("grey %d, blur %d, edges %d wrong: %s\n", bad[0], bad[1], bad[2], ok ? "PASSED" : "FAILED");
    return ok ? 0 : 1;
}

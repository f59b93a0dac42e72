// Bytes at work: all places of a pattern in a text, Caesar's cipher, counts of words, upper case through uchar4.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include <string>
#include <vector>

__constant__ char pattern[32];

__global__ void find_pattern(const char* text, int length, int pattern_length, int* places, int* found) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + pattern_length > length) return;
    for (int k = 0; k < pattern_length; k++)
        if (text[i + k] != pattern[k]) return;
    places[atomicAdd(found, 1)] = i;
}

__global__ void caesar(char* text, int length, int shift) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= length) return;
    char c = text[i];
    if (c >= 'a' && c <= 'z')
        text[i] = 'a' + (c - 'a' + shift) % 26;
    else if (c >= 'A' && c <= 'Z')
        text[i] = 'A' + (c - 'A' + shift) % 26;
}

__global__ void count_words(const char* text, int length, unsigned* words) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool letter = i < length && text[i] != ' ', before = i > 0 && i < length && text[i - 1] != ' ';
    int here = __syncthreads_count(letter && !before);
    if (threadIdx.x == 0 && here) atomicAdd(words, here);
}

__device__ unsigned char upper(unsigned char c) { return c - 'a' < 26u ? c - 32 : c; }
__global__ void upper_case(uchar4* text, int quads) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < quads) {
        uchar4 c = text[i];
        text[i] = make_uchar4(upper(c.x), upper(c.y), upper(c.z), upper(c.w));
    }
}

int main(int argc, char** argv) {
    std::string text;
    for (int i = 0; i < 200; i++) text += i % 3 ? "the quick brown fox jumps over " : "ananas banana ";
    while (text.size() % 4) text += '.';
    std::string word = argc > 1 ? argv[1] : "ana";
    int n = (int)text.size(), bad = 0;
    std::vector<int> want;
    for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) want.push_back((int)at);
    char* d;
    int *places, *found, count = 0;
    cudaMalloc((void**)&d, n);
    cudaMalloc((void**)&places, n * sizeof(int));
    cudaMalloc((void**)&found, 2 * sizeof(int));
    cudaMemset(found, 0, 2 * sizeof(int));
    cudaMemcpy(d, text.c_str(), n, cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(pattern, word.data(), word.size());
    int blocks = (n + 191) / 192;
    find_pattern<<<blocks, 192>>>(d, n, (int)word.size(), places, found);
    cudaMemcpy(&count, found, sizeof(int), cudaMemcpyDeviceToHost);
    std::vector<int> got(count), seen(n + 1);
    cudaMemcpy(got.data(), places, count * sizeof(int), cudaMemcpyDeviceToHost);
    for (int p : got) seen[p]++;
    for (int p : want) bad += seen[p] != 1;
    bad += count != (int)want.size();
    printf("\"%s\" found %d times, expected %zu\n", word.c_str(), count, want.size());

    count_words<<<blocks, 192>>>(d, n, (unsigned*)found + 1);
    unsigned words = 0, expected_words = 0;
    cudaMemcpy(&words, found + 1, sizeof words, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) expected_words += text[i] != ' ' && (i == 0 || text[i - 1] == ' ');
    printf("%u words, expected %u\n", words, expected_words);
    bad += words != expected_words;

    caesar<<<blocks, 192>>>(d, n, 3);
    caesar<<<blocks, 192>>>(d, n, 23);
    upper_case<<<blocks, 192>>>((uchar4*)d, n / 4);
    std::string back(n, 0);
    cudaMemcpy(&back[0], d, n, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) bad += back[i] != toupper(text[i]);
    cudaFree(d);
    cudaFree(places);
    cudaFree(found);
    bad += cudaGetLastError() != cudaSuccess;
    puts(bad ? "FAILED" : "PASSED");
    return bad != 0;
}

// refused: graph.cu:3: CUDA graphs (cudaGraph_t) are
int main() {
    cudaGraph_t graph;
    cudaGraphCreate(&graph, 0);
}

// refused: graphics.cu:3: OpenGL is
int main() {
    cudaGraphicsResource* resource;
    cudaGraphicsMapResources(1, &resource);
}

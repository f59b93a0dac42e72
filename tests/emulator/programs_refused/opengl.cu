// refused: opengl.cu:2: OpenGL is
#include <cuda_gl_interop.h>
int main() {
    cudaGraphicsResource_t r;
    cudaGraphicsGLRegisterBuffer(&r, 0, 0);
}

// refused: surface.cu:2: textures and surfaces (cudaSurfaceObject_t) are
__global__ void write(cudaSurfaceObject_t image) { surf2Dwrite(1.f, image, 0, 0); }
int main() { write<<<1, 1>>>(0); }

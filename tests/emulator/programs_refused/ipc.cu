// refused: ipc.cu:3: memory shared between processes (cudaIpcMemHandle_t) is
int main() {
    cudaIpcMemHandle_t handle;
    cudaIpcGetMemHandle(&handle, nullptr);
}

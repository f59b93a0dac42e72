// Functions that clang's host pass calls. The wrapper's third word points to the PTX text.
struct Wrapper {
    int magic, version;
    const char* text;
};
const char* registered_ptx = nullptr;

extern "C" {
void** __cudaRegisterFatBinary(const Wrapper* wrapper) {
    registered_ptx = wrapper->text;
    return nullptr;
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
int __cudaRegisterFunction(...) { return 0; }
int __cudaPushCallConfiguration(...) { return 0; }
int __cudaPopCallConfiguration(...) { return 0; }
int cudaLaunchKernel(...) { return 0; }
}

#define LAB_HAS_STUBS 1

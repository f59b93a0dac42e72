#pragma once
#error "cuda_fp16.h: half precision is not supported by the emulator; run this program on a GPU (preset gpu)"

// cuBLAS is not available. Its names are declared so that a file whose `solve` does not use it
// compiles; a call that `solve` reaches is refused by name.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <library_types.h>

typedef struct cublasContext* cublasHandle_t;
enum cublasStatus_t { CUBLAS_STATUS_SUCCESS = 0 };
enum cublasOperation_t { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2 };
enum cublasMath_t { CUBLAS_DEFAULT_MATH = 0, CUBLAS_TENSOR_OP_MATH = 1, CUBLAS_TF32_TENSOR_OP_MATH = 3 };
enum cublasGemmAlgo_t { CUBLAS_GEMM_DEFAULT = -1, CUBLAS_GEMM_DFALT = -1, CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99 };
enum cublasPointerMode_t { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 };
enum cublasComputeType_t {
    CUBLAS_COMPUTE_16F = 64,
    CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_64F = 70,
    CUBLAS_COMPUTE_32I = 72,
    CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
};

#define WD_CUBLAS(name) template <class... A> cublasStatus_t name(A...);
WD_CUBLAS(cublasCreate) WD_CUBLAS(cublasDestroy) WD_CUBLAS(cublasSetStream) WD_CUBLAS(cublasSetMathMode)
WD_CUBLAS(cublasSetPointerMode) WD_CUBLAS(cublasSgemm) WD_CUBLAS(cublasHgemm) WD_CUBLAS(cublasDgemm)
WD_CUBLAS(cublasGemmEx) WD_CUBLAS(cublasSgemmStridedBatched) WD_CUBLAS(cublasGemmStridedBatchedEx)
WD_CUBLAS(cublasSgemmBatched) WD_CUBLAS(cublasSgemv) WD_CUBLAS(cublasSdot) WD_CUBLAS(cublasSasum)
WD_CUBLAS(cublasSnrm2) WD_CUBLAS(cublasSaxpy) WD_CUBLAS(cublasScopy) WD_CUBLAS(cublasSscal)
WD_CUBLAS(cublasIsamax) WD_CUBLAS(cublasSgeam)
#undef WD_CUBLAS
#define cublasCreate_v2 cublasCreate
#define cublasDestroy_v2 cublasDestroy
#define cublasSgemm_v2 cublasSgemm

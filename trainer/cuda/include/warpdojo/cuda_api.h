// The CUDA runtime API as the host function sees it: checked, typed fronts over the traps.
//
// Names are mapped by object-like macros, so that CUDA's own headers, which mention some of them,
// stay consistent when they are included later.
#pragma once

#define WD_CALL(call) (static_cast<cudaError_t>(call))

// ---- memory

template <class T> cudaError_t wd_cudaMalloc(T** p, size_t bytes) { return WD_CALL(wd_malloc((void**)p, bytes, 0)); }
template <class T> cudaError_t wd_cudaMallocAsync(T** p, size_t bytes, cudaStream_t = 0) {
    return WD_CALL(wd_malloc((void**)p, bytes, 0));
}
template <class T> cudaError_t wd_cudaMallocManaged(T** p, size_t bytes, unsigned = 1) {
    return WD_CALL(wd_malloc((void**)p, bytes, 1));
}
template <class T> cudaError_t wd_cudaMallocHost(T** p, size_t bytes, unsigned = 0) {
    return WD_CALL(wd_malloc((void**)p, bytes, 2));
}
template <class T> cudaError_t wd_cudaHostAlloc(T** p, size_t bytes, unsigned) {
    return WD_CALL(wd_malloc((void**)p, bytes, 2));
}
template <class T> cudaError_t wd_cudaMallocPitch(T** p, size_t* pitch, size_t width, size_t height) {
    *pitch = (width + 511) / 512 * 512;
    return WD_CALL(wd_malloc((void**)p, *pitch * height, 0));
}
template <class T> cudaError_t wd_cudaHostGetDevicePointer(T** device, void* host, unsigned) {
    *device = (T*)host;
    return cudaSuccess;
}
inline cudaError_t wd_cudaFree(const void* p) { return WD_CALL(wd_free((void*)p, 0)); }
inline cudaError_t wd_cudaFreeAsync(const void* p, cudaStream_t = 0) { return WD_CALL(wd_free((void*)p, 0)); }
inline cudaError_t wd_cudaFreeHost(const void* p) { return WD_CALL(wd_free((void*)p, 2)); }
inline cudaError_t wd_cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind = cudaMemcpyDefault) {
    return WD_CALL(wd_memcpy(to, from, bytes, kind, 0, 0));
}
inline cudaError_t wd_cudaMemcpyAsync(void* to, const void* from, size_t bytes,
                                      cudaMemcpyKind kind = cudaMemcpyDefault, cudaStream_t stream = 0) {
    return WD_CALL(wd_memcpy(to, from, bytes, kind, stream, 1));
}
inline cudaError_t wd_cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                                   size_t height, cudaMemcpyKind kind) {
    return WD_CALL(wd_memcpy_2d(to, to_pitch, from, from_pitch, width, height, kind, 0));
}
inline cudaError_t wd_cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                                        size_t height, cudaMemcpyKind kind, cudaStream_t stream = 0) {
    return WD_CALL(wd_memcpy_2d(to, to_pitch, from, from_pitch, width, height, kind, stream));
}
inline cudaError_t wd_cudaMemset(void* p, int value, size_t bytes) { return WD_CALL(wd_memset(p, value, bytes, 0)); }
inline cudaError_t wd_cudaMemsetAsync(void* p, int value, size_t bytes, cudaStream_t stream = 0) {
    return WD_CALL(wd_memset(p, value, bytes, stream));
}
inline cudaError_t wd_cudaMemset2D(void* p, size_t pitch, int value, size_t width, size_t height) {
    return WD_CALL(wd_memset_2d(p, pitch, value, width, height, 0));
}
inline cudaError_t wd_cudaMemset2DAsync(void* p, size_t pitch, int value, size_t width, size_t height,
                                        cudaStream_t stream = 0) {
    return WD_CALL(wd_memset_2d(p, pitch, value, width, height, stream));
}
template <class T>
cudaError_t wd_cudaMemcpyToSymbol(const T& symbol, const void* from, size_t bytes, size_t offset = 0,
                                  cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    return WD_CALL(wd_symbol_write((const void*)&symbol, from, bytes, offset, kind, 0));
}
template <class T>
cudaError_t wd_cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t bytes, size_t offset,
                                       cudaMemcpyKind kind, cudaStream_t stream = 0) {
    return WD_CALL(wd_symbol_write((const void*)&symbol, from, bytes, offset, kind, stream));
}
template <class T>
cudaError_t wd_cudaMemcpyFromSymbol(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                    cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    return WD_CALL(wd_symbol_read(to, (const void*)&symbol, bytes, offset, kind, 0));
}
template <class T>
cudaError_t wd_cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t bytes, size_t offset,
                                         cudaMemcpyKind kind, cudaStream_t stream = 0) {
    return WD_CALL(wd_symbol_read(to, (const void*)&symbol, bytes, offset, kind, stream));
}
template <class P, class T> cudaError_t wd_cudaGetSymbolAddress(P** p, const T& symbol) {
    return WD_CALL(wd_symbol_address((void**)p, (const void*)&symbol));
}
template <class T> cudaError_t wd_cudaGetSymbolSize(size_t* bytes, const T& symbol) {
    *bytes = sizeof(T);
    return cudaSuccess;
}
inline cudaError_t wd_cudaMemGetInfo(size_t* free, size_t* total) { return WD_CALL(wd_memory_info(free, total)); }
inline cudaError_t wd_cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* p) {
    int kind = wd_pointer_kind(p);
    memset(attributes, 0, sizeof *attributes);
    attributes->type = (cudaMemoryType)kind;
    attributes->devicePointer = kind >= 2 ? (void*)p : nullptr;
    attributes->hostPointer = kind == 2 ? nullptr : (void*)p;
    return cudaSuccess;
}
template <class... Ignored> cudaError_t wd_cudaMemAdvise(const void*, size_t, Ignored...) { return cudaSuccess; }
template <class... Ignored> cudaError_t wd_cudaMemPrefetchAsync(const void*, size_t, Ignored...) {
    return cudaSuccess;
}
inline cudaError_t wd_cudaHostRegister(void*, size_t, unsigned = 0) { return cudaSuccess; }
inline cudaError_t wd_cudaHostUnregister(void*) { return cudaSuccess; }

// ---- waiting and errors

inline cudaError_t wd_cudaDeviceSynchronize() { return WD_CALL(wd_synchronize()); }
inline cudaError_t wd_cudaGetLastError() { return WD_CALL(wd_last_error(1)); }
inline cudaError_t wd_cudaPeekAtLastError() { return WD_CALL(wd_last_error(0)); }
inline const char* wd_cudaGetErrorName(cudaError_t error) { return wd_error_name(error); }
inline const char* wd_cudaGetErrorString(cudaError_t error) { return wd_error_string(error); }

inline cudaError_t wd_cudaStreamCreate(cudaStream_t* stream) { return WD_CALL(wd_stream_create((void**)stream)); }
inline cudaError_t wd_cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) { return wd_cudaStreamCreate(stream); }
inline cudaError_t wd_cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned, int) {
    return wd_cudaStreamCreate(stream);
}
inline cudaError_t wd_cudaStreamDestroy(cudaStream_t stream) { return WD_CALL(wd_stream_destroy(stream)); }
inline cudaError_t wd_cudaStreamSynchronize(cudaStream_t stream) { return WD_CALL(wd_stream_synchronize(stream)); }
inline cudaError_t wd_cudaStreamQuery(cudaStream_t) { return cudaSuccess; }
inline cudaError_t wd_cudaStreamGetFlags(cudaStream_t, unsigned* flags) {
    *flags = 0;
    return cudaSuccess;
}
inline cudaError_t wd_cudaStreamGetPriority(cudaStream_t, int* priority) {
    *priority = 0;
    return cudaSuccess;
}
inline cudaError_t wd_cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned = 0) { return cudaSuccess; }
inline cudaError_t wd_cudaEventCreate(cudaEvent_t* event, unsigned = 0) {
    return WD_CALL(wd_event_create((void**)event));
}
inline cudaError_t wd_cudaEventDestroy(cudaEvent_t event) { return WD_CALL(wd_event_destroy(event)); }
inline cudaError_t wd_cudaEventRecord(cudaEvent_t event, cudaStream_t stream = 0) {
    return WD_CALL(wd_event_record(event, stream));
}
inline cudaError_t wd_cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream = 0, unsigned = 0) {
    return wd_cudaEventRecord(event, stream);
}
inline cudaError_t wd_cudaEventSynchronize(cudaEvent_t event) { return WD_CALL(wd_event_synchronize(event)); }
inline cudaError_t wd_cudaEventQuery(cudaEvent_t) { return cudaSuccess; }
inline cudaError_t wd_cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
    return WD_CALL(wd_event_elapsed(milliseconds, start, end));
}

// ---- graphs: what a stream is given between two calls; to instantiate one changes nothing here

inline cudaError_t wd_cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode) {
    return WD_CALL(wd_capture_begin());
}
inline cudaError_t wd_cudaStreamEndCapture(cudaStream_t, cudaGraph_t* graph) {
    return WD_CALL(wd_capture_end((void**)graph));
}
inline cudaError_t wd_cudaStreamIsCapturing(cudaStream_t, cudaStreamCaptureStatus* status) {
    *status = wd_is_capturing() ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
    return cudaSuccess;
}
template <class... Ignored>
cudaError_t wd_cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, Ignored...) {
    *executable = (cudaGraphExec_t)graph;
    return cudaSuccess;
}
inline cudaError_t wd_cudaGraphUpload(cudaGraphExec_t, cudaStream_t) { return cudaSuccess; }
inline cudaError_t wd_cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t) { return WD_CALL(wd_graph_launch(graph)); }
inline cudaError_t wd_cudaGraphDestroy(cudaGraph_t) { return cudaSuccess; }
inline cudaError_t wd_cudaGraphExecDestroy(cudaGraphExec_t) { return cudaSuccess; }
inline cudaError_t wd_cudaLaunchHostFunc(cudaStream_t, cudaHostFn_t function, void* data) {
    function(data);
    return cudaSuccess;
}

// ---- memory pools: hints about when memory goes back

inline cudaError_t wd_cudaDeviceGetMemPool(cudaMemPool_t* pool, int) {
    *pool = nullptr;
    return cudaSuccess;
}
inline cudaError_t wd_cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void*) { return cudaSuccess; }
inline cudaError_t wd_cudaMemPoolTrimTo(cudaMemPool_t, size_t) { return cudaSuccess; }

// ---- the device

inline cudaError_t wd_cudaGetDevice(int* device) {
    *device = 0;
    return cudaSuccess;
}
inline cudaError_t wd_cudaSetDevice(int device) { return device == 0 ? cudaSuccess : cudaErrorInvalidDevice; }
inline cudaError_t wd_cudaGetDeviceCount(int* count) {
    *count = 1;
    return cudaSuccess;
}
inline cudaError_t wd_cudaDeviceCanAccessPeer(int* can, int, int) {
    *can = 0;
    return cudaSuccess;
}
inline cudaError_t wd_cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
    return WD_CALL(wd_device_attribute(value, attribute, device));
}
inline int wd_attribute(cudaDeviceAttr attribute) {
    int value = 0;
    wd_device_attribute(&value, attribute, 0);
    return value;
}
inline cudaError_t wd_cudaGetDeviceProperties(cudaDeviceProp* p, int device) {
    if (device != 0) return cudaErrorInvalidDevice;
    memset(p, 0, sizeof *p);
    wd_device_name(p->name, sizeof p->name);
    p->totalGlobalMem = wd_device_number(0);
    p->totalConstMem = wd_attribute(cudaDevAttrTotalConstantMemory);
    p->sharedMemPerBlock = wd_attribute(cudaDevAttrMaxSharedMemoryPerBlock);
    p->sharedMemPerBlockOptin = wd_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
    p->sharedMemPerMultiprocessor = wd_attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
    p->reservedSharedMemPerBlock = wd_attribute(cudaDevAttrReservedSharedMemoryPerBlock);
    p->regsPerBlock = wd_attribute(cudaDevAttrMaxRegistersPerBlock);
    p->regsPerMultiprocessor = wd_attribute(cudaDevAttrMaxRegistersPerMultiprocessor);
    p->warpSize = wd_attribute(cudaDevAttrWarpSize);
    p->memPitch = wd_attribute(cudaDevAttrMaxPitch);
    p->maxThreadsPerBlock = wd_attribute(cudaDevAttrMaxThreadsPerBlock);
    p->maxThreadsPerMultiProcessor = wd_attribute(cudaDevAttrMaxThreadsPerMultiProcessor);
    p->maxBlocksPerMultiProcessor = wd_attribute(cudaDevAttrMaxBlocksPerMultiprocessor);
    p->multiProcessorCount = wd_attribute(cudaDevAttrMultiProcessorCount);
    for (int i = 0; i < 3; ++i) {
        p->maxThreadsDim[i] = wd_attribute((cudaDeviceAttr)(cudaDevAttrMaxBlockDimX + i));
        p->maxGridSize[i] = wd_attribute((cudaDeviceAttr)(cudaDevAttrMaxGridDimX + i));
    }
    p->major = wd_attribute(cudaDevAttrComputeCapabilityMajor);
    p->minor = wd_attribute(cudaDevAttrComputeCapabilityMinor);
    p->memoryBusWidth = wd_attribute(cudaDevAttrGlobalMemoryBusWidth);
    p->l2CacheSize = wd_attribute(cudaDevAttrL2CacheSize);
    p->concurrentKernels = p->unifiedAddressing = p->managedMemory = p->cooperativeLaunch = 1;
    p->canMapHostMemory = p->globalL1CacheSupported = p->localL1CacheSupported = 1;
    p->concurrentManagedAccess = 1;
    p->asyncEngineCount = wd_attribute(cudaDevAttrAsyncEngineCount);
#if CUDART_VERSION < 13000
    p->clockRate = wd_attribute(cudaDevAttrClockRate);
    p->memoryClockRate = wd_attribute(cudaDevAttrMemoryClockRate);
#endif
    return cudaSuccess;
}
inline cudaError_t wd_cudaDeviceReset() { return cudaSuccess; }
inline cudaError_t wd_cudaDeviceSetLimit(cudaLimit, size_t) { return cudaSuccess; }
inline cudaError_t wd_cudaDeviceGetLimit(size_t* value, cudaLimit) {
    *value = 8 << 20;
    return cudaSuccess;
}
inline cudaError_t wd_cudaDeviceSetCacheConfig(cudaFuncCache) { return cudaSuccess; }
inline cudaError_t wd_cudaSetDeviceFlags(unsigned) { return cudaSuccess; }
inline cudaError_t wd_cudaCtxResetPersistingL2Cache() { return cudaSuccess; }
template <class Configuration> cudaError_t wd_cudaDeviceSetSharedMemConfig(Configuration) { return cudaSuccess; }
template <class F, class Configuration> cudaError_t wd_cudaFuncSetSharedMemConfig(F*, Configuration) {
    return cudaSuccess;
}
template <class Id, class Value> cudaError_t wd_cudaStreamSetAttribute(cudaStream_t, Id, const Value*) {
    return cudaSuccess;  // hints about the L2 cache
}
inline cudaError_t wd_cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    *least = 0;
    *greatest = -5;
    return cudaSuccess;
}
inline cudaError_t wd_cudaRuntimeGetVersion(int* version) {
    *version = CUDART_VERSION;
    return cudaSuccess;
}
inline cudaError_t wd_cudaDriverGetVersion(int* version) { return wd_cudaRuntimeGetVersion(version); }

// ---- functions and launches

template <class F> cudaError_t wd_cudaFuncSetAttribute(F* function, cudaFuncAttribute attribute, int value) {
    return WD_CALL(wd_function_set((const void*)function, attribute, value));
}
template <class F> cudaError_t wd_cudaFuncSetCacheConfig(F*, cudaFuncCache) { return cudaSuccess; }
template <class F> cudaError_t wd_cudaFuncGetAttributes(cudaFuncAttributes* a, F* function) {
    auto f = (const void*)function;
    memset(a, 0, sizeof *a);
    a->sharedSizeBytes = wd_function_number(f, 0);
    a->localSizeBytes = wd_function_number(f, 1);
    a->maxThreadsPerBlock = wd_function_number(f, 2);
    a->numRegs = wd_function_number(f, 3);
    a->maxDynamicSharedSizeBytes = wd_function_number(f, 4);
    a->ptxVersion = a->binaryVersion = wd_function_number(f, 5);
    return cudaSuccess;
}
template <class F>
cudaError_t wd_cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, F* function, int block, size_t shared) {
    return WD_CALL(wd_occupancy(blocks, (const void*)function, block, shared));
}
template <class F>
cudaError_t wd_cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, F* function, int block,
                                                                      size_t shared, unsigned) {
    return WD_CALL(wd_occupancy(blocks, (const void*)function, block, shared));
}
template <class F>
cudaError_t wd_cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, F*, int blocks, int) {
    *bytes = wd_attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor) / (blocks > 0 ? blocks : 1) -
             wd_attribute(cudaDevAttrReservedSharedMemoryPerBlock);
    return cudaSuccess;
}
template <class F>
cudaError_t wd_cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, F* function, size_t shared = 0,
                                                  int limit = 0) {
    return WD_CALL(wd_occupancy_block_size(grid, block, (const void*)function, shared, limit));
}
template <class F>
cudaError_t wd_cudaOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, F* function, size_t shared = 0,
                                                           int limit = 0, unsigned = 0) {
    return WD_CALL(wd_occupancy_block_size(grid, block, (const void*)function, shared, limit));
}
inline int wd_launch_plain(const void* function, dim3 grid, dim3 block, void** arguments, size_t shared,
                           cudaStream_t stream, int cooperative) {
    return wd_launch(function, grid.x, grid.y, grid.z, block.x, block.y, block.z, arguments, shared, stream,
                     cooperative, 1, 1, 1);
}
template <class F>
cudaError_t wd_cudaLaunchKernel(F* function, dim3 grid, dim3 block, void** arguments, size_t shared = 0,
                                cudaStream_t stream = 0) {
    return WD_CALL(wd_launch_plain((const void*)function, grid, block, arguments, shared, stream, 0));
}
template <class F>
cudaError_t wd_cudaLaunchCooperativeKernel(F* function, dim3 grid, dim3 block, void** arguments, size_t shared = 0,
                                           cudaStream_t stream = 0) {
    return WD_CALL(wd_launch_plain((const void*)function, grid, block, arguments, shared, stream, 1));
}
inline cudaError_t wd_launch_configured(const cudaLaunchConfig_t* c, const void* function, void** arguments) {
    dim3 cluster(1, 1, 1);
    int cooperative = 0;
    for (unsigned i = 0; i < c->numAttrs; ++i) {
        if (c->attrs[i].id == cudaLaunchAttributeClusterDimension)
            cluster = dim3(c->attrs[i].val.clusterDim.x, c->attrs[i].val.clusterDim.y, c->attrs[i].val.clusterDim.z);
        if (c->attrs[i].id == cudaLaunchAttributeCooperative) cooperative = c->attrs[i].val.cooperative;
    }
    return WD_CALL(wd_launch(function, c->gridDim.x, c->gridDim.y, c->gridDim.z, c->blockDim.x, c->blockDim.y,
                             c->blockDim.z, arguments, c->dynamicSmemBytes, c->stream, cooperative, cluster.x,
                             cluster.y, cluster.z));
}
inline cudaError_t wd_cudaLaunchKernelExC(const cudaLaunchConfig_t* configuration, const void* function,
                                          void** arguments) {
    return wd_launch_configured(configuration, function, arguments);
}
template <class... Expected, class... Actual>
cudaError_t wd_cudaLaunchKernelEx(const cudaLaunchConfig_t* configuration, void (*function)(Expected...),
                                  Actual&&... actual) {
    auto launch = [&](Expected... values) {
        void* pointers[] = {(void*)&values..., nullptr};
        return wd_launch_configured(configuration, (const void*)function, pointers);
    };
    return launch(static_cast<Expected>(actual)...);
}

// ---- functions of the driver, asked for by name: the one that makes tensor maps

inline int wd_encode_tiled(void* map, int type, unsigned rank, void* address, const unsigned long long* extents,
                           const unsigned long long* pitches, const unsigned* box, const unsigned* steps,
                           int interleave, int swizzle, int promotion, int fill) {
    return wd_tensor_map_tiled(map, type, rank, address, extents, pitches, box, steps, interleave, swizzle, promotion,
                               fill);
}
template <class F>
cudaError_t wd_entry_point(const char* name, F** function, cudaDriverEntryPointQueryResult* result) {
    const char* known = "cuTensorMapEncodeTiled";
    while (*known && *known == *name) ++known, ++name;
    bool found = *known == *name;
    *function = found ? (F*)wd_encode_tiled : nullptr;
    if (result) *result = found ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
    return found ? cudaSuccess : cudaErrorSymbolNotFound;
}
template <class F>
cudaError_t wd_cudaGetDriverEntryPoint(const char* name, F** function, unsigned long long,
                                       cudaDriverEntryPointQueryResult* result = nullptr) {
    return wd_entry_point(name, function, result);
}
template <class F>
cudaError_t wd_cudaGetDriverEntryPointByVersion(const char* name, F** function, unsigned, unsigned long long,
                                                cudaDriverEntryPointQueryResult* result = nullptr) {
    return wd_entry_point(name, function, result);
}

// ---- the names users write

#define cudaMalloc wd_cudaMalloc
#define cudaMallocAsync wd_cudaMallocAsync
#define cudaMallocManaged wd_cudaMallocManaged
#define cudaMallocHost wd_cudaMallocHost
#define cudaHostAlloc wd_cudaHostAlloc
#define cudaMallocPitch wd_cudaMallocPitch
#define cudaHostGetDevicePointer wd_cudaHostGetDevicePointer
#define cudaFree wd_cudaFree
#define cudaFreeAsync wd_cudaFreeAsync
#define cudaFreeHost wd_cudaFreeHost
#define cudaMemcpy wd_cudaMemcpy
#define cudaMemcpyAsync wd_cudaMemcpyAsync
#define cudaMemcpy2D wd_cudaMemcpy2D
#define cudaMemcpy2DAsync wd_cudaMemcpy2DAsync
#define cudaMemset wd_cudaMemset
#define cudaMemsetAsync wd_cudaMemsetAsync
#define cudaMemset2D wd_cudaMemset2D
#define cudaMemset2DAsync wd_cudaMemset2DAsync
#define cudaMemcpyToSymbol wd_cudaMemcpyToSymbol
#define cudaMemcpyToSymbolAsync wd_cudaMemcpyToSymbolAsync
#define cudaMemcpyFromSymbol wd_cudaMemcpyFromSymbol
#define cudaMemcpyFromSymbolAsync wd_cudaMemcpyFromSymbolAsync
#define cudaGetSymbolAddress wd_cudaGetSymbolAddress
#define cudaGetSymbolSize wd_cudaGetSymbolSize
#define cudaMemGetInfo wd_cudaMemGetInfo
#define cudaPointerGetAttributes wd_cudaPointerGetAttributes
#define cudaMemAdvise wd_cudaMemAdvise
#define cudaMemPrefetchAsync wd_cudaMemPrefetchAsync
#define cudaHostRegister wd_cudaHostRegister
#define cudaHostUnregister wd_cudaHostUnregister
#define cudaDeviceSynchronize wd_cudaDeviceSynchronize
#define cudaGetLastError wd_cudaGetLastError
#define cudaPeekAtLastError wd_cudaPeekAtLastError
#define cudaGetErrorName wd_cudaGetErrorName
#define cudaGetErrorString wd_cudaGetErrorString
#define cudaStreamCreate wd_cudaStreamCreate
#define cudaStreamCreateWithFlags wd_cudaStreamCreateWithFlags
#define cudaStreamCreateWithPriority wd_cudaStreamCreateWithPriority
#define cudaStreamDestroy wd_cudaStreamDestroy
#define cudaStreamSynchronize wd_cudaStreamSynchronize
#define cudaStreamQuery wd_cudaStreamQuery
#define cudaStreamWaitEvent wd_cudaStreamWaitEvent
#define cudaEventCreate wd_cudaEventCreate
#define cudaEventDestroy wd_cudaEventDestroy
#define cudaEventRecord wd_cudaEventRecord
#define cudaEventSynchronize wd_cudaEventSynchronize
#define cudaEventQuery wd_cudaEventQuery
#define cudaEventElapsedTime wd_cudaEventElapsedTime
#define cudaGetDevice wd_cudaGetDevice
#define cudaSetDevice wd_cudaSetDevice
#define cudaGetDeviceCount wd_cudaGetDeviceCount
#define cudaDeviceGetAttribute wd_cudaDeviceGetAttribute
#define cudaGetDeviceProperties wd_cudaGetDeviceProperties
#define cudaDeviceReset wd_cudaDeviceReset
#define cudaDeviceSetLimit wd_cudaDeviceSetLimit
#define cudaDeviceGetLimit wd_cudaDeviceGetLimit
#define cudaDeviceSetCacheConfig wd_cudaDeviceSetCacheConfig
#define cudaSetDeviceFlags wd_cudaSetDeviceFlags
#define cudaCtxResetPersistingL2Cache wd_cudaCtxResetPersistingL2Cache
#define cudaDeviceSetSharedMemConfig wd_cudaDeviceSetSharedMemConfig
#define cudaFuncSetSharedMemConfig wd_cudaFuncSetSharedMemConfig
#define cudaStreamSetAttribute wd_cudaStreamSetAttribute
#define cudaDeviceGetStreamPriorityRange wd_cudaDeviceGetStreamPriorityRange
#define cudaRuntimeGetVersion wd_cudaRuntimeGetVersion
#define cudaDriverGetVersion wd_cudaDriverGetVersion
#define cudaFuncSetAttribute wd_cudaFuncSetAttribute
#define cudaFuncSetCacheConfig wd_cudaFuncSetCacheConfig
#define cudaFuncGetAttributes wd_cudaFuncGetAttributes
#define cudaOccupancyMaxActiveBlocksPerMultiprocessor wd_cudaOccupancyMaxActiveBlocksPerMultiprocessor
#define cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags wd_cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags
#define cudaOccupancyMaxPotentialBlockSize wd_cudaOccupancyMaxPotentialBlockSize
#define cudaOccupancyMaxPotentialBlockSizeWithFlags wd_cudaOccupancyMaxPotentialBlockSizeWithFlags
#define cudaGetDriverEntryPoint wd_cudaGetDriverEntryPoint
#define cudaGetDriverEntryPointByVersion wd_cudaGetDriverEntryPointByVersion
#define cudaLaunchKernel wd_cudaLaunchKernel
#define cudaLaunchCooperativeKernel wd_cudaLaunchCooperativeKernel
#define cudaLaunchKernelExC wd_cudaLaunchKernelExC
#define cudaLaunchKernelEx wd_cudaLaunchKernelEx
#define cudaStreamBeginCapture wd_cudaStreamBeginCapture
#define cudaStreamEndCapture wd_cudaStreamEndCapture
#define cudaStreamIsCapturing wd_cudaStreamIsCapturing
#define cudaGraphInstantiate wd_cudaGraphInstantiate
#define cudaGraphInstantiateWithFlags wd_cudaGraphInstantiate
#define cudaGraphUpload wd_cudaGraphUpload
#define cudaGraphLaunch wd_cudaGraphLaunch
#define cudaGraphDestroy wd_cudaGraphDestroy
#define cudaGraphExecDestroy wd_cudaGraphExecDestroy
#define cudaLaunchHostFunc wd_cudaLaunchHostFunc
#define cudaDeviceGetDefaultMemPool wd_cudaDeviceGetMemPool
#define cudaDeviceGetMemPool wd_cudaDeviceGetMemPool
#define cudaMemPoolSetAttribute wd_cudaMemPoolSetAttribute
#define cudaMemPoolTrimTo wd_cudaMemPoolTrimTo
#define cudaStreamGetFlags wd_cudaStreamGetFlags
#define cudaStreamGetPriority wd_cudaStreamGetPriority
#define cudaEventRecordWithFlags wd_cudaEventRecordWithFlags
#define cudaDeviceCanAccessPeer wd_cudaDeviceCanAccessPeer
#define cudaOccupancyAvailableDynamicSMemPerBlock wd_cudaOccupancyAvailableDynamicSMemPerBlock
#define cudaThreadSynchronize wd_cudaDeviceSynchronize
#define cudaEventCreateWithFlags wd_cudaEventCreate

#ifndef cudaHostAllocDefault
#define cudaHostAllocDefault 0
#define cudaHostAllocPortable 1
#define cudaHostAllocMapped 2
#define cudaHostAllocWriteCombined 4
#define cudaEventDefault 0
#define cudaEventBlockingSync 1
#define cudaEventDisableTiming 2
#define cudaStreamDefault 0
#define cudaStreamNonBlocking 1
#define cudaMemAttachGlobal 1
#define cudaMemAttachHost 2
#endif

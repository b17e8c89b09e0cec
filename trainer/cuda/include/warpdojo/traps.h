// Functions without a body: whoever executes the host function answers these calls.
// Those that return int return a cudaError_t.
#pragma once

extern "C" {
// kind: 0 device, 1 managed, 2 pinned host memory
int wd_malloc(void** result, size_t bytes, int kind);
int wd_free(void* address, int kind);
int wd_memcpy(void* to, const void* from, size_t bytes, int kind, void* stream, int async);
int wd_memcpy_2d(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                 int kind, void* stream);
int wd_memset(void* address, int value, size_t bytes, void* stream);
int wd_memset_2d(void* address, size_t pitch, int value, size_t width, size_t height, void* stream);
int wd_symbol_write(const void* symbol, const void* from, size_t bytes, size_t offset, int kind, void* stream);
int wd_symbol_read(void* to, const void* symbol, size_t bytes, size_t offset, int kind, void* stream);
int wd_symbol_address(void** result, const void* symbol);
int wd_pointer_kind(const void* address);  // 0 unknown (host), 1 host, 2 device, 3 managed
int wd_memory_info(size_t* free, size_t* total);

int wd_synchronize();
int wd_last_error(int clear);
const char* wd_error_name(int error);
const char* wd_error_string(int error);

int wd_stream_create(void** stream);
int wd_stream_destroy(void* stream);
int wd_stream_synchronize(void* stream);
int wd_event_create(void** event);
int wd_event_destroy(void* event);
int wd_event_record(void* event, void* stream);
int wd_event_synchronize(void* event);
int wd_event_elapsed(float* milliseconds, void* start, void* end);

int wd_capture_begin();
int wd_capture_end(void** graph);
int wd_is_capturing();  // 0 or 1, no cudaError_t
int wd_graph_launch(void* graph);

void wd_device_name(char* name, int capacity);
long long wd_device_number(int what);  // numbers that no attribute carries
int wd_device_attribute(int* value, int attribute, int device);
int wd_function_set(const void* function, int attribute, int value);
int wd_function_number(const void* function, int what);
int wd_occupancy(int* blocks, const void* function, int block_size, size_t shared_bytes);
int wd_occupancy_block_size(int* grid, int* block, const void* function, size_t shared_bytes, int limit);
int wd_launch(const void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
              void** arguments, size_t shared_bytes, void* stream, int cooperative, unsigned cx, unsigned cy,
              unsigned cz);

int wd_tensor_map_tiled(void* map, int type, unsigned rank, void* address, const unsigned long long* extents,
                        const unsigned long long* pitches, const unsigned* box, const unsigned* steps,
                        int interleave, int swizzle, int promotion, int fill);

void wd_exit(int code);
void wd_throw();
int wd_rand();
void wd_srand(unsigned seed);
long long wd_nanoseconds();
void wd_write(const char* text, size_t bytes);
void wd_write_signed(long long value);
void wd_write_unsigned(unsigned long long value);
void wd_write_float(double value, int precision, int style);  // 0 shortest, 1 fixed, 2 scientific
void wd_write_pointer(const void* value);
}

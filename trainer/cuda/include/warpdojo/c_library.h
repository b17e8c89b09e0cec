// The parts of the C library that host functions use.
#pragma once

struct wd_FILE;
typedef wd_FILE FILE;
#define stdin ((FILE*)0)
#define stdout ((FILE*)1)
#define stderr ((FILE*)2)

template <class... Arguments>
int wd_fprintf(FILE*, const char* format, Arguments... arguments) {
    return printf(format, arguments...);
}
#define fprintf wd_fprintf

inline int puts(const char* text) { return printf("%s\n", text); }
inline int putchar(int c) { return printf("%c", c); }
inline int fflush(FILE*) { return 0; }
inline void perror(const char* text) { printf("%s\n", text); }

inline void exit(int code) { wd_exit(code); }
inline void abort() { wd_exit(134); }
inline int rand() { return wd_rand(); }
inline void srand(unsigned seed) { wd_srand(seed); }
typedef long long time_t;
inline time_t time(time_t* result) {
    time_t now = wd_nanoseconds() / 1000000000;
    if (result) *result = now;
    return now;
}

inline void* calloc(size_t count, size_t bytes) {
    void* p = malloc(count * bytes);
    if (p) memset(p, 0, count * bytes);
    return p;
}
inline size_t strlen(const char* s) {
    size_t n = 0;
    while (s[n]) ++n;
    return n;
}
inline int strcmp(const char* a, const char* b) {
    while (*a && *a == *b) ++a, ++b;
    return (unsigned char)*a - (unsigned char)*b;
}
inline int memcmp(const void* a, const void* b, size_t bytes) {
    auto x = (const unsigned char*)a, y = (const unsigned char*)b;
    for (size_t i = 0; i < bytes; ++i)
        if (x[i] != y[i]) return x[i] - y[i];
    return 0;
}
inline void* memmove(void* to, const void* from, size_t bytes) {
    auto x = (unsigned char*)to;
    auto y = (const unsigned char*)from;
    if (x < y)
        for (size_t i = 0; i < bytes; ++i) x[i] = y[i];
    else
        for (size_t i = bytes; i--;) x[i] = y[i];
    return to;
}
inline int atoi(const char* s) {
    int sign = *s == '-' ? -1 : 1, n = 0;
    if (*s == '-' || *s == '+') ++s;
    while (*s >= '0' && *s <= '9') n = n * 10 + (*s++ - '0');
    return sign * n;
}

// GCC's bit counting, which nvcc passes on to its host compiler and accepts in kernels
inline int __builtin_popcount(unsigned x) { return __popc(x); }
inline int __builtin_popcountl(unsigned long x) { return __popcll(x); }
inline int __builtin_popcountll(unsigned long long x) { return __popcll(x); }
inline int __builtin_clz(unsigned x) { return __clz(x); }
inline int __builtin_clzll(unsigned long long x) { return __clzll(x); }
inline int __builtin_ctz(unsigned x) { return __ffs(x) - 1; }
inline int __builtin_ctzll(unsigned long long x) { return __ffsll(x) - 1; }

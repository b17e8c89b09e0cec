// <cmath>: the overloads for float, double and integers that nvcc takes from the C++ library.
#pragma once

namespace std {
#define WD_UNARY(name)                                                                      \
    inline float name(float x) { return ::name##f(x); }                                     \
    inline double name(double x) { return ::name(x); }                                      \
    template <class T, enable_if_t<is_integral_v<T>, int> = 0> double name(T x) {           \
        return ::name((double)x);                                                           \
    }
#define WD_BINARY(name)                                                                     \
    inline float name(float x, float y) { return ::name##f(x, y); }                         \
    inline double name(double x, double y) { return ::name(x, y); }                         \
    template <class T, class U, enable_if_t<!is_same_v<T, U> || is_integral_v<T>, int> = 0> \
    double name(T x, U y) {                                                                 \
        return ::name((double)x, (double)y);                                                \
    }
WD_UNARY(sqrt) WD_UNARY(cbrt) WD_UNARY(exp) WD_UNARY(exp2) WD_UNARY(expm1) WD_UNARY(log) WD_UNARY(log2)
WD_UNARY(log10) WD_UNARY(log1p) WD_UNARY(sin) WD_UNARY(cos) WD_UNARY(tan) WD_UNARY(asin) WD_UNARY(acos)
WD_UNARY(atan) WD_UNARY(sinh) WD_UNARY(cosh) WD_UNARY(tanh) WD_UNARY(asinh) WD_UNARY(acosh) WD_UNARY(atanh)
WD_UNARY(floor) WD_UNARY(ceil) WD_UNARY(round) WD_UNARY(trunc) WD_UNARY(rint) WD_UNARY(nearbyint) WD_UNARY(erf)
WD_UNARY(erfc) WD_UNARY(lgamma) WD_UNARY(tgamma) WD_UNARY(fabs)
WD_BINARY(pow) WD_BINARY(fmod) WD_BINARY(fmax) WD_BINARY(fmin) WD_BINARY(atan2) WD_BINARY(hypot)
WD_BINARY(copysign) WD_BINARY(remainder) WD_BINARY(fdim)
#undef WD_UNARY
#undef WD_BINARY

inline float abs(float x) { return ::fabsf(x); }
inline double abs(double x) { return ::fabs(x); }
inline int abs(int x) { return x < 0 ? -x : x; }
inline long abs(long x) { return x < 0 ? -x : x; }
inline long long abs(long long x) { return x < 0 ? -x : x; }
inline float fma(float a, float b, float c) { return ::fmaf(a, b, c); }
inline double fma(double a, double b, double c) { return ::fma(a, b, c); }
inline long lround(float x) { return (long)::roundf(x); }
inline long lround(double x) { return (long)::round(x); }
inline float ldexp(float x, int e) { return ::ldexpf(x, e); }
inline double ldexp(double x, int e) { return ::ldexp(x, e); }
template <class T> bool isnan(T x) { return x != x; }
template <class T> bool isinf(T x) { return x == (T)INFINITY || x == -(T)INFINITY; }
template <class T> bool isfinite(T x) { return !isnan(x) && !isinf(x); }
template <class T> bool signbit(T x) { return ::copysign(1.0, (double)x) < 0; }

using ::ceilf;
using ::cosf;
using ::erff;
using ::exp2f;
using ::expf;
using ::fabsf;
using ::floorf;
using ::fmaf;
using ::fmaxf;
using ::fminf;
using ::fmodf;
using ::log2f;
using ::logf;
using ::powf;
using ::roundf;
using ::sinf;
using ::sqrtf;
using ::tanhf;
}  // namespace std

// The same for the global names. Two arguments of one floating type have CUDA's own overloads.
#define WD_UNARY(name)                                                        \
    template <class T, std::enable_if_t<std::is_integral_v<T>, int> = 0>      \
    double name(T x) {                                                        \
        return ::name((double)x);                                             \
    }
#define WD_BINARY(name)                                                       \
    template <class T, class U,                                               \
              std::enable_if_t<std::is_arithmetic_v<T> && std::is_arithmetic_v<U> && !std::is_same_v<T, U>, int> = 0> \
    double name(T x, U y) {                                                   \
        return ::name((double)x, (double)y);                                  \
    }
WD_UNARY(sqrt) WD_UNARY(exp) WD_UNARY(exp2) WD_UNARY(log) WD_UNARY(log2) WD_UNARY(log10) WD_UNARY(ceil)
WD_UNARY(floor) WD_UNARY(round) WD_UNARY(sin) WD_UNARY(cos) WD_UNARY(tanh) WD_UNARY(fabs) WD_UNARY(rsqrt)
WD_BINARY(fmin) WD_BINARY(fmax) WD_BINARY(fmod) WD_BINARY(atan2)
#undef WD_UNARY
#undef WD_BINARY

// <cmath>: NVRTC has every function for float and double; here are the integers and namespace std.
//
// std:: gets the global functions themselves, so that `using namespace std` makes nothing ambiguous.
#pragma once

#define WD_UNARY(name)                                                   \
    template <class T, std::enable_if_t<std::is_integral_v<T>, int> = 0> \
    double name(T x) {                                                   \
        return ::name((double)x);                                        \
    }
WD_UNARY(sqrt) WD_UNARY(cbrt) WD_UNARY(rsqrt) WD_UNARY(exp) WD_UNARY(exp2) WD_UNARY(expm1) WD_UNARY(log)
WD_UNARY(log2) WD_UNARY(log10) WD_UNARY(log1p) WD_UNARY(sin) WD_UNARY(cos) WD_UNARY(tan) WD_UNARY(asin)
WD_UNARY(acos) WD_UNARY(atan) WD_UNARY(sinh) WD_UNARY(cosh) WD_UNARY(tanh) WD_UNARY(floor) WD_UNARY(ceil)
WD_UNARY(round) WD_UNARY(trunc) WD_UNARY(rint) WD_UNARY(fabs) WD_UNARY(erf)
#undef WD_UNARY

// Two arguments of one floating type, and pow with an int exponent, have CUDA's own overloads.
#define WD_BINARY(name, condition)                                                                              \
    template <class T, class U,                                                                                 \
              std::enable_if_t<std::is_arithmetic_v<T> && std::is_arithmetic_v<U> && (condition), int> = 0>     \
    double name(T x, U y) {                                                                                     \
        return ::name((double)x, (double)y);                                                                    \
    }
#define WD_MIXED (!std::is_same_v<T, U> || std::is_integral_v<T>)
WD_BINARY(fmin, WD_MIXED) WD_BINARY(fmax, WD_MIXED) WD_BINARY(fmod, WD_MIXED) WD_BINARY(atan2, WD_MIXED)
WD_BINARY(hypot, WD_MIXED) WD_BINARY(pow, std::is_integral_v<T>)
#undef WD_MIXED
#undef WD_BINARY

namespace std {
#define WD_USING(name) using ::name;
WD_USING(sqrt) WD_USING(cbrt) WD_USING(exp) WD_USING(exp2) WD_USING(expm1) WD_USING(log) WD_USING(log2)
WD_USING(log10) WD_USING(log1p) WD_USING(sin) WD_USING(cos) WD_USING(tan) WD_USING(asin) WD_USING(acos)
WD_USING(atan) WD_USING(atan2) WD_USING(sinh) WD_USING(cosh) WD_USING(tanh) WD_USING(asinh) WD_USING(acosh)
WD_USING(atanh) WD_USING(floor) WD_USING(ceil) WD_USING(round) WD_USING(trunc) WD_USING(rint) WD_USING(nearbyint)
WD_USING(lround) WD_USING(erf) WD_USING(erfc) WD_USING(lgamma) WD_USING(tgamma) WD_USING(abs) WD_USING(fabs)
WD_USING(pow) WD_USING(fmod) WD_USING(fmax) WD_USING(fmin) WD_USING(hypot) WD_USING(copysign) WD_USING(remainder)
WD_USING(fdim) WD_USING(fma) WD_USING(ldexp) WD_USING(frexp) WD_USING(modf) WD_USING(scalbn) WD_USING(isnan)
WD_USING(isinf) WD_USING(isfinite) WD_USING(signbit)
WD_USING(sqrtf) WD_USING(expf) WD_USING(exp2f) WD_USING(logf) WD_USING(log2f) WD_USING(powf) WD_USING(fabsf)
WD_USING(fmaxf) WD_USING(fminf) WD_USING(fmodf) WD_USING(fmaf) WD_USING(sinf) WD_USING(cosf) WD_USING(tanhf)
WD_USING(floorf) WD_USING(ceilf) WD_USING(roundf) WD_USING(erff)
#undef WD_USING
}  // namespace std

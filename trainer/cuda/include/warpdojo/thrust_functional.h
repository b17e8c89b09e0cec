// Thrust's functors.
#pragma once

namespace thrust {
#define WD_FUNCTOR(name, type, expression)                                       \
    template <class T = void> struct name {                                      \
        constexpr type operator()(const T& a, const T& b) const { return expression; } \
    };                                                                           \
    template <> struct name<void> {                                              \
        template <class A, class B> constexpr auto operator()(const A& a, const B& b) const { return expression; } \
    };
WD_FUNCTOR(plus, T, a + b) WD_FUNCTOR(minus, T, a - b) WD_FUNCTOR(multiplies, T, a * b) WD_FUNCTOR(divides, T, a / b)
WD_FUNCTOR(maximum, T, a < b ? b : a) WD_FUNCTOR(minimum, T, b < a ? b : a) WD_FUNCTOR(less, bool, a < b)
WD_FUNCTOR(greater, bool, b < a) WD_FUNCTOR(equal_to, bool, a == b)
#undef WD_FUNCTOR
template <class T = void> struct negate {
    constexpr T operator()(const T& a) const { return -a; }
};
template <class T = void> struct square {
    constexpr T operator()(const T& a) const { return a * a; }
};
template <class T = void> struct identity {
    constexpr const T& operator()(const T& a) const { return a; }
};
}  // namespace thrust

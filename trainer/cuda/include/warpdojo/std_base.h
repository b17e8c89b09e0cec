// namespace std: type traits, limits and the few functions that nearly every file uses.
// The headers of the same names (<vector>, <algorithm>, ...) hold the rest.
#pragma once

namespace std {
using ::int16_t;
using ::int32_t;
using ::int64_t;
using ::int8_t;
using ::intptr_t;
using ::ptrdiff_t;
using ::size_t;
using ::uint16_t;
using ::uint32_t;
using ::uint64_t;
using ::uint8_t;
using ::uintptr_t;
using nullptr_t = decltype(nullptr);

template <bool B, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> { using type = T; };
template <bool B, class T = void> using enable_if_t = typename enable_if<B, T>::type;

// Values are enumerators: static data members would appear as variables in every PTX.
template <class T, T V> struct integral_constant {
    enum : T { value = V };
    using value_type = T;
    using type = integral_constant;
    constexpr operator T() const { return V; }
    constexpr T operator()() const { return V; }
};
template <bool B> using bool_constant = integral_constant<bool, B>;
using true_type = bool_constant<true>;
using false_type = bool_constant<false>;

template <class A, class B> struct is_same : false_type {};
template <class A> struct is_same<A, A> : true_type {};
template <class A, class B> inline constexpr bool is_same_v = is_same<A, B>::value;
template <class T> struct is_pointer : false_type {};
template <class T> struct is_pointer<T*> : true_type {};
template <class T> inline constexpr bool is_pointer_v = is_pointer<T>::value;

template <class T> struct remove_reference { using type = T; };
template <class T> struct remove_reference<T&> { using type = T; };
template <class T> struct remove_reference<T&&> { using type = T; };
template <class T> using remove_reference_t = typename remove_reference<T>::type;
template <class T> struct remove_const { using type = T; };
template <class T> struct remove_const<const T> { using type = T; };
template <class T> using remove_const_t = typename remove_const<T>::type;
template <class T> struct remove_volatile { using type = T; };
template <class T> struct remove_volatile<volatile T> { using type = T; };
template <class T> using remove_volatile_t = typename remove_volatile<T>::type;
template <class T> using remove_cv_t = remove_const_t<remove_volatile_t<T>>;
template <class T> struct remove_cv { using type = remove_cv_t<T>; };
template <class T> struct remove_pointer { using type = T; };
template <class T> struct remove_pointer<T*> { using type = T; };
template <class T> using remove_pointer_t = typename remove_pointer<T>::type;
template <class T> using decay_t = remove_cv_t<remove_reference_t<T>>;
template <class T> struct decay { using type = decay_t<T>; };

template <bool B, class X, class Y> struct conditional { using type = X; };
template <class X, class Y> struct conditional<false, X, Y> { using type = Y; };
template <bool B, class X, class Y> using conditional_t = typename conditional<B, X, Y>::type;

template <class T, class... Options>
inline constexpr bool wd_is_any = (is_same_v<remove_cv_t<T>, Options> || ...);
template <class T>
struct is_integral
    : bool_constant<wd_is_any<T, bool, char, signed char, unsigned char, short, unsigned short, int, unsigned, long,
                              unsigned long, long long, unsigned long long>> {};
template <class T> inline constexpr bool is_integral_v = is_integral<T>::value;
template <class T> struct is_floating_point : bool_constant<wd_is_any<T, float, double>> {};
template <class T> inline constexpr bool is_floating_point_v = is_floating_point<T>::value;
template <class T> struct is_arithmetic : bool_constant<is_integral_v<T> || is_floating_point_v<T>> {};
template <class T> inline constexpr bool is_arithmetic_v = is_arithmetic<T>::value;
template <class T> struct is_signed : bool_constant<is_arithmetic_v<T> && (T(-1) < T(0))> {};
template <class T> inline constexpr bool is_signed_v = is_signed<T>::value;
template <class T> struct is_unsigned : bool_constant<is_integral_v<T> && !is_signed_v<T>> {};
template <class T> inline constexpr bool is_unsigned_v = is_unsigned<T>::value;

// NVRTC itself defines std::move and std::forward.
template <class T> T&& declval();
template <class T> constexpr void swap(T& a, T& b) {
    T kept = move(a);
    a = move(b);
    b = move(kept);
}

template <class T> constexpr const T& max(const T& a, const T& b) { return a < b ? b : a; }
template <class T> constexpr const T& min(const T& a, const T& b) { return b < a ? b : a; }
template <class T, class Less> constexpr const T& max(const T& a, const T& b, Less less) {
    return less(a, b) ? b : a;
}
template <class T, class Less> constexpr const T& min(const T& a, const T& b, Less less) {
    return less(b, a) ? b : a;
}
template <class T> constexpr T max(initializer_list<T> list) {
    T best = *list.begin();
    for (auto& x : list)
        if (best < x) best = x;
    return best;
}
template <class T> constexpr T min(initializer_list<T> list) {
    T best = *list.begin();
    for (auto& x : list)
        if (x < best) best = x;
    return best;
}
template <class T> constexpr const T& clamp(const T& v, const T& low, const T& high) {
    return v < low ? low : (high < v ? high : v);
}

// Integers by their width and sign, so that no specialisation (a definition in every PTX) is needed.
template <class T> struct numeric_limits {
    enum : bool {
        is_specialized = is_arithmetic_v<T>,
        is_integer = is_integral_v<T>,
        is_signed = is_signed_v<T>,
        has_infinity = is_floating_point_v<T>,
        has_quiet_NaN = is_floating_point_v<T>,
        is_iec559 = is_floating_point_v<T>,
    };
    enum : int {
        digits = is_floating_point_v<T> ? (sizeof(T) == 4 ? 24 : 53)
                 : is_same_v<T, bool>   ? 1
                                        : int(sizeof(T)) * 8 - int(is_signed),
        digits10 = is_floating_point_v<T> ? (sizeof(T) == 4 ? 6 : 15) : digits * 30103 / 100000,
        max_digits10 = is_floating_point_v<T> ? (sizeof(T) == 4 ? 9 : 17) : 0,
    };
    static constexpr T max() {
        if constexpr (is_same_v<T, float>) return FLT_MAX;
        else if constexpr (is_same_v<T, double>) return DBL_MAX;
        else return T((1ull << (digits - 1)) - 1 + (1ull << (digits - 1)));
    }
    static constexpr T min() {
        if constexpr (is_same_v<T, float>) return FLT_MIN;
        else if constexpr (is_same_v<T, double>) return DBL_MIN;
        else return lowest();
    }
    static constexpr T lowest() {
        if constexpr (is_floating_point_v<T>) return -max();
        else return is_signed ? T(-max() - 1) : T(0);
    }
    static constexpr T epsilon() {
        if constexpr (is_same_v<T, float>) return FLT_EPSILON;
        else if constexpr (is_same_v<T, double>) return DBL_EPSILON;
        else return T(0);
    }
    static constexpr T denorm_min() {
        if constexpr (is_same_v<T, float>) return __builtin_bit_cast(float, 1);
        else if constexpr (is_same_v<T, double>) return __builtin_bit_cast(double, 1ll);
        else return T(0);
    }
    static constexpr T infinity() {
        if constexpr (is_floating_point_v<T>) return T(__builtin_bit_cast(float, 0x7f800000));
        else return T(0);
    }
    static constexpr T quiet_NaN() {
        if constexpr (is_floating_point_v<T>) return T(__builtin_bit_cast(float, 0x7fc00000));
        else return T(0);
    }
};

struct exception {
    const char* what() const { return ""; }
};
struct runtime_error : exception {
    template <class T> runtime_error(const T&) {}
};
struct invalid_argument : exception {
    template <class T> invalid_argument(const T&) {}
};
struct logic_error : exception {
    template <class T> logic_error(const T&) {}
};
struct out_of_range : exception {
    template <class T> out_of_range(const T&) {}
};
using domain_error = logic_error;
using length_error = logic_error;
using overflow_error = runtime_error;
using range_error = runtime_error;
enum class byte : unsigned char {};
struct bad_alloc : exception {};

using ::abort;
using ::atoi;
using ::calloc;
using ::exit;
using ::fflush;
using ::FILE;
using ::free;
using ::malloc;
using ::memcmp;
using ::memcpy;
using ::memmove;
using ::memset;
using ::printf;
using ::puts;
using ::rand;
using ::srand;
using ::strcmp;
using ::strlen;
using ::time;
using ::time_t;
using ::wd_fprintf;
}  // namespace std

// The part of Thrust that submissions use from host code: vectors, device_ptr and a dozen algorithms,
// each a kernel of parallel.cuh. Raw pointers mean host memory unless thrust::device is given.
#pragma once
#include <algorithm>
#include <vector>

#include <warpdojo/parallel.cuh>
#include <warpdojo/thrust_functional.h>

namespace thrust {

// What a host program gets from device memory element by element: reads and writes are copies.
template <class T> struct device_reference {
    T* address;
    operator std::remove_const_t<T>() const {
        std::remove_const_t<T> value;
        wd_memcpy(&value, address, sizeof(T), cudaMemcpyDeviceToHost, 0, 0);
        return value;
    }
    device_reference& operator=(const T& value) {
        wd_memcpy(address, &value, sizeof(T), cudaMemcpyHostToDevice, 0, 0);
        return *this;
    }
    device_reference& operator=(const device_reference& o) { return *this = (std::remove_const_t<T>)o; }
};

template <class T> struct device_ptr {
    T* address;
    using value_type = T;
    device_ptr(T* p = nullptr) : address(p) {}
    T* get() const { return address; }
    device_ptr operator+(long n) const { return {address + n}; }
    device_ptr operator-(long n) const { return {address - n}; }
    long operator-(device_ptr o) const { return address - o.address; }
    device_reference<T> operator[](long i) const { return {address + i}; }
    device_reference<T> operator*() const { return {address}; }
    bool operator==(device_ptr o) const { return address == o.address; }
    bool operator!=(device_ptr o) const { return address != o.address; }
    device_ptr& operator++() {
        ++address;
        return *this;
    }
};
template <class T> device_ptr<T> device_pointer_cast(T* p) { return {p}; }
template <class T> T* raw_pointer_cast(T* p) { return p; }
template <class T> T* raw_pointer_cast(device_ptr<T> p) { return p.address; }

template <class T> struct counting_iterator {
    T start;
    using value_type = T;
    __device__ counting_iterator(T s = T()) : start(s) {}
    __device__ T operator[](long i) const { return start + (T)i; }
    __device__ T operator*() const { return start; }
    __device__ counting_iterator operator+(long n) const { return {start + (T)n}; }
    __device__ long operator-(counting_iterator o) const { return start - o.start; }
};
template <class T> counting_iterator<T> make_counting_iterator(T start) { return {start}; }

struct host_policy {};
struct device_policy {
    device_policy on(cudaStream_t) const { return *this; }
};
inline __device__ host_policy host, seq;
inline __device__ device_policy device;
namespace cuda {
inline __device__ device_policy par;
}

template <class T> struct device_vector;
template <class T> struct host_vector : std::vector<T> {
    using std::vector<T>::vector;
    host_vector() {}
    host_vector(const device_vector<T>& o) { *this = o; }
    host_vector& operator=(const device_vector<T>& o);
};
template <class T> struct device_vector {
    T* items = nullptr;
    size_t count = 0;
    using value_type = T;
    using iterator = device_ptr<T>;

    device_vector() {}
    explicit device_vector(size_t n, T value = T()) {
        resize(n);
        fill(value);
    }
    template <class I, std::enable_if_t<!std::is_integral_v<I>, int> = 0> device_vector(I first, I last) {
        resize(last - first);
        wd_memcpy(items, raw_pointer_cast(first), count * sizeof(T), cudaMemcpyDefault, 0, 0);
    }
    device_vector(const device_vector& o) { *this = o; }
    device_vector(const std::vector<T>& o) { *this = o; }
    ~device_vector() { wd_free(items, 0); }
    device_vector& operator=(const device_vector& o) {
        resize(o.count);
        wd_memcpy(items, o.items, count * sizeof(T), cudaMemcpyDeviceToDevice, 0, 0);
        return *this;
    }
    device_vector& operator=(const std::vector<T>& o) {
        resize(o.size());
        wd_memcpy(items, o.data(), count * sizeof(T), cudaMemcpyHostToDevice, 0, 0);
        return *this;
    }
    void resize(size_t n) {
        if (n == count) return;
        T* moved = nullptr;
        if (n) wd_malloc((void**)&moved, n * sizeof(T), 0);
        if (n && count) wd_memcpy(moved, items, (n < count ? n : count) * sizeof(T), cudaMemcpyDeviceToDevice, 0, 0);
        wd_free(items, 0);
        items = moved;
        count = n;
    }
    void fill(T value);
    device_ptr<T> data() { return {items}; }
    device_ptr<const T> data() const { return {items}; }
    device_ptr<T> begin() { return {items}; }
    device_ptr<T> end() { return {items + count}; }
    device_ptr<const T> begin() const { return {items}; }
    device_ptr<const T> end() const { return {items + count}; }
    size_t size() const { return count; }
    bool empty() const { return count == 0; }
    device_reference<T> operator[](size_t i) { return {items + i}; }
};
template <class T> host_vector<T>& host_vector<T>::operator=(const device_vector<T>& o) {
    this->resize(o.count);
    wd_memcpy(this->data(), o.items, o.count * sizeof(T), cudaMemcpyDeviceToHost, 0, 0);
    return *this;
}

// ---- functors of the element-wise kernels

template <class Out, class T> struct wd_Fill {
    Out out;
    T value;
    __device__ void operator()(long long i) const { out[i] = value; }
};
template <class In, class Out, class F> struct wd_Map {
    In in;
    Out out;
    F f;
    __device__ void operator()(long long i) const { out[i] = f(in[i]); }
};
template <class A, class B, class Out, class F> struct wd_Map2 {
    A a;
    B b;
    Out out;
    F f;
    __device__ void operator()(long long i) const { out[i] = f(a[i], b[i]); }
};
template <class Out, class T> struct wd_Sequence {
    Out out;
    T start, step;
    __device__ void operator()(long long i) const { out[i] = start + step * (T)i; }
};
template <class In, class F> struct wd_Apply {
    In in;
    F f;
    __device__ void operator()(long long i) const { f(in[i]); }
};
template <class In, class F> struct wd_Mapped {  // an iterator of f(in[i])
    In in;
    F f;
    __device__ auto operator[](long long i) const { return f(in[i]); }
};
template <class A, class B, class F> struct wd_Zipped {  // an iterator of f(a[i], b[i])
    A a;
    B b;
    F f;
    __device__ auto operator[](long long i) const { return f(a[i], b[i]); }
};
template <class In, class T> struct wd_Equals {
    In in;
    T value;
    __device__ long long operator[](long long i) const { return in[i] == value; }
};
template <class In, class F> struct wd_Holds {
    In in;
    F f;
    __device__ long long operator[](long long i) const { return f(in[i]) ? 1 : 0; }
};

#ifdef WARPDOJO_HOST
// Device iterators as what a kernel can index: device_ptr<T> becomes T*.
template <class I> I wd_raw(I i) { return i; }
template <class T> T* wd_raw(device_ptr<T> p) { return p.address; }
template <class I> using wd_value = std::decay_t<decltype(std::declval<I>()[0])>;

template <class F> void wd_each(long long n, F f) {
    if (n > 0) wd_parallel::each<<<wd_parallel::blocks(n), wd_parallel::THREADS>>>(n, f);
}
template <class In, class F, class T> T wd_reduce(In in, long long n, F f, T init) {
    T* out;
    T result;
    wd_malloc((void**)&out, sizeof(T), 0);
    wd_parallel::reduce<<<1, wd_parallel::THREADS>>>(in, out, n, f, init);
    wd_memcpy(&result, out, sizeof(T), cudaMemcpyDeviceToHost, 0, 0);
    wd_free(out, 0);
    return result;
}
template <class K, class V, class Less> void wd_sort(K* keys, V* values, long long n, Less less) {
    K* spare[2];
    V* value_spare[2] = {};
    for (int i = 0; i < 2; ++i) {
        wd_malloc((void**)&spare[i], n * sizeof(K) + 1, 0);
        if (values) wd_malloc((void**)&value_spare[i], n * sizeof(V) + 1, 0);
    }
    wd_memcpy(spare[0], keys, n * sizeof(K), cudaMemcpyDeviceToDevice, 0, 0);
    if (values) wd_memcpy(value_spare[0], values, n * sizeof(V), cudaMemcpyDeviceToDevice, 0, 0);
    wd_parallel::merge_sort<K, V, Less>(spare[0], keys, spare[1], value_spare[0], values, value_spare[1], n, less, 0);
    wd_synchronize();
    for (int i = 0; i < 2; ++i) {
        wd_free(spare[i], 0);
        if (values) wd_free(value_spare[i], 0);
    }
}
template <class T> void device_vector<T>::fill(T value) { wd_each(count, wd_Fill<T*, T>{items, value}); }

// ---- algorithms on device iterators

template <class I, class T> void fill(device_policy, I a, I b, T value) {
    wd_each(b - a, wd_Fill<decltype(wd_raw(a)), T>{wd_raw(a), value});
}
template <class I, class O, class F> O transform(device_policy, I a, I b, O out, F f) {
    wd_each(b - a, wd_Map<decltype(wd_raw(a)), decltype(wd_raw(out)), F>{wd_raw(a), wd_raw(out), f});
    return out + (b - a);
}
template <class I, class J, class O, class F> O transform(device_policy, I a, I b, J c, O out, F f) {
    wd_each(b - a, wd_Map2<decltype(wd_raw(a)), decltype(wd_raw(c)), decltype(wd_raw(out)), F>{wd_raw(a), wd_raw(c),
                                                                                           wd_raw(out), f});
    return out + (b - a);
}
template <class I, class F> I for_each(device_policy, I a, I b, F f) {
    wd_each(b - a, wd_Apply<decltype(wd_raw(a)), F>{wd_raw(a), f});
    return b;
}
template <class I> void sequence(device_policy, I a, I b) {
    using T = wd_value<decltype(wd_raw(a))>;
    wd_each(b - a, wd_Sequence<decltype(wd_raw(a)), T>{wd_raw(a), T(0), T(1)});
}
template <class I, class T, class F> T reduce(device_policy, I a, I b, T init, F f) {
    return wd_reduce(wd_raw(a), b - a, f, init);
}
template <class I, class T> T reduce(device_policy, I a, I b, T init) {
    return wd_reduce(wd_raw(a), b - a, plus<T>(), init);
}
template <class I> auto reduce(device_policy, I a, I b) {
    using T = wd_value<decltype(wd_raw(a))>;
    return wd_reduce(wd_raw(a), b - a, plus<T>(), T(0));
}
template <class I, class F, class T, class G> T transform_reduce(device_policy, I a, I b, F f, T init, G g) {
    return wd_reduce(wd_Mapped<decltype(wd_raw(a)), F>{wd_raw(a), f}, b - a, g, init);
}
template <class I, class J, class T> T inner_product(device_policy, I a, I b, J c, T init) {
    using Pair = wd_Zipped<decltype(wd_raw(a)), decltype(wd_raw(c)), multiplies<T>>;
    return wd_reduce(Pair{wd_raw(a), wd_raw(c), multiplies<T>()}, b - a, plus<T>(), init);
}
template <class I, class T> long count(device_policy, I a, I b, T value) {
    return wd_reduce(wd_Equals<decltype(wd_raw(a)), T>{wd_raw(a), value}, b - a, plus<long long>(), 0LL);
}
template <class I, class F> long count_if(device_policy, I a, I b, F f) {
    return wd_reduce(wd_Holds<decltype(wd_raw(a)), F>{wd_raw(a), f}, b - a, plus<long long>(), 0LL);
}
template <class I, class O, class F> O inclusive_scan(device_policy, I a, I b, O out, F f) {
    using T = wd_value<decltype(wd_raw(a))>;
    if (b - a > 0)
        wd_parallel::scan<<<1, wd_parallel::THREADS>>>(wd_raw(a), wd_raw(out), (long long)(b - a), f, T(), false);
    return out + (b - a);
}
template <class I, class O> O inclusive_scan(device_policy p, I a, I b, O out) {
    return inclusive_scan(p, a, b, out, plus<wd_value<decltype(wd_raw(a))>>());
}
template <class I, class O, class T, class F> O exclusive_scan(device_policy, I a, I b, O out, T init, F f) {
    if (b - a > 0)
        wd_parallel::scan<<<1, wd_parallel::THREADS>>>(wd_raw(a), wd_raw(out), (long long)(b - a), f, init, true);
    return out + (b - a);
}
template <class I, class O, class T> O exclusive_scan(device_policy p, I a, I b, O out, T init) {
    return exclusive_scan(p, a, b, out, init, plus<T>());
}
template <class I, class O> O exclusive_scan(device_policy p, I a, I b, O out) {
    return exclusive_scan(p, a, b, out, wd_value<decltype(wd_raw(a))>(0));
}
template <class I, class Less> void sort(device_policy, I a, I b, Less less) {
    wd_sort<wd_value<decltype(wd_raw(a))>, int>(wd_raw(a), nullptr, b - a, less);
}
template <class I> void sort(device_policy p, I a, I b) { sort(p, a, b, thrust::less<>()); }
template <class I, class Less> void stable_sort(device_policy p, I a, I b, Less less) { sort(p, a, b, less); }
template <class I> void stable_sort(device_policy p, I a, I b) { sort(p, a, b); }
template <class I, class J, class Less> void sort_by_key(device_policy, I a, I b, J values, Less less) {
    wd_sort(wd_raw(a), wd_raw(values), b - a, less);
}
template <class I, class J> void sort_by_key(device_policy p, I a, I b, J values) {
    sort_by_key(p, a, b, values, thrust::less<>());
}
template <class I> I max_element(device_policy p, I a, I b) {
    auto best = reduce(p, a, b, (wd_value<decltype(wd_raw(a))>)a[0], thrust::maximum<>());
    for (I i = a; i != b; ++i)
        if ((decltype(best))*i == best) return i;
    return b;
}
template <class I> I min_element(device_policy p, I a, I b) {
    auto best = reduce(p, a, b, (wd_value<decltype(wd_raw(a))>)a[0], thrust::minimum<>());
    for (I i = a; i != b; ++i)
        if ((decltype(best))*i == best) return i;
    return b;
}

// Without a policy: device_ptr iterators run on the device, anything else as std:: on the host.
template <class T, class... Rest> auto wd_dispatch_is_device(device_ptr<T>, Rest...) -> std::true_type;
template <class T, class... Rest> auto wd_dispatch_is_device(counting_iterator<T>, Rest...) -> std::true_type;
template <class I, class... Rest> auto wd_dispatch_is_device(I, Rest...) -> std::false_type;
#define WD_BY_ITERATOR(name)                                                                                       \
    template <class I, class... A, std::enable_if_t<decltype(wd_dispatch_is_device(std::declval<I>()))::value, int> = 0> \
    auto name(I first, I last, A... rest) {                                                                        \
        return name(device_policy(), first, last, rest...);                                                        \
    }
WD_BY_ITERATOR(fill) WD_BY_ITERATOR(transform) WD_BY_ITERATOR(for_each) WD_BY_ITERATOR(sequence)
WD_BY_ITERATOR(reduce) WD_BY_ITERATOR(transform_reduce) WD_BY_ITERATOR(inner_product) WD_BY_ITERATOR(count)
WD_BY_ITERATOR(count_if) WD_BY_ITERATOR(inclusive_scan) WD_BY_ITERATOR(exclusive_scan) WD_BY_ITERATOR(sort)
WD_BY_ITERATOR(stable_sort) WD_BY_ITERATOR(sort_by_key) WD_BY_ITERATOR(max_element) WD_BY_ITERATOR(min_element)
#undef WD_BY_ITERATOR
#define WD_ON_HOST(name)                                                                                           \
    template <class T, class... A> auto name(T* first, T* last, A... rest) { return std::name(first, last, rest...); } \
    template <class T, class... A> auto name(host_policy, T* first, T* last, A... rest) {                          \
        return std::name(first, last, rest...);                                                                    \
    }
WD_ON_HOST(fill) WD_ON_HOST(transform) WD_ON_HOST(for_each) WD_ON_HOST(reduce) WD_ON_HOST(sort)
WD_ON_HOST(stable_sort) WD_ON_HOST(count) WD_ON_HOST(inclusive_scan) WD_ON_HOST(exclusive_scan)
#undef WD_ON_HOST

// Between any two memories: the driver knows where each pointer points.
template <class I, class O> O copy(I a, I b, O out) {
    using T = std::remove_cv_t<std::remove_pointer_t<decltype(raw_pointer_cast(out))>>;
    wd_memcpy(raw_pointer_cast(out), raw_pointer_cast(a), (b - a) * sizeof(T), cudaMemcpyDefault, 0, 0);
    return out + (b - a);
}
template <class P, class I, class O> O copy(P, I a, I b, O out) { return thrust::copy(a, b, out); }
#endif
}  // namespace thrust

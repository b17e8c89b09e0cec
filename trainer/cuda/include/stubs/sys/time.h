#pragma once

struct timeval {
    time_t tv_sec;
    long tv_usec;
};
inline int gettimeofday(timeval* now, void*) {
    long long n = wd_nanoseconds();
    *now = {n / 1000000000, (long)(n / 1000 % 1000000)};
    return 0;
}

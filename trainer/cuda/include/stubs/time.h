// The clocks of POSIX; the rest is in warpdojo/prelude.h.
#pragma once

struct timespec {
    time_t tv_sec;
    long tv_nsec;
};
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
inline int clock_gettime(int, timespec* now) {
    long long n = wd_nanoseconds();
    *now = {n / 1000000000, (long)(n % 1000000000)};
    return 0;
}

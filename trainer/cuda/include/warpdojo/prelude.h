// Read before every submission: what a CUDA C++ file may use without NVRTC having it.
//
// The whole file is compiled as device code (-default-device), the host function included. So
// everything below is device code too, and needs no annotation. The standard library is hand
// written: libcu++ would cost 1.5 s per compile.
#pragma once
#pragma nv_diag_suppress 47, 61, 68, 69, 111, 128, 174, 177, 186, 223, 549, 550, 940, 1215, 1305, 1444
#pragma nv_diag_suppress 20011, 20012, 20013, 20014
#include <cuda_runtime.h>

#include <warpdojo/types.h>

#include <warpdojo/traps.h>

#include <warpdojo/cuda_api.h>

#include <warpdojo/c_library.h>

#include <warpdojo/std_base.h>

#include <warpdojo/std_math.h>

// Host code has no exceptions here: a `throw` ends the run, so a `try` never fails and its
// `catch` blocks (blanked before compiling) are never needed.
#define throw wd_throw(), (void)
#define try if (true)

// Functions of both sides are device functions, and so are those of the host.
#undef __host__
#define __host__

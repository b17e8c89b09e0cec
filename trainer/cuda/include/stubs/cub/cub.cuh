// The umbrella header without what NVRTC refuses: block and warp primitives are CUB's own,
// device-wide ones are ours.
#pragma once
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
#include <warpdojo/cub_device.cuh>
#include <warpdojo/thrust_functional.h>

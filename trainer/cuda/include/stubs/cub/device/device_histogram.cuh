#pragma once
#include <warpdojo/cub_device.cuh>

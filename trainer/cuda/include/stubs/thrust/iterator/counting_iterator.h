#pragma once
#include <warpdojo/thrust.h>

#pragma once
#include <warpdojo/thrust_functional.h>

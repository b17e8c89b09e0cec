#pragma once  // all of it is in warpdojo/prelude.h

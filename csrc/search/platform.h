/* What C11 leaves to the platform: a clock that only runs forward. */
#ifndef BASRA_SEARCH_PLATFORM_H
#define BASRA_SEARCH_PLATFORM_H

#include <stdint.h>

int64_t platform_now_ns(void);

#endif

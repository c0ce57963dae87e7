/* The allocator of the whole library, in one place, so that a build can put another one in. */
#ifndef BASRA_GAME_MEMORY_H
#define BASRA_GAME_MEMORY_H

#include <stdlib.h>

#ifdef BASRA_ALLOCATOR_HEADER
#include BASRA_ALLOCATOR_HEADER
#else
#define basra_malloc malloc
#define basra_calloc calloc
#define basra_realloc realloc
#define basra_free free
#endif

#endif

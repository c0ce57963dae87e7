/* The library's allocator in the allocation tests: it counts, and fails when it is told to. */
#ifndef BASRA_FAILING_ALLOCATOR_H
#define BASRA_FAILING_ALLOCATOR_H

#include <stddef.h>

void *failing_malloc(size_t size);
void *failing_calloc(size_t count, size_t size);
void *failing_realloc(void *block, size_t size);
void failing_free(void *block);

#define basra_malloc failing_malloc
#define basra_calloc failing_calloc
#define basra_realloc failing_realloc
#define basra_free failing_free

#endif

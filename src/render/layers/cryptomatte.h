// Names as Cryptomatte has them.
#pragma once

#include <sherd/layers.h>

#include <stddef.h>

// Distinct names of a picture's objects or materials, with their hashes, sorted by hash.
typedef struct cryptomatte_names {
    const char **names; // borrowed (count)
    uint32_t *hashes;   // (count)
    int count;
} cryptomatte_names;

// {"plate.7":"1a2b3c4d",...}: names are escaped. Owned, free with sherd_free; NULL when memory is short.
char *sherd_cryptomatte_manifest(const cryptomatte_names *names);

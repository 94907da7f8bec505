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

// MurmurHash3_x86_32 of the name with seed 0, with a bit flipped where as a float it would be no number or not
// normal: Friedman and Jones, Fully automatic ID mattes with support for motion blur and transparency (2015), Cryptomatte
// specification 1.2.0.
uint32_t sherd_cryptomatte_hash(const char *name);

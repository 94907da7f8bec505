// Hashes and manifests of names in the Cryptomatte format.
#pragma once

#include <sherd/layers.h>

#include <stddef.h>

// The distinct names of the objects or the materials of a picture, and their hashes.
typedef struct cryptomatte_names {
    const char **names; // borrowed (count)
    uint32_t *hashes;   // (count)
    int count;
} cryptomatte_names;

// The JSON manifest {"plate.7":"1a2b3c4d",...}, with names escaped. Owned by the caller
// (sherd_free); NULL when memory is short.
char *sherd_cryptomatte_manifest(const cryptomatte_names *names);

// MurmurHash3_x86_32 of a name with seed 0. One bit of the exponent is flipped if the hash, read as
// a float, would be infinite, not a number, zero or denormal.
//   Friedman and Jones, Fully automatic ID mattes with support for motion blur and transparency
//   (2015), Cryptomatte specification 1.2.0
uint32_t sherd_cryptomatte_hash(const char *name);

// FNV-1a over 64-bit words: a quick fingerprint of simulation state, not a cryptographic hash.
#pragma once

#include <stddef.h>
#include <stdint.h>

#define SHERD_HASH_START UINT64_C(0xcbf29ce484222325)

// Continues `hash` with `size` bytes. Equal bytes give equal hashes on one machine.
uint64_t sherd_hash_bytes(uint64_t hash, const void *bytes, size_t size);

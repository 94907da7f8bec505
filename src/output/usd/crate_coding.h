// How numbers and bytes are packed in the crate format (.usdc): lists of integers as differences with
// codes of two bits, then everything by LZ4 blocks.
//
// Only encoders: nothing here reads files. Equal input gives equal bytes on every machine, which a
// library that is updated does not promise.   openusd.org, pxr/usd/sdf/integerCoding; LZ4 block format
#pragma once

#include "base/byte_buffer.h"

// Largest size of the LZ4 block of `size` bytes.
size_t sherd_lz4_bound(size_t size);
// Writes an LZ4 block of `size` bytes, fewer than 2^31, to `to` (sherd_lz4_bound(size)); returns its
// size.
size_t sherd_lz4_compress(const unsigned char *from, size_t size, unsigned char *to);

// Appends bytes as the format compresses them: the number of blocks, 0 for a single one, and blocks.
void sherd_crate_compress(sherd_byte_buffer *to, const void *bytes, size_t size);

// Appends the codes of integers: the most common difference to the one before, two bits for each
// (0: the most common difference; 1, 2, 3: stored in a quarter of the width, half of it, all of it),
// then the stored differences. `width` is 4 (int32_t) or 8 (int64_t).
void sherd_crate_encode_integers(sherd_byte_buffer *to, const void *integers, size_t count,
                                 int width);

// Appends the size of the compressed codes (8 bytes), then these.
void sherd_crate_compress_integers(sherd_byte_buffer *to, const void *integers, size_t count,
                                   int width);

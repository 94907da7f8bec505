// Changes files of chunks, run.sherd and checkpoint.sherd (docs/reference/run-file.md): unpacks the chunks, changes
// one and mends sizes and checksums, so that what lies behind them is reached.
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

enum { FILE_HEADER = FUZZ_FILE_HEADER, CHUNK_HEADER = 40, LARGEST = 1 << 18 };

static uint64_t get64(const uint8_t *at)
{
    uint64_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

void fuzz_put_crc(uint8_t *header, size_t size)
{
    uint32_t crc = (uint32_t)crc32_z(0, header, size);
    memcpy(header + size, &crc, sizeof crc);
}

static size_t chunk_end(const uint8_t *data, size_t size, size_t at)
{
    if (size - at < CHUNK_HEADER) return size;
    uint64_t stored = get64(data + at + 24);
    return stored > size - at - CHUNK_HEADER ? size : at + CHUNK_HEADER + (size_t)stored;
}

// Where the k-th chunk begins, counted round and round.
static size_t find_chunk(const uint8_t *data, size_t size, uint32_t k)
{
    size_t at = FILE_HEADER;
    for (k %= 12; k > 0; --k) {
        at = chunk_end(data, size, at);
        if (size - at < CHUNK_HEADER) at = FILE_HEADER;
    }
    return at;
}

// The payload as it was before it was packed; 0 when it can't be had.
static size_t unpack(const uint8_t *chunk, size_t stored, uint8_t *raw)
{
    if (chunk[4] == 1) {
        size_t size = ZSTD_decompress(raw, LARGEST, chunk + CHUNK_HEADER, stored);
        return ZSTD_isError(size) ? 0 : size;
    }
    if (stored > LARGEST) return 0;
    memcpy(raw, chunk + CHUNK_HEADER, stored);
    return stored;
}

// One number of 8 bytes, or whatever libFuzzer finds.
static size_t change(uint8_t *raw, size_t size, uint32_t *random)
{
    static const int64_t VALUES[] = {
        0,         1,         -1, 2,         INT32_MAX,          1LL << 32,
        INT64_MAX, INT64_MIN, 60, 1LL << 40, 0x7ff0000000000000, 0x7ff8000000000000};
    if (size < 8 || fuzz_random(random) % 3 > 0) return LLVMFuzzerMutate(raw, size, LARGEST);
    int64_t value = VALUES[fuzz_random(random) % (sizeof VALUES / sizeof *VALUES)];
    memcpy(raw + fuzz_random(random) % (size / 8) * 8, &value, sizeof value);
    return size;
}

static size_t change_chunk(uint8_t *data, size_t size, size_t max_size, uint32_t *random)
{
    size_t at = find_chunk(data, size, fuzz_random(random));
    size_t end = chunk_end(data, size, at);
    uint8_t *raw = malloc(LARGEST);
    size_t length = raw != NULL ? unpack(data + at, end - at - CHUNK_HEADER, raw) : 0;
    length = length > 0 ? change(raw, length, random) : 0;
    if (length > 0 && at + CHUNK_HEADER + length + (size - end) <= max_size) {
        memmove(data + at + CHUNK_HEADER + length, data + end, size - end);
        memcpy(data + at + CHUNK_HEADER, raw, length);
        size = at + CHUNK_HEADER + length + (size - end);
        memset(data + at + 4, 0, 4); // stored as it is
        uint64_t stored = length;
        memcpy(data + at + 16, &stored, sizeof stored);
        memcpy(data + at + 24, &stored, sizeof stored);
        uint32_t crc = (uint32_t)crc32_z(0, raw, length);
        memcpy(data + at + 32, &crc, sizeof crc);
        fuzz_put_crc(data + at, 36);
    }
    free(raw);
    return size;
}

size_t fuzz_change_chunks(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    uint32_t random = seed;
    if (size < FILE_HEADER + CHUNK_HEADER) return LLVMFuzzerMutate(data, size, max_size);
    uint32_t what = fuzz_random(&random) % 10;
    if (what == 0) return LLVMFuzzerMutate(data, size, max_size);
    if (what == 1) { // a header: kind, codec, index, sizes
        size_t at = find_chunk(data, size, fuzz_random(&random));
        if (size - at < CHUNK_HEADER) return size;
        LLVMFuzzerMutate(data + at, 32, 32);
        fuzz_put_crc(data + at, 36);
        return size;
    }
    if (what == 2) {
        LLVMFuzzerMutate(data, 28, 28);
        fuzz_put_crc(data, 28);
        return size;
    }
    return change_chunk(data, size, max_size, &random);
}

// Chunks of a run file: pieces that threads compress, whose bytes do not depend on the threads.
#include "output/run_file/chunk_file.h"

#include "base/file_writer.h"
#include "base/memory.h"
#include "base/random.h"
#include "unit/temporary_path.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <string.h>
#include <sys/stat.h>

#define MAGIC "SHERDRUN"

enum { MEGABYTE = 1 << 20 };

// Bytes of which every second one is random: they compress to about a half.
static sherd_byte_buffer half_random(size_t size)
{
    sherd_byte_buffer out = {0};
    unsigned char *bytes = sherd_byte_buffer_extend(&out, size);
    for (size_t k = 0; k < size; ++k)
        bytes[k] = k % 2 == 0 ? (unsigned char)sherd_random_bits(1, 2, k) : 7;
    return out;
}

static void write_chunk(const sherd_byte_buffer *payload, int threads)
{
    sherd_error error;
    sherd_file_writer *file = sherd_file_writer_create(path, &error);
    cr_assert(file != NULL, "%s", error.what);
    sherd_chunk_write_file_header(file, MAGIC, 5);
    sherd_parallel parallel = {threads};
    const uint32_t kind = SHERD_CHUNK_KIND('F', 'R', 'A', 'M');
    cr_assert(sherd_chunk_write(file, kind, 3, payload, &parallel, &error) == SHERD_OK);
    cr_assert(sherd_file_writer_commit(file, &error) == SHERD_OK, "%s", error.what);
}

static void read_file(unsigned char **bytes, size_t *size)
{
    sherd_error error;
    cr_assert(sherd_file_read(path, bytes, size, &error) == SHERD_OK, "%s", error.what);
}

// Reads the only chunk and compares it with what was written.
static void check_payload(const sherd_byte_buffer *payload)
{
    sherd_chunk_file file;
    sherd_error error;
    unsigned char *bytes;
    cr_assert(sherd_chunk_file_open(&file, path, MAGIC, &error) == SHERD_OK, "%s", error.what);
    cr_assert(eq(sz, file.count, 1));
    cr_assert(file.chunks[0].raw_size == payload->size && file.chunks[0].index == 3);
    cr_assert(sherd_chunk_check(&file, &file.chunks[0], &error) == SHERD_OK);
    cr_assert(sherd_chunk_read(&file, &file.chunks[0], &bytes, &error) == SHERD_OK, "%s",
              error.what);
    cr_assert(payload->size == 0 || memcmp(bytes, payload->bytes, payload->size) == 0);
    sherd_free(bytes);
    sherd_chunk_file_close(&file);
}

Test(chunk_file, bytes_are_the_same_for_every_number_of_threads, .init = make_path,
     .fini = remove_path)
{
    static const int threads[] = {1, 2, 3, 8};
    sherd_byte_buffer payload = half_random(3 * MEGABYTE + 12345);
    unsigned char *first = NULL, *now;
    size_t first_size = 0, size;
    for (size_t k = 0; k < sizeof threads / sizeof *threads; ++k) {
        write_chunk(&payload, threads[k]);
        check_payload(&payload);
        read_file(&now, &size);
        cr_assert(size < 2 * MEGABYTE, "%zu bytes: not compressed", size);
        if (first == NULL)
            first = now, first_size = size;
        else
            cr_assert(size == first_size && memcmp(now, first, size) == 0, "%d threads",
                      threads[k]);
        if (now != first) sherd_free(now);
    }
    sherd_free(first);
    sherd_byte_buffer_free(&payload);
}

Test(chunk_file, sizes_around_those_of_pieces_come_back, .init = make_path, .fini = remove_path)
{
    static const size_t sizes[] = {0, 1, 100, (1 << 18) - 1, 1 << 18, (1 << 18) + 1, MEGABYTE};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
        sherd_byte_buffer payload = half_random(sizes[k]);
        write_chunk(&payload, 2);
        check_payload(&payload);
        sherd_byte_buffer_free(&payload);
    }
}

// Zeros compress beyond what a reader unpacks: such a chunk is stored as it is.
Test(chunk_file, what_does_not_compress_or_compresses_too_well_is_stored_as_it_is,
     .init = make_path, .fini = remove_path)
{
    sherd_byte_buffer zeros = {0}, noise = {0};
    memset(sherd_byte_buffer_extend(&zeros, 40 * MEGABYTE), 0, 40 * MEGABYTE);
    unsigned char *random = sherd_byte_buffer_extend(&noise, MEGABYTE);
    for (size_t k = 0; k < MEGABYTE; ++k)
        random[k] = (unsigned char)sherd_random_bits(1, 1, k);
    struct stat info;
    write_chunk(&zeros, 2);
    check_payload(&zeros);
    cr_assert(stat(path, &info) == 0 && info.st_size > 40 * MEGABYTE);
    write_chunk(&noise, 2);
    check_payload(&noise);
    cr_assert(stat(path, &info) == 0 && info.st_size == MEGABYTE + 32 + 40);
    sherd_byte_buffer_free(&zeros);
    sherd_byte_buffer_free(&noise);
}

// A wrong byte in any piece is an error of its chunk.
Test(chunk_file, damage_in_any_piece_is_noticed, .init = make_path, .fini = remove_path)
{
    sherd_byte_buffer payload = half_random(MEGABYTE);
    sherd_error error;
    write_chunk(&payload, 2);
    unsigned char *bytes;
    size_t size;
    read_file(&bytes, &size);
    for (int k = 1; k < 8; ++k) {
        size_t at = 32 + 40 + (size_t)k * (size - 72) / 8;
        FILE *file = fopen(path, "r+b");
        fseek(file, (long)at, SEEK_SET);
        fputc(bytes[at] ^ 1, file);
        fclose(file);
        sherd_chunk_file read;
        cr_assert(sherd_chunk_file_open(&read, path, MAGIC, &error) == SHERD_OK);
        cr_assert(eq(sz, read.count, 0)); // the last chunk is checked on opening
        sherd_chunk_file_close(&read);
        file = fopen(path, "r+b");
        fseek(file, (long)at, SEEK_SET);
        fputc(bytes[at], file);
        fclose(file);
    }
    check_payload(&payload);
    sherd_free(bytes);
    sherd_byte_buffer_free(&payload);
}

// ---------------------------------------------------------------- chunks that are written while they are encoded

// Appends a payload in steps of other sizes than pieces have.
static sherd_status encode(const void *context, sherd_byte_buffer *out, sherd_error *error)
{
    enum { STEP = 100000 };
    const sherd_byte_buffer *payload = context;
    (void)error;
    for (size_t at = 0; at < payload->size; at += STEP)
        sherd_byte_buffer_append(out, payload->bytes + at,
                                 payload->size - at < STEP ? payload->size - at : STEP);
    return SHERD_OK;
}

static void write_encoded(const sherd_byte_buffer *payload, bool in_place, int threads)
{
    sherd_error error;
    sherd_file_writer *file = sherd_file_writer_create(path, &error);
    cr_assert(file != NULL, "%s", error.what);
    sherd_chunk_write_file_header(file, MAGIC, 5);
    sherd_parallel parallel = {threads};
    const sherd_chunk_source source = {encode, payload,
                                       in_place ? SHERD_CHUNK_IN_PLACE : SHERD_CHUNK_APPENDED};
    const uint32_t kind = SHERD_CHUNK_KIND('F', 'R', 'A', 'M');
    cr_assert(sherd_chunk_write_pieces(file, kind, 3, &source, &parallel, &error) == SHERD_OK);
    cr_assert(sherd_file_writer_commit(file, &error) == SHERD_OK, "%s", error.what);
}

// As where the payload is in memory as a whole, around the sizes of a piece and of a batch of eight.
Test(chunk_file, what_is_written_while_it_is_encoded_has_the_same_bytes, .init = make_path,
     .fini = remove_path)
{
    static const size_t sizes[] = {
        0, 100, MEGABYTE / 4, 2 * MEGABYTE, 2 * MEGABYTE + 1, 4 * MEGABYTE, 5 * MEGABYTE + 7};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
        sherd_byte_buffer payload = half_random(sizes[k]);
        unsigned char *whole, *encoded;
        size_t whole_size, encoded_size;
        write_chunk(&payload, 1);
        read_file(&whole, &whole_size);
        for (int in_place = 0; in_place < 2; ++in_place) {
            write_encoded(&payload, in_place, 1 + (int)k % 3);
            check_payload(&payload);
            read_file(&encoded, &encoded_size);
            cr_assert(encoded_size == whole_size && memcmp(encoded, whole, whole_size) == 0,
                      "%zu bytes", sizes[k]);
            sherd_free(encoded);
        }
        sherd_free(whole);
        sherd_byte_buffer_free(&payload);
    }
}

// It can't be stored as it is any more when that is known: bytes that readers skip make it larger.
Test(chunk_file, zeros_that_are_encoded_can_be_read, .init = make_path, .fini = remove_path)
{
    sherd_byte_buffer zeros = {0};
    memset(sherd_byte_buffer_extend(&zeros, 80 * MEGABYTE), 0, 80 * MEGABYTE);
    for (int in_place = 0; in_place < 2; ++in_place) {
        write_encoded(&zeros, in_place, 2);
        check_payload(&zeros);
    }
    sherd_byte_buffer_free(&zeros);
}

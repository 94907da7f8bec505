// Memory of bulk arrays: zeroed, and taken from the system only where it is written.
#include "base/pages/pages.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { MEGABYTE = 1 << 20, SIZE = 64 * MEGABYTE };

// Memory of this process [bytes]; 0: the system does not tell.
static size_t resident(void)
{
    size_t all, pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL) return 0;
    if (fscanf(file, "%zu %zu", &all, &pages) != 2) pages = 0;
    fclose(file);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static bool is_zero(const unsigned char *bytes, size_t size)
{
    for (size_t k = 0; k < size; ++k)
        if (bytes[k] != 0) return false;
    return true;
}

// Blocks that were written, freed and allocated again are zeroed, around the size from which whole pages are.
Test(pages, blocks_are_zero)
{
    static const size_t sizes[] = {
        1, 100, 4096, MEGABYTE - 64, MEGABYTE, MEGABYTE + 1, 3 * MEGABYTE + 77};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k)
        for (int turn = 0; turn < 3; ++turn) {
            unsigned char *block = sherd_alloc_pages(sizes[k], 1);
            cr_assert(block != NULL && is_zero(block, sizes[k]), "%zu bytes", sizes[k]);
            memset(block, 255, sizes[k]);
            if (turn == 1) {
                sherd_clear_pages(block, sizes[k]);
                cr_assert(is_zero(block, sizes[k]), "%zu bytes, cleared", sizes[k]);
                memset(block, 255, sizes[k]);
            }
            sherd_free_pages(block);
        }
}

// Neighbours of a cleared or freed block keep their bytes.
Test(pages, clearing_and_freeing_leave_neighbours_alone)
{
    enum { BLOCKS = 5, BYTES = MEGABYTE + 1000 };
    unsigned char *block[BLOCKS];
    for (int k = 0; k < BLOCKS; ++k) {
        block[k] = sherd_alloc_pages(BYTES, 1);
        memset(block[k], k + 1, BYTES);
    }
    sherd_clear_pages(block[1], BYTES);
    sherd_free_pages(block[3]);
    for (int k = 0; k < BLOCKS; k += 2)
        for (size_t at = 0; at < BYTES; ++at)
            cr_assert(block[k][at] == k + 1, "block %d, byte %zu", k, at);
    for (int k = 0; k < BLOCKS; ++k)
        if (k != 3) sherd_free_pages(block[k]);
}

// Half of the block as margin: the rest of the process takes and gives back little meanwhile.
Test(pages, pages_that_are_not_written_take_no_memory)
{
    size_t before = resident();
    cr_assert(before > 0, "the system does not tell the memory of a process");
    unsigned char *block = sherd_alloc_pages(SIZE, 1);
    cr_assert(resident() < before + SIZE / 2, "allocated");
    cr_assert(is_zero(block, SIZE));
    cr_assert(resident() < before + SIZE / 2, "read");
    memset(block, 1, SIZE);
    cr_assert(resident() > before + SIZE / 2, "written");
    sherd_clear_pages(block, SIZE);
    cr_assert(resident() < before + SIZE / 2, "cleared");
    memset(block, 1, SIZE);
    sherd_free_pages(block);
    cr_assert(resident() < before + SIZE / 2, "freed");
}

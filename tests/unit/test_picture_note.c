// Notes in PNG files: read back, and no harm to the picture.
#include "render/png/picture_note.h"
#include "render/texture/image_file.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static size_t read_all(const char *path, uint8_t *bytes, size_t size)
{
    FILE *file = fopen(path, "rb");
    cr_assert(file != NULL);
    size_t got = fread(bytes, 1, size, file);
    fclose(file);
    return got;
}

Test(picture_note, is_read_back_and_leaves_the_picture)
{
    enum { SIDE = 8, LARGEST = 65536 };
    char path[] = "/tmp/sherd_note_XXXXXX", note[SHERD_PICTURE_NOTE] = "";
    close(mkstemp(path));
    sherd_error error;
    sherd_image *image = sherd_image_create(SIDE, SIDE, &error);
    for (int k = 0; k < 3 * SIDE * SIDE; ++k)
        image->pixels[k] = (uint8_t)(k * 7);
    static uint8_t file[LARGEST];
    const char *const notes[] = {NULL, "preview", "final"};
    for (int k = 0; k < 3; ++k) {
        cr_assert(eq(int, (int)sherd_image_write_noted(image, notes[k], path, &error), SHERD_OK));
        cr_assert(sherd_picture_note_read(path, note) == (notes[k] != NULL));
        if (notes[k] != NULL) cr_assert(eq(str, (char *)note, (char *)notes[k]));
        texture_pixels pixels = {0};
        size_t size = read_all(path, file, sizeof file);
        cr_assert(
            eq(int, (int)sherd_texture_read_pixels(path, file, size, &pixels, &error), SHERD_OK));
        cr_assert(memcmp(pixels.bytes, image->pixels, 3 * SIDE * SIDE) == 0);
        free(pixels.bytes);
    }
    cr_assert(not(sherd_picture_note_read("/no/such/file.png", note)));
    unlink(path);
    sherd_image_destroy(image);
}

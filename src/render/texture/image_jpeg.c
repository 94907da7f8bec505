#include "render/texture/image_jpeg.h"

#include "base/error.h"

#if defined(SHERD_HAS_JPEG)

#include "base/memory.h"

#include <setjmp.h>
#include <stdio.h>
// After stdio.h, which it needs and does not include.
#include <jpeglib.h>

typedef struct jpeg_job {
    struct jpeg_error_mgr manager; // must be first: libjpeg passes its address
    jmp_buf failed;
    char why[JMSG_LENGTH_MAX];
} jpeg_job;

static void give_up(j_common_ptr about)
{
    jpeg_job *job = (jpeg_job *)(void *)about->err;
    about->err->format_message(about, job->why);
    longjmp(job->failed, 1);
}

// libjpeg warns about truncated and corrupt files and fills them with grey. Here they are errors.
static void warn(j_common_ptr about, int level)
{
    if (level < 0) give_up(about);
}

static sherd_status read_rows(struct jpeg_decompress_struct *jpeg, const char *path,
                              texture_pixels *pixels, sherd_error *error)
{
    jpeg->out_color_space = JCS_RGB;
    sherd_status status =
        sherd_texture_make_room(path, jpeg->image_width, jpeg->image_height, pixels, error);
    if (status != SHERD_OK) return status;
    jpeg_start_decompress(jpeg);
    while (jpeg->output_scanline < jpeg->output_height) {
        uint8_t *row = pixels->bytes + 3 * (size_t)jpeg->output_scanline * jpeg->output_width;
        jpeg_read_scanlines(jpeg, &row, 1);
    }
    jpeg_finish_decompress(jpeg);
    return SHERD_OK;
}

sherd_status sherd_texture_read_jpeg(const char *path, const unsigned char *bytes, size_t size,
                                     texture_pixels *pixels, sherd_error *error)
{
    struct jpeg_decompress_struct jpeg;
    jpeg_job job;
    *pixels = (texture_pixels){.bytes = NULL};
    jpeg.err = jpeg_std_error(&job.manager);
    job.manager.error_exit = give_up;
    job.manager.emit_message = warn;
    if (setjmp(job.failed)) {
        jpeg_destroy_decompress(&jpeg);
        sherd_free(pixels->bytes);
        pixels->bytes = NULL;
        return sherd_fail(error, SHERD_ERROR_INPUT, path, "save the picture again as PNG",
                          "is damaged: %s", job.why);
    }
    jpeg_create_decompress(&jpeg);
    jpeg_mem_src(&jpeg, bytes, size);
    jpeg_read_header(&jpeg, TRUE);
    sherd_status status = read_rows(&jpeg, path, pixels, error);
    jpeg_destroy_decompress(&jpeg);
    return status;
}

#else

sherd_status sherd_texture_read_jpeg(const char *path, const unsigned char *bytes, size_t size,
                                     texture_pixels *pixels, sherd_error *error)
{
    (void)bytes, (void)size, (void)pixels;
    return sherd_fail(error, SHERD_ERROR_UNSUPPORTED, path,
                      "install libjpeg-dev and build Sherd again, or save the picture as PNG",
                      "is a JPEG file, which this build of Sherd can't read");
}

#endif

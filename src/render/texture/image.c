#include "render/texture/image.h"

#include "base/error.h"
#include "base/file_writer.h"
#include "base/memory.h"
#include "render/texture/image_file.h"

#include <sherd/render.h>

#include <math.h>
#include <stdint.h>
#include <string.h>

// Linear values of all sRGB bytes.
typedef struct byte_light {
    float of[256];
} byte_light;

struct sherd_texture_image {
    texture_pixels pixels;
    byte_light light;
    vec3f mean;
    uint8_t *file;
    size_t file_size;
};

static vec3f pixel_at(const sherd_texture_image *image, int64_t x, int64_t y)
{
    const uint8_t *p = image->pixels.bytes + 3 * (size_t)(y * (int64_t)image->pixels.width + x);
    return vec3f_make(image->light.of[p[0]], image->light.of[p[1]], image->light.of[p[2]]);
}

static void find_mean(sherd_texture_image *image)
{
    double sum[3] = {0.0, 0.0, 0.0};
    for (int32_t y = 0; y < image->pixels.height; ++y)
        for (int32_t x = 0; x < image->pixels.width; ++x) {
            vec3f c = pixel_at(image, x, y);
            sum[0] += (double)c.x, sum[1] += (double)c.y, sum[2] += (double)c.z;
        }
    double count = (double)image->pixels.width * (double)image->pixels.height;
    image->mean =
        vec3f_make((float)(sum[0] / count), (float)(sum[1] / count), (float)(sum[2] / count));
}

sherd_texture_image *sherd_texture_image_read(const char *path, sherd_error *error)
{
    unsigned char *bytes;
    size_t size;
    if (sherd_file_read(path, &bytes, &size, error) != SHERD_OK) return NULL;
    sherd_texture_image *image = sherd_texture_image_decode(path, bytes, size, error);
    sherd_free(bytes);
    return image;
}

sherd_texture_image *sherd_texture_image_decode(const char *name, const uint8_t *bytes, size_t size,
                                                sherd_error *error)
{
    sherd_texture_image *image = sherd_alloc(1, sizeof *image);
    if (image != NULL) image->file = sherd_alloc(size, 1);
    if (image == NULL || image->file == NULL) {
        sherd_fail_memory(error, "texture");
        sherd_texture_image_destroy(image);
        return NULL;
    }
    if (sherd_texture_read_pixels(name, bytes, size, &image->pixels, error) != SHERD_OK) {
        sherd_texture_image_destroy(image);
        return NULL;
    }
    if (size > 0) memcpy(image->file, bytes, size);
    image->file_size = size;
    for (uint32_t k = 0; k < 256; ++k)
        image->light.of[k] = sherd_color_srgb(k).b;
    find_mean(image);
    return image;
}

void sherd_texture_image_destroy(sherd_texture_image *image)
{
    if (image == NULL) return;
    sherd_free(image->pixels.bytes);
    sherd_free(image->file);
    sherd_free(image);
}

const uint8_t *sherd_texture_image_file(const sherd_texture_image *image, size_t *size)
{
    *size = image->file_size;
    return image->file;
}

vec3f sherd_texture_image_mean(const sherd_texture_image *image)
{
    return image->mean;
}

// For bilinear interpolation: the index of the pixel whose centre lies before a coordinate
// (repeated with period 1), the index of the next pixel, and the weight of the latter.
static int64_t pixels_about(double x, int32_t count, int64_t *next, float *share)
{
    double at = (x - floor(x)) * count - 0.5;
    double low = floor(at);
    *share = (float)(at - low);
    int64_t first = ((int64_t)low % count + count) % count;
    *next = (first + 1) % count;
    return first;
}

vec3f sherd_texture_image_at(const sherd_texture_image *image, double u, double v)
{
    if (!(fabs(u) < 1e9 && fabs(v) < 1e9)) return image->mean; // also if not a number
    int64_t right, below;
    float across, down;
    int64_t left = pixels_about(u, image->pixels.width, &right, &across);
    int64_t above = pixels_about(1.0 - v, image->pixels.height, &below, &down);
    vec3f upper = vec3f_mix(pixel_at(image, left, above), pixel_at(image, right, above), across);
    vec3f lower = vec3f_mix(pixel_at(image, left, below), pixel_at(image, right, below), across);
    return vec3f_mix(upper, lower, down);
}

vec3f sherd_texture_image_projected(const sherd_texture_image *image, sherd_vec3 p, sherd_vec3 n)
{
    double stretch = (double)image->pixels.width / image->pixels.height;
    double weight[3] = {n.x * n.x, n.y * n.y, n.z * n.z}, sum = 0.0;
    // a higher power than the square, for narrower transitions: a mixture of projections looks
    // blurred
    for (int k = 0; k < 3; ++k) {
        weight[k] *= weight[k] * weight[k];
        sum += weight[k];
    }
    const double places[3][2] = {{p.y, p.z}, {p.x, p.z}, {p.x, p.y}};
    vec3f color = {0.0f, 0.0f, 0.0f};
    for (int k = 0; k < 3; ++k) {
        float share = sum > 0.0 ? (float)(weight[k] / sum) : 1.0f / 3.0f;
        if (share < 1e-3f) continue;
        vec3f one = sherd_texture_image_at(image, places[k][0], places[k][1] * stretch);
        color = vec3f_add_scaled(color, share, one);
    }
    return color;
}

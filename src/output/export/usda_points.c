// Writes clouds of points as text USD: UsdGeomPoints.
#include "output/export/json.h"
#include "output/export/usda.h"
#include "output/text.h"

#include <math.h>

enum { DIGITS = 9 };

static void put_number(sherd_byte_buffer *text, double value)
{
    char number[SHERD_NUMBER_SIZE];
    sherd_json_raw(text, sherd_number_text(number, value, DIGITS));
}

static void put_tuple(sherd_byte_buffer *text, const float v[3])
{
    for (int c = 0; c < 3; ++c) {
        sherd_json_raw(text, c == 0 ? "(" : ", ");
        put_number(text, (double)v[c]);
    }
    sherd_json_raw(text, ")");
}

static void put_tuples(sherd_byte_buffer *text, const char *declaration, const float *values,
                       int32_t count)
{
    sherd_json_raw(text, declaration);
    for (int32_t k = 0; k < count; ++k) {
        if (k > 0) sherd_json_raw(text, ", ");
        put_tuple(text, values + 3 * (size_t)k);
    }
    sherd_json_raw(text, "]\n");
}

static void put_numbers(sherd_byte_buffer *text, const char *declaration, const float *values,
                        double scale, int32_t count)
{
    sherd_json_raw(text, declaration);
    for (int32_t k = 0; k < count; ++k) {
        if (k > 0) sherd_json_raw(text, ", ");
        put_number(text, scale * (double)values[k]);
    }
    sherd_json_raw(text, "]");
}

static void put_extent(sherd_byte_buffer *text, const sherd_animation_points *p)
{
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t k = 0; k < 3 * (size_t)p->count; ++k) {
        float r = p->radius[k / 3];
        low[k % 3] = fminf(low[k % 3], p->positions[k] - r);
        high[k % 3] = fmaxf(high[k % 3], p->positions[k] + r);
    }
    sherd_json_raw(text, "        float3[] extent = [");
    put_tuple(text, low);
    sherd_json_raw(text, ", ");
    put_tuple(text, high);
    sherd_json_raw(text, "]\n");
}

static void put_points(sherd_byte_buffer *text, const sherd_animation_points *p,
                       const char *material)
{
    static const char *const VERTEX = " (\n            interpolation = \"vertex\"\n        )\n";
    put_tuples(text, "        point3f[] points = [", p->positions, p->count);
    put_extent(text, p);
    put_tuples(text, "        vector3f[] velocities = [", p->velocity, p->count);
    put_numbers(text, "        float[] widths = [", p->radius, 2.0, p->count);
    sherd_json_raw(text, VERTEX);
    put_numbers(text, "        float[] primvars:age = [", p->age, 1.0, p->count);
    sherd_json_raw(text, VERTEX);
    sherd_json_raw(text, "        int[] primvars:fragment = [");
    for (int32_t k = 0; k < p->count; ++k) {
        if (k > 0) sherd_json_raw(text, ", ");
        sherd_json_integer(text, p->fragment[k]);
    }
    sherd_json_raw(text, "]");
    sherd_json_raw(text, VERTEX);
    sherd_json_raw(text, "        rel material:binding = </run/materials/");
    sherd_json_raw(text, material);
    sherd_json_raw(text, ">\n");
}

sherd_status sherd_usda_add_points(sherd_animation *animation, const sherd_animation_points *points,
                                   sherd_error *error)
{
    sherd_usda_file *usda = animation->file;
    put_points(sherd_usda_draft(usda), points, usda->material_names[points->material]);
    return sherd_usda_end_mesh(usda, true, error);
}

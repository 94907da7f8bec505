// Pieces that deform: points, normals and velocities in every frame. All lie in the spool until the
// file is written; three frames of one piece are in memory.
#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"
#include "output/usd/usd_animation.h"

#include <math.h>
#include <string.h>

sherd_status sherd_usd_set_vertices(sherd_animation *animation, int piece, int64_t frame,
                                    const double *vertices, sherd_error *error)
{
    sherd_usd_file *usd = animation->file;
    const sherd_usd_mesh *mesh = &usd->meshes[animation->pieces[piece].mesh];
    SHERD_ASSERT(mesh->deforms, "vertices are of pieces whose mesh deforms");
    size_t count = 3 * (size_t)mesh->vertex_count;
    float *points = sherd_alloc(count, sizeof *points);
    if (points == NULL || !sherd_grow((void **)&usd->shapes, &usd->shape_capacity,
                                      usd->shape_count + 1, sizeof *usd->shapes)) {
        sherd_free(points);
        return sherd_fail_memory(error, "usd");
    }
    for (size_t k = 0; k < count; ++k)
        points[k] = (float)vertices[k];
    usd->shapes[usd->shape_count++] =
        (sherd_usd_shape){piece, frame, sherd_spool_size(&usd->spool)};
    sherd_spool_append(&usd->spool, points, count * sizeof *points);
    sherd_free(points);
    return sherd_spool_check(&usd->spool, "usd", error);
}

// ---------------------------------------------------------------- reading

typedef struct shape_list {
    sherd_animation *animation;
    sherd_usd_file *usd;
    const sherd_usd_mesh *mesh;
    size_t count; // frames
    int64_t *offsets;
    double *times;                            // time codes
    float *points, *before, *after, *normals; // of the sample that is asked for
    int32_t *corners;
    float box[6];
} shape_list;

static bool make_list(shape_list *list, sherd_animation *animation, int piece)
{
    sherd_usd_file *usd = animation->file;
    const sherd_usd_mesh *mesh = &usd->meshes[animation->pieces[piece].mesh];
    size_t frames = (size_t)animation->frame_count, n = 3 * (size_t)mesh->vertex_count;
    *list = (shape_list){
        .animation = animation,
        .usd = usd,
        .mesh = mesh,
        .offsets = sherd_alloc(frames, sizeof *list->offsets),
        .times = sherd_alloc(frames, sizeof *list->times),
        .points = sherd_alloc(n, sizeof *list->points),
        .before = sherd_alloc(n, sizeof *list->before),
        .after = sherd_alloc(n, sizeof *list->after),
        .normals = sherd_alloc(3 * (size_t)mesh->normal_count, sizeof *list->normals),
        .corners = sherd_alloc(6 * (size_t)mesh->triangle_count, sizeof *list->corners)};
    if (list->offsets == NULL || list->times == NULL || list->points == NULL ||
        list->before == NULL || list->after == NULL || list->normals == NULL ||
        list->corners == NULL)
        return false;
    sherd_spool_read(&usd->spool, mesh->corners, list->corners,
                     6 * (size_t)mesh->triangle_count * sizeof *list->corners);
    for (size_t k = 0; k < usd->shape_count; ++k) {
        if (usd->shapes[k].piece != piece) continue;
        list->times[list->count] = sherd_usd_time_code(animation, usd->shapes[k].frame);
        list->offsets[list->count++] = usd->shapes[k].offset;
    }
    return true;
}

static void free_list(shape_list *list)
{
    sherd_free(list->offsets);
    sherd_free(list->times);
    sherd_free(list->points);
    sherd_free(list->before);
    sherd_free(list->after);
    sherd_free(list->normals);
    sherd_free(list->corners);
}

static bool read_points(shape_list *list, size_t k, float *to)
{
    sherd_spool_read(&list->usd->spool, list->offsets[k], to,
                     3 * (size_t)list->mesh->vertex_count * sizeof *to);
    return list->usd->spool.system_error == 0;
}

// ---------------------------------------------------------------- samples

static bool get_points(void *context, size_t k, sherd_usd_value *value)
{
    shape_list *list = context;
    *value = (sherd_usd_value){(size_t)list->mesh->vertex_count, list->points};
    return read_points(list, k, list->points);
}

static bool get_extent(void *context, size_t k, sherd_usd_value *value)
{
    shape_list *list = context;
    bool good = read_points(list, k, list->points);
    for (size_t c = 0; c < 3; ++c)
        list->box[c] = INFINITY, list->box[3 + c] = -INFINITY;
    for (size_t v = 0; v < 3 * (size_t)list->mesh->vertex_count; ++v) {
        list->box[v % 3] = fminf(list->box[v % 3], list->points[v]);
        list->box[3 + v % 3] = fmaxf(list->box[3 + v % 3], list->points[v]);
    }
    *value = (sherd_usd_value){2, list->box};
    return good;
}

// Per second of playback, from the neighbouring frames: what is seen to move.
static bool get_velocities(void *context, size_t k, sherd_usd_value *value)
{
    shape_list *list = context;
    size_t n = 3 * (size_t)list->mesh->vertex_count, from = k > 0 ? k - 1 : k,
           to = k + 1 < list->count ? k + 1 : k;
    bool good = read_points(list, from, list->before) && read_points(list, to, list->after);
    double seconds = (list->times[to] - list->times[from]) / SHERD_USD_RATE;
    for (size_t c = 0; c < n; ++c)
        list->points[c] =
            seconds > 0.0 ? (float)(((double)list->after[c] - (double)list->before[c]) / seconds)
                          : 0.0f;
    *value = (sherd_usd_value){n / 3, list->points};
    return good;
}

// A normal is the sum of those of the triangles whose corners share it, by area.
static bool get_normals(void *context, size_t k, sherd_usd_value *value)
{
    shape_list *list = context;
    bool good = read_points(list, k, list->points);
    size_t corners = 3 * (size_t)list->mesh->triangle_count,
           count = (size_t)list->mesh->normal_count;
    const int32_t *vertex = list->corners, *normal_of = list->corners + corners;
    memset(list->normals, 0, 3 * count * sizeof *list->normals);
    for (size_t c = 0; c < corners; ++c) {
        const float *a = list->points + 3 * (size_t)vertex[c / 3 * 3],
                    *b = list->points + 3 * (size_t)vertex[c / 3 * 3 + 1],
                    *d = list->points + 3 * (size_t)vertex[c / 3 * 3 + 2];
        float u[3], w[3], *n = list->normals + 3 * (size_t)normal_of[c];
        for (int i = 0; i < 3; ++i)
            u[i] = b[i] - a[i], w[i] = d[i] - a[i];
        for (int i = 0; i < 3; ++i)
            n[i] += u[(i + 1) % 3] * w[(i + 2) % 3] - u[(i + 2) % 3] * w[(i + 1) % 3];
    }
    for (size_t v = 0; v < count; ++v) {
        float *n = list->normals + 3 * v;
        double length = sqrt((double)n[0] * (double)n[0] + (double)n[1] * (double)n[1] +
                             (double)n[2] * (double)n[2]);
        for (int i = 0; i < 3; ++i)
            n[i] = length > 0.0 ? (float)((double)n[i] / length) : i == 2 ? 1.0f : 0.0f;
    }
    *value = (sherd_usd_value){count, list->normals};
    return good;
}

bool sherd_usd_put_shapes(sherd_animation *animation, int piece, const sherd_usd_output *out)
{
    static const struct {
        const char *type, *name, *interpolation;
        bool (*get)(void *context, size_t k, sherd_usd_value *value);
    } COLUMNS[] = {{"point3f[]", "points", NULL, get_points},
                   {"float3[]", "extent", NULL, get_extent},
                   {"vector3f[]", "velocities", NULL, get_velocities},
                   {"normal3f[]", "primvars:normals", "faceVarying", get_normals}};
    shape_list list;
    bool good = make_list(&list, animation, piece);
    for (size_t c = 0; good && c < sizeof COLUMNS / sizeof COLUMNS[0]; ++c) {
        const sherd_usd_samples samples = {list.count, list.times, COLUMNS[c].get, &list};
        sherd_usd_attribute a = {.type = COLUMNS[c].type,
                                 .name = COLUMNS[c].name,
                                 .interpolation = COLUMNS[c].interpolation,
                                 .samples = &samples};
        if (a.interpolation != NULL)
            good = COLUMNS[c].get(&list, 0, &a.value); // as in usd_motion.c
        out->encoding->attribute(out->file, &a);
    }
    good = good && animation->tracks.spool.system_error == 0;
    free_list(&list);
    return good;
}

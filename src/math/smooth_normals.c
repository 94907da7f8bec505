#include "math/smooth_normals.h"

#include "base/assertion.h"
#include "base/memory.h"
#include "math/vec3.h"

#include <string.h>

static const double PI = 3.14159265358979;
static const double CREASE_COSINE = 0.81915204428899; // cos 35 deg

enum {
    TRIANGLE_CHUNK = 4096,
    // Corners with more faces than this get flat normals: the search is quadratic.
    LARGEST_FAN = 512,
};

static sherd_vec3 corner_at(const sherd_fan_mesh *mesh, int64_t triangle, int k)
{
    const double *p = mesh->vertices + 3 * (size_t)mesh->triangles[3 * triangle + k % 3];
    return vec3(p[0], p[1], p[2]);
}

// Accurate to 7e-5 (Abramowitz and Stegun 4.4.45), enough for weights of normals.
static double approximate_acos(double x)
{
    double a = fabs(x), root = sqrt(fmax(0.0, 1.0 - a));
    double angle = root * (1.5707288 + a * (-0.2121144 + a * (0.0742610 + a * -0.0187293)));
    return x < 0.0 ? PI - angle : angle;
}

// Interior angle of a triangle at one of its corners [rad].
static double corner_angle(const sherd_fan_mesh *mesh, int64_t triangle, int k)
{
    sherd_vec3 p = corner_at(mesh, triangle, k);
    sherd_vec3 a = vec3_sub(corner_at(mesh, triangle, k + 1), p);
    sherd_vec3 b = vec3_sub(corner_at(mesh, triangle, k + 2), p);
    double lengths = sqrt(vec3_dot(a, a) * vec3_dot(b, b));
    return lengths > 0.0 ? approximate_acos(vec3_dot(a, b) / lengths) : 0.0;
}

static void find_facets(void *context, size_t begin, size_t end)
{
    const sherd_corner_fans *f = context;
    for (size_t k = begin; k < end; ++k) {
        int64_t t = (int64_t)k;
        sherd_vec3 a = corner_at(&f->mesh, t, 0);
        sherd_vec3 area = vec3_cross(vec3_sub(corner_at(&f->mesh, t, 1), a),
                                     vec3_sub(corner_at(&f->mesh, t, 2), a));
        f->facet[k] = f->weight == SHERD_FAN_BY_ANGLE ? vec3_normalize(area) : area;
    }
}

bool sherd_corner_fans_init(sherd_corner_fans *f, const sherd_fan_mesh *mesh,
                            sherd_fan_weight weight, const sherd_parallel *parallel)
{
    size_t m = (size_t)mesh->triangle_count;
    *f = (sherd_corner_fans){
        .mesh = *mesh, .weight = weight, .facet = sherd_alloc(m, sizeof *f->facet)};
    if (f->facet == NULL) return false;
    sherd_parallel_for(parallel, m, TRIANGLE_CHUNK, find_facets, f);
    return true;
}

static int32_t place_of(const sherd_corner_fans *f, int64_t corner)
{
    int32_t v = f->mesh.triangles[corner];
    return f->place != NULL ? f->place[v] : v;
}

// Each angle is computed once: the normals of all neighbours use it.
static bool find_angles(sherd_corner_fans *f, int64_t count)
{
    f->angle = sherd_alloc((size_t)count, sizeof *f->angle);
    if (f->angle == NULL) return false;
    for (int64_t k = 0; k < count; ++k)
        f->angle[k] = corner_angle(&f->mesh, f->corner[k] / 3, f->corner[k] % 3);
    return true;
}

static bool find_rows(sherd_corner_fans *f, int64_t count)
{
    f->row = sherd_alloc((size_t)count, sizeof *f->row);
    if (f->row == NULL) return false;
    for (int64_t k = 0; k < count; ++k) {
        int32_t t = f->corner[k] / 3;
        f->row[k] = (struct sherd_fan_row){f->facet[t], vec3_length(f->facet[t]),
                                           f->mesh.face_kind != NULL ? f->mesh.face_kind[t] : 0};
    }
    return true;
}

bool sherd_corner_fans_gather(sherd_corner_fans *f, const int32_t *place, int32_t count)
{
    int64_t corners = 3 * (int64_t)f->mesh.triangle_count, placed = 0;
    f->place = place;
    for (int64_t c = 0; c < corners; ++c)
        placed += place_of(f, c) >= 0;
    f->start = sherd_alloc((size_t)count + 2, sizeof *f->start);
    f->corner = sherd_alloc((size_t)placed, sizeof *f->corner);
    if (f->start == NULL || f->corner == NULL) return false;
    // Counting sort; start[p + 1] runs from the start to the end of row p while filling.
    for (int64_t c = 0; c < corners; ++c)
        if (place_of(f, c) >= 0) ++f->start[place_of(f, c) + 2];
    for (int32_t p = 1; p <= count; ++p)
        f->start[p + 1] += f->start[p];
    for (int64_t c = 0; c < corners; ++c)
        if (place_of(f, c) >= 0) f->corner[f->start[place_of(f, c) + 1]++] = (int32_t)c;
    return f->weight == SHERD_FAN_BY_ANGLE ? find_angles(f, placed) : find_rows(f, placed);
}

void sherd_corner_fans_release(sherd_corner_fans *f)
{
    sherd_free(f->facet);
    sherd_free(f->start);
    sherd_free(f->corner);
    sherd_free(f->angle);
    sherd_free(f->row);
    *f = (sherd_corner_fans){.place = NULL};
}

static bool same_kind(const sherd_corner_fans *f, int64_t a, int64_t b)
{
    return f->mesh.face_kind == NULL || f->mesh.face_kind[a] == f->mesh.face_kind[b];
}

static sherd_vec3 normal_by_angle(const sherd_corner_fans *f, int32_t triangle, int64_t begin,
                                  int64_t end)
{
    sherd_vec3 own = f->facet[triangle], sum = vec3(0.0, 0.0, 0.0);
    for (int64_t c = begin; c < end; ++c) {
        int64_t other = f->corner[c] / 3;
        if (same_kind(f, other, triangle) && vec3_dot(own, f->facet[other]) >= CREASE_COSINE)
            sum = vec3_add_scaled(sum, f->angle[c], f->facet[other]);
    }
    return vec3_length(sum) > 0.0 ? vec3_normalize(sum) : own;
}

static sherd_vec3 normal_by_area(const sherd_corner_fans *f, int32_t triangle, int64_t begin,
                                 int64_t end)
{
    sherd_vec3 own = f->facet[triangle], sum = vec3(0.0, 0.0, 0.0);
    double bound = CREASE_COSINE * vec3_length(own);
    int32_t kind = f->mesh.face_kind != NULL ? f->mesh.face_kind[triangle] : 0;
    for (int64_t c = begin; c < end; ++c) {
        const struct sherd_fan_row *r = &f->row[c];
        if (r->kind == kind && vec3_dot(own, r->facet) >= bound * r->length)
            sum = vec3_add(sum, r->facet);
    }
    return vec3_length(sum) > 0.0 ? sum : own;
}

sherd_vec3 sherd_corner_normal(const sherd_corner_fans *f, int32_t triangle, int corner)
{
    SHERD_ASSERT(corner >= 0 && corner < 3, "a triangle has three corners");
    int32_t place = place_of(f, 3 * (int64_t)triangle + corner);
    int64_t begin = f->start[place], end = f->start[place + 1];
    if (end - begin > LARGEST_FAN) return f->facet[triangle];
    return f->weight == SHERD_FAN_BY_ANGLE ? normal_by_angle(f, triangle, begin, end)
                                           : normal_by_area(f, triangle, begin, end);
}

// ---------------------------------------------------------------- all corners of a place

typedef struct fan_arrays {
    double x[SHERD_MAX_FAN_CORNERS], y[SHERD_MAX_FAN_CORNERS], z[SHERD_MAX_FAN_CORNERS],
        length[SHERD_MAX_FAN_CORNERS];
    int32_t kind[SHERD_MAX_FAN_CORNERS];
    int count;
} fan_arrays;

// One bit for each face of the row that contributes to the corner's normal: the same comparison as
// in normal_by_area.
static uint64_t faces_of(const fan_arrays *a, int corner)
{
    uint8_t joins[SHERD_MAX_FAN_CORNERS];
    double x = a->x[corner], y = a->y[corner], z = a->z[corner];
    double bound = CREASE_COSINE * a->length[corner];
    for (int k = 0; k < a->count; ++k)
        joins[k] = (a->kind[k] == a->kind[corner]) &
                   (x * a->x[k] + y * a->y[k] + z * a->z[k] >= bound * a->length[k]);
    uint64_t faces = 0;
    for (int k = 0; k < a->count; ++k)
        faces |= (uint64_t)joins[k] << k;
    return faces;
}

static sherd_vec3 sum_of(const struct sherd_fan_row *rows, uint64_t faces, sherd_vec3 own)
{
    sherd_vec3 sum = vec3(0.0, 0.0, 0.0);
    for (; faces != 0; faces &= faces - 1)
        sum = vec3_add(sum, rows[__builtin_ctzll(faces)].facet);
    return vec3_length(sum) > 0.0 ? sum : own;
}

void sherd_corner_normals_at(const sherd_corner_fans *f, int32_t place,
                             sherd_vec3 normal[SHERD_MAX_FAN_CORNERS],
                             int same[SHERD_MAX_FAN_CORNERS])
{
    const struct sherd_fan_row *rows = f->row + f->start[place];
    fan_arrays a;
    a.count = (int)(f->start[place + 1] - f->start[place]);
    uint64_t faces[SHERD_MAX_FAN_CORNERS];
    for (int k = 0; k < a.count; ++k) {
        a.x[k] = rows[k].facet.x, a.y[k] = rows[k].facet.y, a.z[k] = rows[k].facet.z;
        a.length[k] = rows[k].length, a.kind[k] = rows[k].kind;
    }
    for (int k = 0; k < a.count; ++k) {
        faces[k] = faces_of(&a, k);
        int at = 0;
        while (at < k && (same[at] != at || faces[at] != faces[k]))
            ++at;
        same[k] = at;
        if (at == k) normal[k] = sum_of(rows, faces[k], rows[k].facet);
    }
}

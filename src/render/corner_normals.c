#include "render/corner_normals.h"

#include "base/hash.h"
#include "base/memory.h"
#include "base/sort.h"
#include "math/vec3.h"

#include <string.h>

static const double CREASE_COSINE = 0.81915204428899; // cos 35 deg
// A given normal is taken for faces that turn from it by less than this.
static const double GIVEN_COSINE = 0.90630778703665; // cos 25 deg

enum {
    TRIANGLE_CHUNK = 4096,
    // Around a corner shared by more faces than this, faces stay flat: the search is quadratic.
    LARGEST_FAN = 512,
};

// Corners (3 t + k) around each place, in compressed rows.
typedef struct fans {
    int32_t *place;     // of each vertex                          (n)
    int64_t *start;     // of each place's row                     (places + 1)
    int32_t *corners;   // rows                                    (3 m)
    sherd_vec3 *facets; // unit face normals, zero if degenerate   (m)
} fans;

typedef struct job {
    const sherd_render_mesh *mesh;
    fans *fans;
    uint8_t *outer; // whether a vertex has an outer face             (n)
    uint8_t *open;  // whether a triangle has corners without normal (m)
    float *normals;
} job;

static sherd_vec3 vertex_at(const sherd_render_mesh *mesh, int32_t v)
{
    const double *p = mesh->vertices + 3 * (size_t)v;
    return vec3(p[0], p[1], p[2]);
}

static sherd_vec3 corner_at(const sherd_render_mesh *mesh, int64_t triangle, int k)
{
    return vertex_at(mesh, mesh->triangles[3 * triangle + k % 3]);
}

// Interior angle of a triangle at one of its corners [rad].
static double corner_angle(const sherd_render_mesh *mesh, int64_t triangle, int k)
{
    sherd_vec3 p = corner_at(mesh, triangle, k);
    sherd_vec3 a = vec3_sub(corner_at(mesh, triangle, k + 1), p);
    sherd_vec3 b = vec3_sub(corner_at(mesh, triangle, k + 2), p);
    return atan2(vec3_length(vec3_cross(a, b)), vec3_dot(a, b));
}

// Numbers the distinct places of the vertices; returns how many, or -1 when memory is short.
static int32_t find_places(const sherd_render_mesh *mesh, int32_t *place)
{
    size_t n = (size_t)mesh->vertex_count;
    sherd_sort_pair *pairs = sherd_alloc(n, sizeof *pairs);
    if (pairs == NULL) return -1;
    for (size_t v = 0; v < n; ++v) {
        sherd_vec3 p = vec3_add(vertex_at(mesh, (int32_t)v), vec3(0.0, 0.0, 0.0)); // -0 becomes 0
        pairs[v] = (sherd_sort_pair){sherd_hash_bytes(SHERD_HASH_START, &p, sizeof p), (uint32_t)v};
    }
    int32_t places = sherd_sort_pairs(pairs, n) ? 0 : -1;
    for (size_t k = 0; places >= 0 && k < n; ++k) {
        int32_t v = (int32_t)pairs[k].value;
        bool same = k > 0 && vec3_distance(vertex_at(mesh, v),
                                           vertex_at(mesh, (int32_t)pairs[k - 1].value)) == 0.0;
        if (!same) ++places;
        place[v] = places - 1;
    }
    sherd_free(pairs);
    return places;
}

static void fill_rows(const sherd_render_mesh *mesh, fans *f, int32_t places)
{
    int64_t corners = 3 * (int64_t)mesh->triangle_count;
    for (int64_t c = 0; c < corners; ++c) {
        int32_t p = f->place[mesh->triangles[c]];
        if (p >= 0) ++f->start[p + 1];
    }
    for (int32_t p = 0; p < places; ++p)
        f->start[p + 1] += f->start[p];
    // Filling moves each start to its row's end; then shift back by one row.
    for (int64_t c = 0; c < corners; ++c) {
        int32_t p = f->place[mesh->triangles[c]];
        if (p >= 0) f->corners[f->start[p]++] = (int32_t)c;
    }
    memmove(f->start + 1, f->start, (size_t)places * sizeof *f->start);
    f->start[0] = 0;
}

static void fans_free(fans *f)
{
    sherd_free(f->place);
    sherd_free(f->start);
    sherd_free(f->corners);
    sherd_free(f->facets);
}

static bool fans_make(const sherd_render_mesh *mesh, fans *f)
{
    size_t n = (size_t)mesh->vertex_count, m = (size_t)mesh->triangle_count;
    f->place = sherd_alloc(n, sizeof *f->place);
    f->start = sherd_alloc(n + 2, sizeof *f->start);
    f->corners = sherd_alloc(3 * m, sizeof *f->corners);
    if (f->place == NULL || f->start == NULL || f->corners == NULL) return false;
    int32_t places = find_places(mesh, f->place);
    if (places < 0) return false;
    fill_rows(mesh, f, places);
    return true;
}

static void find_facets(void *context, size_t begin, size_t end)
{
    const job *j = context;
    for (size_t t = begin; t < end; ++t) {
        sherd_vec3 a = corner_at(j->mesh, (int64_t)t, 0);
        j->fans->facets[t] =
            vec3_normalize(vec3_cross(vec3_sub(corner_at(j->mesh, (int64_t)t, 1), a),
                                      vec3_sub(corner_at(j->mesh, (int64_t)t, 2), a)));
    }
}

static sherd_vec3 smooth_normal(const job *j, int64_t triangle, int k)
{
    const sherd_render_mesh *mesh = j->mesh;
    const fans *f = j->fans;
    sherd_vec3 own = f->facets[triangle];
    int32_t place = f->place[mesh->triangles[3 * triangle + k]];
    int64_t begin = f->start[place], end = f->start[place + 1];
    if (end - begin > LARGEST_FAN) return own;
    sherd_vec3 sum = vec3(0.0, 0.0, 0.0);
    for (int64_t c = begin; c < end; ++c) {
        int64_t other = f->corners[c] / 3;
        bool same_kind =
            mesh->face_kind == NULL || mesh->face_kind[other] == mesh->face_kind[triangle];
        if (!same_kind || vec3_dot(own, f->facets[other]) < CREASE_COSINE) continue;
        double weight = corner_angle(mesh, other, f->corners[c] % 3);
        sum = vec3_add_scaled(sum, weight, f->facets[other]);
    }
    return vec3_length(sum) > 0.0 ? vec3_normalize(sum) : own;
}

static void set_normal(const job *j, size_t corner, sherd_vec3 n)
{
    float *out = j->normals + 3 * corner;
    out[0] = (float)n.x, out[1] = (float)n.y, out[2] = (float)n.z;
}

static void fill_normals(void *context, size_t begin, size_t end)
{
    const job *j = context;
    for (size_t t = begin; t < end; ++t)
        for (int k = 0; k < 3; ++k)
            set_normal(j, 3 * t + (size_t)k, smooth_normal(j, (int64_t)t, k));
}

// --- Given normals ------------------------------------------------------------------------------

// A vertex of the rim where a fracture meets the outside has the outside's normal.
static bool given_normal(const job *j, size_t corner, sherd_vec3 *n)
{
    const sherd_render_mesh *mesh = j->mesh;
    size_t v = (size_t)mesh->triangles[corner];
    const double *given = mesh->normals + 3 * v;
    *n = vec3_normalize(vec3(given[0], given[1], given[2]));
    if (mesh->face_kind != NULL && mesh->face_kind[corner / 3] != 0 && j->outer[v]) return false;
    return vec3_dot(*n, j->fans->facets[corner / 3]) >= GIVEN_COSINE;
}

static void take_given(void *context, size_t begin, size_t end)
{
    const job *j = context;
    for (size_t t = begin; t < end; ++t)
        for (size_t c = 3 * t; c < 3 * t + 3; ++c) {
            sherd_vec3 n;
            if (given_normal(j, c, &n))
                set_normal(j, c, n);
            else
                j->open[t] = 1;
        }
}

static void fill_open(void *context, size_t begin, size_t end)
{
    const job *j = context;
    for (size_t t = begin; t < end; ++t)
        for (int k = 0; j->open[t] && k < 3; ++k) {
            sherd_vec3 n;
            size_t c = 3 * t + (size_t)k;
            if (!given_normal(j, c, &n)) set_normal(j, c, smooth_normal(j, (int64_t)t, k));
        }
}

static void mark_outer(const sherd_render_mesh *mesh, uint8_t *outer)
{
    for (int32_t t = 0; mesh->face_kind != NULL && t < mesh->triangle_count; ++t)
        for (int64_t c = 3 * (int64_t)t; c < 3 * ((int64_t)t + 1); ++c)
            if (mesh->face_kind[t] == 0) outer[mesh->triangles[c]] = 1;
}

// Fans about the vertices of open corners only.
static bool open_fans(const job *j)
{
    const sherd_render_mesh *mesh = j->mesh;
    fans *f = j->fans;
    size_t n = (size_t)mesh->vertex_count;
    int32_t places = 0;
    int64_t corners = 0;
    f->place = sherd_alloc(n, sizeof *f->place);
    if (f->place == NULL) return false;
    memset(f->place, 0xff, n * sizeof *f->place);
    for (int32_t t = 0; t < mesh->triangle_count; ++t)
        for (int64_t c = 3 * (int64_t)t; j->open[t] && c < 3 * ((int64_t)t + 1); ++c)
            if (f->place[mesh->triangles[c]] < 0) f->place[mesh->triangles[c]] = places++;
    for (int64_t c = 0; places > 0 && c < 3 * (int64_t)mesh->triangle_count; ++c)
        corners += f->place[mesh->triangles[c]] >= 0;
    f->start = sherd_alloc((size_t)places + 2, sizeof *f->start);
    f->corners = sherd_alloc((size_t)corners, sizeof *f->corners);
    if (f->start == NULL || f->corners == NULL) return false;
    if (places > 0) fill_rows(mesh, f, places);
    return true;
}

static bool from_given(job *j, const sherd_parallel *parallel)
{
    size_t n = (size_t)j->mesh->vertex_count, m = (size_t)j->mesh->triangle_count;
    j->outer = sherd_alloc(n, 1);
    j->open = sherd_alloc(m, 1);
    bool ok = j->outer != NULL && j->open != NULL;
    if (ok) {
        mark_outer(j->mesh, j->outer);
        sherd_parallel_for(parallel, m, TRIANGLE_CHUNK, take_given, j);
        ok = open_fans(j);
    }
    if (ok) sherd_parallel_for(parallel, m, TRIANGLE_CHUNK, fill_open, j);
    sherd_free(j->outer);
    sherd_free(j->open);
    return ok;
}

static bool from_faces(job *j, const sherd_parallel *parallel)
{
    if (!fans_make(j->mesh, j->fans)) return false;
    sherd_parallel_for(parallel, (size_t)j->mesh->triangle_count, TRIANGLE_CHUNK, fill_normals, j);
    return true;
}

float *sherd_corner_normals(const sherd_render_mesh *mesh, const sherd_parallel *parallel)
{
    size_t m = (size_t)mesh->triangle_count;
    fans f = {.facets = sherd_alloc(m, sizeof *f.facets)};
    job j = {.mesh = mesh, .fans = &f, .normals = sherd_alloc(m, 9 * sizeof(float))};
    bool ready = j.normals != NULL && f.facets != NULL;
    if (ready) {
        sherd_parallel_for(parallel, m, TRIANGLE_CHUNK, find_facets, &j);
        ready = mesh->normals != NULL ? from_given(&j, parallel) : from_faces(&j, parallel);
    }
    if (!ready) {
        sherd_free(j.normals);
        j.normals = NULL;
    }
    fans_free(&f);
    return j.normals;
}

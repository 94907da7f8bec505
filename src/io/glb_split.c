#include "io/glb_split.h"

#include "base/memory.h"

#include <math.h>

enum { AXES = 3 };

typedef struct splitter {
    const sherd_glb_mesh *mesh;
    sherd_face_kind kind;
    double texture_size;
    int32_t *made; // vertex already made for (source vertex, axis), or -1   (vertices x AXES)
    double *sums;  // area-weighted normals, when the mesh has none          (vertices x 3)
} splitter;

static const double *corner(const sherd_glb_mesh *mesh, int32_t triangle, int k)
{
    return mesh->vertices + 3 * (size_t)mesh->triangles[3 * (size_t)triangle + (size_t)k];
}

static void area_vector(const sherd_glb_mesh *mesh, int32_t triangle, double n[3])
{
    const double *a = corner(mesh, triangle, 0), *b = corner(mesh, triangle, 1);
    const double *c = corner(mesh, triangle, 2);
    const double u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    const double v[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
    n[0] = u[1] * v[2] - u[2] * v[1];
    n[1] = u[2] * v[0] - u[0] * v[2];
    n[2] = u[0] * v[1] - u[1] * v[0];
}

static bool of_kind(const splitter *s, int32_t triangle)
{
    bool inner = s->mesh->face_kind != NULL && s->mesh->face_kind[triangle] == SHERD_FACE_INNER;
    return inner == (s->kind == SHERD_FACE_INNER);
}

// Box projection: the axis that the triangle faces most.
static int projection_axis(const double n[3])
{
    double x = fabs(n[0]), y = fabs(n[1]), z = fabs(n[2]);
    return x > y && x > z ? 0 : y > z ? 1 : 2;
}

static void sum_normals(splitter *s)
{
    for (int32_t t = 0; t < s->mesh->triangle_count; ++t) {
        if (!of_kind(s, t)) continue;
        double n[3];
        area_vector(s->mesh, t, n);
        for (int k = 0; k < 3; ++k) {
            double *sum = s->sums + 3 * (size_t)s->mesh->triangles[3 * (size_t)t + (size_t)k];
            for (int c = 0; c < 3; ++c)
                sum[c] += n[c];
        }
    }
}

// Unit length to the last bit that floats have; a zero vector becomes z.
static void put_unit(float *to, const double n[3])
{
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    bool valid = length > 0.0 && isfinite(length);
    for (int c = 0; c < 3; ++c)
        to[c] = valid ? (float)(n[c] / length) : c == 2 ? 1.0f : 0.0f;
}

static void make_vertex(const splitter *s, sherd_glb_vertices *out, int32_t source, int axis)
{
    const double *x = s->mesh->vertices + 3 * (size_t)source;
    const double origin[3] = {s->mesh->origin.x, s->mesh->origin.y, s->mesh->origin.z};
    size_t v = (size_t)out->vertex_count++;
    for (int c = 0; c < 3; ++c) {
        float p = (float)(x[c] - origin[c]);
        out->positions[3 * v + (size_t)c] = p;
        out->low[c] = v == 0 || p < out->low[c] ? p : out->low[c];
        out->high[c] = v == 0 || p > out->high[c] ? p : out->high[c];
    }
    const double *normals = s->mesh->normals != NULL ? s->mesh->normals : s->sums;
    put_unit(out->normals + 3 * v, normals + 3 * (size_t)source);
    // From the rest position, so that the pattern runs on over neighbouring pieces.
    out->texture[2 * v] = (float)(x[(axis + 1) % 3] / s->texture_size);
    out->texture[2 * v + 1] = (float)(x[(axis + 2) % 3] / s->texture_size);
}

static void split_triangle(const splitter *s, sherd_glb_vertices *out, int32_t triangle)
{
    double n[3];
    area_vector(s->mesh, triangle, n);
    int axis = projection_axis(n);
    for (int k = 0; k < 3; ++k) {
        int32_t source = s->mesh->triangles[3 * (size_t)triangle + (size_t)k];
        int32_t *made = &s->made[AXES * (size_t)source + (size_t)axis];
        if (*made < 0) {
            *made = out->vertex_count;
            make_vertex(s, out, source, axis);
        }
        out->indices[3 * (size_t)out->triangle_count + (size_t)k] = (uint32_t)*made;
    }
    ++out->triangle_count;
}

// Vertices that (source vertex, axis) pairs can make at most: also three per triangle.
static bool make_room(splitter *s, sherd_glb_vertices *out)
{
    size_t n = (size_t)s->mesh->vertex_count, triangles = 0;
    for (int32_t t = 0; t < s->mesh->triangle_count; ++t)
        triangles += of_kind(s, t);
    size_t largest = 3 * triangles < AXES * n ? 3 * triangles : AXES * n;
    out->positions = sherd_alloc(3 * largest, sizeof *out->positions);
    out->normals = sherd_alloc(3 * largest, sizeof *out->normals);
    out->texture = sherd_alloc(2 * largest, sizeof *out->texture);
    out->indices = sherd_alloc(3 * triangles, sizeof *out->indices);
    s->made = sherd_alloc(AXES * n, sizeof *s->made);
    s->sums = sherd_alloc(s->mesh->normals == NULL ? 3 * n : 0, sizeof *s->sums);
    for (size_t k = 0; s->made != NULL && k < AXES * n; ++k)
        s->made[k] = -1;
    return out->positions != NULL && out->normals != NULL && out->texture != NULL &&
           out->indices != NULL && s->made != NULL && s->sums != NULL;
}

bool sherd_glb_split(sherd_glb_vertices *out, const sherd_glb_mesh *mesh, sherd_face_kind kind,
                     double texture_size)
{
    *out = (sherd_glb_vertices){0};
    splitter s = {.mesh = mesh, .kind = kind, .texture_size = texture_size};
    bool room = make_room(&s, out);
    if (room && mesh->normals == NULL) sum_normals(&s);
    for (int32_t t = 0; room && t < mesh->triangle_count; ++t)
        if (of_kind(&s, t)) split_triangle(&s, out, t);
    sherd_free(s.made);
    sherd_free(s.sums);
    return room;
}

void sherd_glb_vertices_free(sherd_glb_vertices *vertices)
{
    sherd_free(vertices->positions);
    sherd_free(vertices->normals);
    sherd_free(vertices->texture);
    sherd_free(vertices->indices);
    *vertices = (sherd_glb_vertices){0};
}

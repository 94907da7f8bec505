#include "output/export/glb_vertices.h"

#include "base/memory.h"
#include "math/srgb.h"
#include "output/export/glb_file.h"
#include "output/export/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A vertex of the output, made from a corner of a triangle.
typedef struct sherd_glb_corner {
    int32_t normal; // index in the scratch's normals
    float uv[2];
} glb_corner;

typedef struct splitter {
    const sherd_animation_mesh *mesh;
    sherd_glb_faces faces;
    double texture_size;
    bool colored;
    const sherd_corner_fans *fans;
    sherd_glb_scratch *scratch;
} splitter;

static bool of_kind(const splitter *s, int32_t triangle)
{
    bool inner = s->mesh->face_kind != NULL && s->mesh->face_kind[triangle] == SHERD_FACE_INNER;
    if (inner != (s->faces.kind == SHERD_FACE_INNER)) return false;
    return inner || s->mesh->group == NULL || s->mesh->group[triangle] == s->faces.group;
}

// Box projection: the axis nearest to the triangle's normal.
static int projection_axis(sherd_vec3 n)
{
    double x = fabs(n.x), y = fabs(n.y), z = fabs(n.z);
    return x > y && x > z ? 0 : y > z ? 1 : 2;
}

// Normalizes to float precision; a zero vector becomes z.
static void put_unit(float *to, const double n[3])
{
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    bool valid = length > 0.0 && isfinite(length);
    for (int c = 0; c < 3; ++c)
        to[c] = valid ? (float)(n[c] / length) : c == 2 ? 1.0f : 0.0f;
}

bool sherd_export_corner_fans(sherd_corner_fans *fans, const sherd_animation_mesh *mesh)
{
    const sherd_parallel serial = {1}; // pieces are exported beside each other
    const sherd_fan_mesh fan_mesh = {mesh->vertex_count, mesh->vertices, mesh->triangle_count,
                                     mesh->triangles, mesh->face_kind};
    return sherd_corner_fans_init(fans, &fan_mesh, SHERD_FAN_BY_AREA, &serial) &&
           sherd_corner_fans_gather(fans, NULL, mesh->vertex_count);
}

void sherd_export_corner_normal(const sherd_corner_fans *fans, int32_t triangle, int corner,
                                double n[3])
{
    sherd_vec3 sum = sherd_corner_normal(fans, triangle, corner);
    n[0] = sum.x, n[1] = sum.y, n[2] = sum.z;
}

void sherd_glb_corner_uv(const sherd_animation_mesh *mesh, const sherd_corner_fans *fans,
                         int32_t triangle, int k, double texture_size, float uv[2])
{
    size_t at = 3 * (size_t)triangle + (size_t)k;
    if (mesh->uv != NULL) {
        memcpy(uv, mesh->uv + 2 * at, 2 * sizeof *uv);
        return;
    }
    // Use the rest position, so that the pattern is continuous across pieces.
    int axis = projection_axis(fans->facet[triangle]);
    const double *x = mesh->vertices + 3 * (size_t)mesh->triangles[at];
    uv[0] = (float)(x[(axis + 1) % 3] / texture_size);
    uv[1] = (float)(x[(axis + 2) % 3] / texture_size);
}

// Room for `count` items, whose former ones are lost, without touching it. False if memory is short.
static bool reserve(void **array, size_t *room, size_t count, size_t size)
{
    if (count <= *room && *array != NULL) return true;
    free(*array);
    *room = count;
    *array = malloc((count + 1) * size);
    if (*array == NULL) *room = 0;
    return *array != NULL;
}

// ---------------------------------------------------------------- normals

// The index of an equal normal among the vertex's own, which start at `first`, or of a new one.
static int32_t number_of(sherd_glb_scratch *s, int32_t first, const double n[3])
{
    float unit[3];
    put_unit(unit, n);
    int32_t at = first;
    while (at < (int32_t)s->normal_count &&
           memcmp(s->normals + 3 * (size_t)at, unit, sizeof unit) != 0)
        ++at;
    if (at < (int32_t)s->normal_count) return at;
    memcpy(s->normals + 3 * s->normal_count, unit, sizeof unit);
    return (int32_t)s->normal_count++;
}

static void find_normals_at(sherd_glb_scratch *s, const sherd_corner_fans *fans, int32_t vertex)
{
    sherd_vec3 normal[SHERD_MAX_FAN_CORNERS];
    int same[SHERD_MAX_FAN_CORNERS];
    const int32_t *corner = fans->corner + fans->start[vertex];
    int64_t count = fans->start[vertex + 1] - fans->start[vertex];
    int32_t first = (int32_t)s->normal_count;
    if (count <= SHERD_MAX_FAN_CORNERS) sherd_corner_normals_at(fans, vertex, normal, same);
    for (int64_t k = 0; k < count; ++k) {
        bool known = count <= SHERD_MAX_FAN_CORNERS && same[k] < k;
        sherd_vec3 n = {0.0, 0.0, 0.0};
        if (!known)
            n = count <= SHERD_MAX_FAN_CORNERS
                    ? normal[k]
                    : sherd_corner_normal(fans, corner[k] / 3, corner[k] % 3);
        const double components[3] = {n.x, n.y, n.z};
        s->normal_of[corner[k]] =
            known ? s->normal_of[corner[same[k]]] : number_of(s, first, components);
    }
}

bool sherd_glb_find_normals(sherd_glb_scratch *s, const sherd_animation_mesh *mesh,
                            const sherd_corner_fans *fans)
{
    size_t corners = 3 * (size_t)mesh->triangle_count, vertices = (size_t)mesh->vertex_count;
    s->normal_count = 0;
    if (!sherd_grow((void **)&s->normal_of, &s->corner_room, corners, sizeof *s->normal_of) ||
        !reserve((void **)&s->normals, &s->normal_room, 3 * (corners + vertices),
                 sizeof *s->normals))
        return false;
    if (mesh->normals == NULL) {
        for (int32_t v = 0; v < mesh->vertex_count; ++v)
            find_normals_at(s, fans, v);
        return true;
    }
    for (size_t v = 0; v < vertices; ++v)
        put_unit(s->normals + 3 * v, mesh->normals + 3 * v);
    s->normal_count = vertices;
    memcpy(s->normal_of, mesh->triangles, corners * sizeof *s->normal_of);
    return true;
}

// ---------------------------------------------------------------- vertices

static glb_corner examine_corner(const splitter *s, int32_t triangle, int k)
{
    const sherd_animation_mesh *mesh = s->mesh;
    size_t at = 3 * (size_t)triangle + (size_t)k;
    glb_corner c = {.normal = s->scratch->normal_of[at]};
    sherd_glb_corner_uv(mesh, s->fans, triangle, k, s->texture_size, c.uv);
    c.uv[1] = 1.0f - c.uv[1]; // glTF's v points down
    return c;
}

static void make_vertex(const splitter *s, sherd_glb_vertices *out, int32_t source, glb_corner c)
{
    const double *x = s->mesh->vertices + 3 * (size_t)source;
    const double origin[3] = {s->mesh->origin.x, s->mesh->origin.y, s->mesh->origin.z};
    size_t v = (size_t)out->vertex_count++;
    for (int a = 0; a < 3; ++a) {
        float p = (float)(x[a] - origin[a]);
        out->positions[3 * v + (size_t)a] = p;
        out->low[a] = v == 0 || p < out->low[a] ? p : out->low[a];
        out->high[a] = v == 0 || p > out->high[a] ? p : out->high[a];
    }
    memcpy(out->normals + 3 * v, s->scratch->normals + 3 * (size_t)c.normal,
           3 * sizeof *out->normals);
    memcpy(out->texture + 2 * v, c.uv, sizeof c.uv);
    for (size_t a = 0; s->colored && a < 3; ++a)
        out->color[3 * v + a] =
            (float)srgb_to_linear((double)s->mesh->color[3 * (size_t)source + a]);
    s->scratch->made[v] = c;
    s->scratch->next[v] = s->scratch->first[source];
    s->scratch->first[source] = (int32_t)v;
}

// True if two corners of the same source vertex have equal normals and texture coordinates.
// Compares bits because values may be NAN.
static bool are_alike(const glb_corner *a, const glb_corner *b)
{
    return a->normal == b->normal && memcmp(a->uv, b->uv, sizeof a->uv) == 0;
}

static void split_triangle(const splitter *s, sherd_glb_vertices *out, int32_t triangle)
{
    for (int k = 0; k < 3; ++k) {
        int32_t source = s->mesh->triangles[3 * (size_t)triangle + (size_t)k];
        glb_corner c = examine_corner(s, triangle, k);
        int32_t v = s->scratch->first[source];
        while (v >= 0 && !are_alike(&s->scratch->made[v], &c))
            v = s->scratch->next[v];
        if (v < 0) {
            make_vertex(s, out, source, c);
            v = s->scratch->first[source];
        }
        out->indices[3 * (size_t)out->triangle_count + (size_t)k] = (uint32_t)v;
    }
    ++out->triangle_count;
}

// Allocates arrays without initializing them: there is room for a vertex for each corner, but a mesh
// has a sixth as many, and what is not touched takes no memory. False if memory is short.
static bool make_arrays(sherd_glb_vertices *v, size_t corners, bool colored)
{
    if (corners <= v->room && v->positions != NULL && v->has_color == colored) return true;
    sherd_glb_vertices_free(v);
    size_t n = corners + 1;
    v->positions = malloc(3 * n * sizeof *v->positions);
    v->normals = malloc(3 * n * sizeof *v->normals);
    v->texture = malloc(2 * n * sizeof *v->texture);
    if (colored) v->color = malloc(3 * n * sizeof *v->color);
    v->indices = malloc(n * sizeof *v->indices);
    v->room = corners;
    v->has_color = colored;
    bool good = v->positions != NULL && v->normals != NULL && v->texture != NULL &&
                v->indices != NULL && (!colored || v->color != NULL);
    if (!good) sherd_glb_vertices_free(v);
    return good;
}

// Allocates for the worst case of one vertex per corner.
static bool make_room(splitter *s, sherd_glb_vertices *out)
{
    sherd_glb_scratch *c = s->scratch;
    size_t n = (size_t)s->mesh->vertex_count, corners = 0;
    for (int32_t t = 0; t < s->mesh->triangle_count; ++t)
        corners += 3 * (size_t)of_kind(s, t);
    if (!make_arrays(out, corners, s->colored) ||
        !sherd_grow((void **)&c->first, &c->first_room, n, sizeof *c->first) ||
        !reserve((void **)&c->next, &c->next_room, corners, sizeof *c->next) ||
        !reserve((void **)&c->made, &c->made_room, corners, sizeof *c->made))
        return false;
    memset(c->first, -1, n * sizeof *c->first);
    return true;
}

bool sherd_glb_split_by(sherd_glb_vertices *out, sherd_glb_scratch *scratch,
                        const sherd_animation_mesh *mesh, const sherd_corner_fans *fans,
                        sherd_glb_faces faces, double texture_size)
{
    splitter s = {.mesh = mesh,
                  .faces = faces,
                  .texture_size = texture_size,
                  .fans = fans,
                  .scratch = scratch};
    s.colored = mesh->color != NULL && faces.kind == SHERD_FACE_OUTER;
    out->vertex_count = out->triangle_count = 0;
    bool room = make_room(&s, out);
    for (int32_t t = 0; room && t < mesh->triangle_count; ++t)
        if (of_kind(&s, t)) split_triangle(&s, out, t);
    return room;
}

void sherd_glb_scratch_free(sherd_glb_scratch *scratch)
{
    sherd_free(scratch->first);
    sherd_free(scratch->next);
    sherd_free(scratch->made);
    sherd_free(scratch->normal_of);
    sherd_free(scratch->normals);
    *scratch = (sherd_glb_scratch){0};
}

bool sherd_glb_split(sherd_glb_vertices *out, const sherd_animation_mesh *mesh,
                     sherd_glb_faces faces, double texture_size)
{
    sherd_corner_fans fans;
    sherd_glb_scratch scratch = {0};
    *out = (sherd_glb_vertices){0};
    bool room = sherd_export_corner_fans(&fans, mesh) &&
                sherd_glb_find_normals(&scratch, mesh, &fans) &&
                sherd_glb_split_by(out, &scratch, mesh, &fans, faces, texture_size);
    sherd_glb_scratch_free(&scratch);
    sherd_corner_fans_release(&fans);
    return room;
}

void sherd_glb_vertices_free(sherd_glb_vertices *vertices)
{
    sherd_free(vertices->positions);
    sherd_free(vertices->normals);
    sherd_free(vertices->texture);
    sherd_free(vertices->color);
    sherd_free(vertices->indices);
    *vertices = (sherd_glb_vertices){0};
}

// ---------------------------------------------------------------- points

// Adds clouds of points to a .glb.

static void put_attribute(sherd_glb_file *glb, const char *name, int accessor)
{
    sherd_json_key(&glb->meshes, name);
    sherd_json_integer(&glb->meshes, accessor);
}

// The format requires bounds of positions.
static int add_positions(sherd_glb_file *glb, const sherd_animation_points *p)
{
    int accessor = sherd_glb_add_floats(glb, SHERD_GLB_POSITION, p->positions, p->count, 3);
    if (glb->accessors.failed) return accessor;
    sherd_glb_accessor *a = &glb->accessors.items[accessor];
    a->bounded = true;
    for (int c = 0; c < 3; ++c) {
        a->low[c] = INFINITY;
        a->high[c] = -INFINITY;
        for (int32_t k = 0; k < p->count; ++k) {
            a->low[c] = fminf(a->low[c], p->positions[3 * (size_t)k + (size_t)c]);
            a->high[c] = fmaxf(a->high[c], p->positions[3 * (size_t)k + (size_t)c]);
        }
    }
    return accessor;
}

static bool add_fragments(sherd_glb_file *glb, const sherd_animation_points *p)
{
    float *fragment = sherd_alloc((size_t)p->count, sizeof *fragment);
    for (int32_t k = 0; fragment != NULL && k < p->count; ++k)
        fragment[k] = (float)p->fragment[k]; // exact up to 16 million
    if (fragment != NULL)
        put_attribute(glb, "_FRAGMENT",
                      sherd_glb_add_floats(glb, SHERD_GLB_FRAGMENT, fragment, p->count, 1));
    sherd_free(fragment);
    return fragment != NULL;
}

static bool put_glb(sherd_glb_file *glb, const sherd_animation_points *p)
{
    enum { MODE_POINTS = 0 };
    sherd_byte_buffer *json = &glb->meshes;
    sherd_json_separate(json);
    sherd_json_raw(json, "{\"name\":");
    sherd_json_string(json, p->name != NULL ? p->name : "points");
    sherd_json_raw(json, ",\"primitives\":[{\"attributes\":{");
    put_attribute(glb, "POSITION", add_positions(glb, p));
    put_attribute(glb, "_VELOCITY",
                  sherd_glb_add_floats(glb, SHERD_GLB_NORMAL, p->velocity, p->count, 3));
    put_attribute(glb, "_RADIUS",
                  sherd_glb_add_floats(glb, SHERD_GLB_FRAGMENT, p->radius, p->count, 1));
    put_attribute(glb, "_AGE", sherd_glb_add_floats(glb, SHERD_GLB_FRAGMENT, p->age, p->count, 1));
    bool good = add_fragments(glb, p);
    sherd_json_raw(json, "}");
    put_attribute(glb, "mode", MODE_POINTS);
    put_attribute(glb, "material", p->material);
    sherd_json_raw(json, "}]}");
    return good && !json->failed && !glb->accessors.failed;
}

sherd_status sherd_glb_file_add_points(sherd_animation *animation,
                                       const sherd_animation_points *points, sherd_error *error)
{
    sherd_glb_file *glb = animation->file;
    if (!put_glb(glb, points)) glb->meshes.failed = true; // an incomplete mesh
    return sherd_glb_end_mesh(glb, 1.0, error);
}

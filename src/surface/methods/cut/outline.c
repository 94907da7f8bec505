#include "surface/methods/cut/outline.h"

#include "base/error.h"
#include "base/memory.h"
#include "geometry/mesh/mesh_access.h"
#include "geometry/mesh/mesh_edges.h"
#include "geometry/shape/shape_display_mesh.h"
#include "math/smooth_normals.h"
#include "surface/partition/key_map.h"

#include <string.h>

enum { MAX_HALVINGS = 16, MAX_TRIANGLES = 4000000 };

// --- Halving long edges ----------------------------------------------------------------------------

typedef struct draft_corner {
    int32_t vertex;
    float uv[2];
} draft_corner;

typedef struct draft_triangle {
    draft_corner corner[3];
} draft_triangle;

typedef struct draft {
    int32_t vertex_count;
    size_t vertex_capacity;
    sherd_vec3 *position;
    int32_t count;
    draft_triangle *triangles;
} draft;

static bool copy_mesh(draft *d, const sherd_mesh *mesh)
{
    d->vertex_count = mesh->vertex_count;
    d->count = mesh->triangle_count;
    d->triangles = sherd_alloc((size_t)d->count, sizeof *d->triangles);
    if (d->triangles == NULL || !sherd_grow((void **)&d->position, &d->vertex_capacity,
                                            (size_t)d->vertex_count, sizeof *d->position))
        return false;
    for (int32_t v = 0; v < d->vertex_count; ++v)
        d->position[v] = mesh_vertex(mesh, v);
    for (size_t c = 0; c < 3 * (size_t)d->count; ++c) {
        draft_corner *to = &d->triangles[c / 3].corner[c % 3];
        to->vertex = mesh->triangles[c];
        if (mesh->uv != NULL) memcpy(to->uv, mesh->uv + 2 * c, sizeof to->uv);
    }
    return true;
}

// Returns the middle vertex of an edge longer than `longest`, -1 for shorter edges, -2 when out of
// memory.
static int32_t middle_of(draft *d, key_map *middles, int32_t base, int32_t a, int32_t b,
                         double longest)
{
    int32_t low = a < b ? a : b, high = a < b ? b : a;
    if (vec3_distance(d->position[low], d->position[high]) <= longest) return -1;
    size_t before = middles->count;
    int32_t k = sherd_key_map_insert(middles, (uint64_t)low << 32 | (uint64_t)high);
    if (k < 0 || !sherd_grow((void **)&d->position, &d->vertex_capacity,
                             (size_t)base + (size_t)k + 1, sizeof *d->position))
        return -2;
    if (middles->count > before) {
        d->position[base + k] = vec3_scale(0.5, vec3_add(d->position[low], d->position[high]));
        d->vertex_count = base + k + 1;
    }
    return base + k;
}

static draft_corner middle_corner(const draft_corner *a, const draft_corner *b, int32_t vertex)
{
    return (draft_corner){vertex, {0.5f * (a->uv[0] + b->uv[0]), 0.5f * (a->uv[1] + b->uv[1])}};
}

// Splits a triangle at the middles of its long edges; returns the number of parts.
static int cut_triangle(const draft *d, const draft_triangle *t, const int32_t middle[3],
                        draft_triangle part[4])
{
    int cuts = (middle[0] >= 0) + (middle[1] >= 0) + (middle[2] >= 0), first = 0;
    if (cuts == 1)
        while (middle[first] < 0)
            ++first;
    if (cuts == 2)
        while (middle[(first + 2) % 3] >= 0)
            ++first;
    draft_corner a[3], m[3];
    for (int k = 0; k < 3; ++k) {
        int from = (first + k) % 3, to = (first + k + 1) % 3;
        a[k] = t->corner[from];
        m[k] = middle_corner(&t->corner[from], &t->corner[to], middle[from]);
    }
    if (cuts == 0) {
        part[0] = *t;
    } else if (cuts == 1) {
        part[0] = (draft_triangle){{a[0], m[0], a[2]}};
        part[1] = (draft_triangle){{m[0], a[1], a[2]}};
    } else if (cuts == 2) {
        const sherd_vec3 *p = d->position;
        bool along_first = vec3_distance(p[a[0].vertex], p[m[1].vertex]) <
                           vec3_distance(p[m[0].vertex], p[a[2].vertex]);
        part[0] = (draft_triangle){{m[0], a[1], m[1]}};
        part[1] = (draft_triangle){{a[0], m[0], along_first ? m[1] : a[2]}};
        part[2] = along_first ? (draft_triangle){{a[0], m[1], a[2]}}
                              : (draft_triangle){{m[0], m[1], a[2]}};
    } else {
        for (int k = 0; k < 3; ++k)
            part[k] = (draft_triangle){{a[k], m[k], m[(k + 2) % 3]}};
        part[3] = (draft_triangle){{m[0], m[1], m[2]}};
    }
    return cuts + 1;
}

// Halves every edge longer than `longest`; `changed` reports whether there was one.
static bool halve_edges(draft *d, double longest, bool *changed)
{
    key_map middles = {0};
    int32_t base = d->vertex_count, count = 0;
    draft_triangle *fresh = NULL;
    size_t capacity = 0;
    bool ok = true;
    for (int32_t t = 0; ok && t < d->count; ++t) {
        int32_t middle[3];
        for (int k = 0; k < 3; ++k) {
            middle[k] = middle_of(d, &middles, base, d->triangles[t].corner[k].vertex,
                                  d->triangles[t].corner[(k + 1) % 3].vertex, longest);
            ok &= middle[k] != -2;
        }
        ok = ok && sherd_grow((void **)&fresh, &capacity, (size_t)count + 4, sizeof *fresh);
        if (ok) count += cut_triangle(d, &d->triangles[t], middle, fresh + count);
    }
    *changed = middles.count > 0;
    sherd_key_map_release(&middles);
    if (!ok) {
        sherd_free(fresh);
        return false;
    }
    sherd_free(d->triangles);
    d->triangles = fresh;
    d->count = count;
    return true;
}

static bool move_draft(outline *o, draft *d, bool has_uv)
{
    size_t corners = 3 * (size_t)d->count;
    o->vertex_count = d->vertex_count;
    o->triangle_count = d->count;
    o->position = d->position;
    d->position = NULL;
    o->triangle = sherd_alloc(corners, sizeof *o->triangle);
    if (has_uv) o->uv = sherd_alloc(2 * corners, sizeof *o->uv);
    if (o->triangle == NULL || (has_uv && o->uv == NULL)) return false;
    for (size_t c = 0; c < corners; ++c) {
        const draft_corner *from = &d->triangles[c / 3].corner[c % 3];
        o->triangle[c] = from->vertex;
        if (has_uv) memcpy(o->uv + 2 * c, from->uv, sizeof from->uv);
    }
    return true;
}

static bool refine(outline *o, const sherd_mesh *mesh, double longest)
{
    draft d = {0};
    bool ok = copy_mesh(&d, mesh), changed = true;
    for (int pass = 0; ok && changed && pass < MAX_HALVINGS && d.count < MAX_TRIANGLES; ++pass)
        ok = halve_edges(&d, longest, &changed);
    ok = ok && move_draft(o, &d, mesh->uv != NULL);
    sherd_free(d.position);
    sherd_free(d.triangles);
    return ok;
}

// --- Edges, normals --------------------------------------------------------------------------------

static bool number_edges(outline *o)
{
    size_t corners = 3 * (size_t)o->triangle_count;
    key_map edges = {0};
    o->edge = sherd_alloc(corners, sizeof *o->edge);
    bool ok = o->edge != NULL;
    for (size_t c = 0; ok && c < corners; ++c) {
        int32_t a = o->triangle[c], b = o->triangle[c % 3 == 2 ? c - 2 : c + 1];
        uint64_t low = (uint64_t)(a < b ? a : b), high = (uint64_t)(a < b ? b : a);
        o->edge[c] = sherd_key_map_insert(&edges, low << 32 | high);
        ok = o->edge[c] >= 0;
    }
    o->edge_count = (int32_t)edges.count;
    sherd_key_map_release(&edges);
    return ok;
}

static bool find_normals(outline *o)
{
    size_t corners = 3 * (size_t)o->triangle_count;
    const sherd_fan_mesh mesh = {o->vertex_count, &o->position->x, o->triangle_count, o->triangle,
                                 NULL};
    const sherd_parallel serial = {1};
    sherd_corner_fans fans;
    o->normal = sherd_alloc(corners, sizeof *o->normal);
    bool ok = sherd_corner_fans_init(&fans, &mesh, SHERD_FAN_BY_ANGLE, &serial) &&
              sherd_corner_fans_gather(&fans, NULL, o->vertex_count) && o->normal != NULL;
    for (size_t c = 0; ok && c < corners; ++c)
        o->normal[c] = sherd_corner_normal(&fans, (int32_t)(c / 3), (int)(c % 3));
    sherd_corner_fans_release(&fans);
    return ok;
}

// --- Creation and release
// --------------------------------------------------------------------------

static bool build_tree(outline *o)
{
    sherd_bounds *boxes = sherd_alloc((size_t)o->triangle_count, sizeof *boxes);
    bool ok = boxes != NULL;
    for (int32_t t = 0; ok && t < o->triangle_count; ++t)
        boxes[t] = outline_triangle_bounds(o, t);
    ok = ok && sherd_bvh_init(&o->tree, boxes, o->triangle_count);
    sherd_free(boxes);
    return ok;
}

// Frees the mesh as soon as it is copied: trees take more memory than all else.
static bool build(outline *o, sherd_mesh *mesh, double longest, double margin)
{
    sherd_bounds box = sherd_mesh_bounds(mesh);
    sherd_vec3 around = vec3(margin, margin, margin);
    o->lattice =
        sherd_exact_lattice((sherd_bounds){vec3_sub(box.low, around), vec3_add(box.high, around)});
    bool refined = refine(o, mesh, longest);
    sherd_mesh_destroy(mesh);
    if (!refined || !number_edges(o) || !find_normals(o) || !build_tree(o)) return false;
    o->exact = sherd_alloc((size_t)o->vertex_count, sizeof *o->exact);
    if (o->exact == NULL) return false;
    sherd_outline_shake(o, 0);
    return true;
}

void sherd_outline_shake(outline *o, uint64_t salt)
{
    o->salt = salt;
    for (int32_t v = 0; v < o->vertex_count; ++v)
        o->exact[v] = sherd_exact_snap(&o->lattice, o->position[v], (salt << 32) + (uint64_t)v);
}

sherd_status sherd_outline_create(outline *o, const sherd_shape *shape, double edge, double longest,
                                  double margin, sherd_error *error)
{
    *o = (outline){0};
    sherd_mesh *mesh = sherd_shape_display_mesh(shape, edge, error);
    if (mesh == NULL) return SHERD_ERROR_INPUT;
    sherd_status status = SHERD_OK;
    o->solid = sherd_shape_mesh(mesh, error);
    bool noted = mesh->note_count > 0;
    o->note = noted ? sherd_string_copy(sherd_mesh_note(mesh, 0)) : NULL;
    if (o->solid == NULL) {
        sherd_mesh_destroy(mesh);
        status = SHERD_ERROR_INPUT;
    } else if (!build(o, mesh, longest, margin) || (o->note == NULL && noted)) {
        status = sherd_fail_memory(error, "a body's surface");
    } else {
        o->volume = sherd_shape_volume(o->solid);
    }
    return status;
}

void sherd_outline_release(outline *o)
{
    sherd_free(o->position);
    sherd_free(o->triangle);
    sherd_free(o->edge);
    sherd_free(o->normal);
    sherd_free(o->uv);
    sherd_free(o->exact);
    sherd_bvh_release(&o->tree);
    sherd_shape_destroy(o->solid);
    sherd_free(o->note);
    *o = (outline){0};
}

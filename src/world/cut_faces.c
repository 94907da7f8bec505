#include "world/cut_faces.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"
#include "math/vec3.h"

#include <stdlib.h>

enum { CHUNK = 256, MAX_FACES = SHERD_MAX_CUT_FACES };

// Faces that an element may have, and the number it has.
typedef struct near_faces {
    int count;
    bool kept[MAX_FACES];
    sherd_cut_face face[MAX_FACES];
} near_faces;

typedef struct finding {
    const sherd_elements *elements;
    const sherd_body_def *def;
    sherd_element_index first;
    double largest; // radius [m]
    near_faces *near;
} finding;

static void find_chunk(void *context, size_t begin, size_t end)
{
    const finding *in = context;
    for (size_t k = begin; k < end; ++k) {
        sherd_element_index e = in->first + (sherd_element_index)k;
        near_faces *near = &in->near[k];
        double reach = sherd_crack_reach(sherd_element_radius(in->elements, e), in->largest);
        int count =
            in->def->cut_faces(in->def->cut_faces_context, sherd_element_rest(in->elements, e),
                               reach, MAX_FACES, near->face);
        near->count = count < MAX_FACES ? count : MAX_FACES;
        for (int f = 0; f < near->count; ++f)
            near->kept[f] = near->face[f].beyond <= 0.0;
    }
}

// The ends of a bond that a cut broke are on its two sides, also beyond its edge.
static void keep_ends(near_faces *a, near_faces *b)
{
    for (int f = 0; f < a->count; ++f)
        for (int g = 0; g < b->count; ++g)
            if (a->face[f].cut == b->face[g].cut &&
                vec3_dot(a->face[f].normal, b->face[g].normal) < 0.0)
                a->kept[f] = b->kept[g] = true;
}

static bool add_element(sherd_crack_faces *faces, const near_faces *near, sherd_element_index k)
{
    sherd_crack_face list[MAX_FACES];
    int count = 0;
    for (int f = 0; f < near->count; ++f)
        if (near->kept[f])
            list[count++] = (sherd_crack_face){near->face[f].normal, near->face[f].distance,
                                               faces->cut_count + near->face[f].cut};
    return count == 0 || sherd_crack_faces_add(faces, k, list, count);
}

static bool add_all(sherd_crack_faces *faces, const finding *in)
{
    int cuts = 0;
    for (sherd_element_index k = 0; k < in->def->count; ++k) {
        const near_faces *near = &in->near[k];
        if (!add_element(faces, near, in->first + k)) return false;
        for (int f = 0; f < near->count; ++f)
            cuts = near->face[f].cut >= cuts ? near->face[f].cut + 1 : cuts;
    }
    faces->cut_count += cuts;
    return true;
}

sherd_status sherd_world_add_cut_faces(sherd_world *world, const sherd_body_def *def,
                                       sherd_element_index first, int64_t first_bond,
                                       sherd_error *error)
{
    SHERD_ASSERT(first >= 0 && first + def->count <= world->system.elements.count &&
                     first_bond <= world->system.bonds.count,
                 "a body comes before its faces");
    const sherd_bonds *bonds = &world->system.bonds;
    finding in = {&world->system.elements, def, first, 0.0,
                  sherd_alloc((size_t)def->count, sizeof *in.near)};
    if (in.near == NULL) return sherd_fail_memory(error, "faces of cuts");
    for (sherd_element_index k = 0; k < def->count; ++k)
        in.largest = fmax(in.largest, sherd_element_radius(in.elements, first + k));
    sherd_parallel_for(&world->system.parallel, (size_t)def->count, CHUNK, find_chunk, &in);
    for (int64_t b = first_bond; b < bonds->count; ++b)
        if (bonds->broken[b])
            keep_ends(&in.near[bonds->i[b] - first], &in.near[bonds->j[b] - first]);
    bool fits = add_all(&world->system.faces, &in);
    sherd_free(in.near);
    if (fits) return SHERD_OK;
    sherd_crack_faces_keep(&world->system.faces, first);
    return sherd_fail_memory(error, "faces of cuts");
}

#include "scene/scene_packings.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/field.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/pages/pages.h"
#include "base/sort.h"
#include "geometry/shape/shape_kind.h"
#include "scene/scene_query.h"

sherd_packing *sherd_scene_pack_body(const sherd_scene *scene, int body, int threads,
                                     sherd_error *error)
{
    SHERD_ASSERT(body >= 0 && body < scene->body_count, "the body is one of the scene");
    const sherd_scene_body *b = &scene->bodies[body];
    sherd_packing_def def = b->packing;
    def.threads = threads;
    sherd_packing *packing = b->is_yarn ? sherd_yarn_create(&b->yarn, error)
                                        : sherd_packing_create(b->shape, &def, error);
    if (packing == NULL) sherd_scene_locate_packing(scene, body, error);
    return packing;
}

static bool have_same_packing(const sherd_scene_body *a, const sherd_scene_body *b)
{
    if (a->is_yarn || b->is_yarn || a->shape == NULL || b->shape == NULL) return false;
    return sherd_fields_equal(sherd_packing_def_fields(), &a->packing, &b->packing) &&
           sherd_shape_same_solid(a->shape, b->shape);
}

// Equal for bodies that have the same packing.
static uint64_t hash_of(const sherd_scene_body *body)
{
    uint64_t hash = sherd_hash_bytes(SHERD_HASH_START, &body->shape_digest, sizeof(uint64_t));
    return sherd_fields_digest(sherd_packing_def_fields(), &body->packing, hash);
}

// Finds the first body with the same packing for each body: sorted by hash, equal ones are neighbours.
static void pair_up(const sherd_scene *scene, const sherd_sort_pair *sorted, int *packed_with)
{
    for (int begin = 0, k = 0; k < scene->body_count; ++k) {
        if (sorted[k].key != sorted[begin].key) begin = k;
        int body = (int)sorted[k].value, first = body;
        for (int n = begin; n < k && first == body; ++n) {
            int other = (int)sorted[n].value;
            if (packed_with[other] == other &&
                have_same_packing(&scene->bodies[other], &scene->bodies[body]))
                first = other;
        }
        packed_with[body] = first;
    }
}

static bool find_equal_bodies(const sherd_scene *scene, int *packed_with)
{
    size_t n = (size_t)scene->body_count;
    sherd_sort_pair *pairs = sherd_alloc(n, sizeof *pairs);
    if (pairs == NULL) return false;
    for (size_t k = 0; k < n; ++k)
        pairs[k] = (sherd_sort_pair){hash_of(&scene->bodies[k]), (uint32_t)k};
    bool sorted = sherd_sort_pairs(pairs, n);
    if (sorted) pair_up(scene, pairs, packed_with);
    sherd_free(pairs);
    return sorted;
}

static void drop_elements(sherd_packing *p)
{
    sherd_free_pages(p->x), sherd_free_pages(p->y), sherd_free_pages(p->z);
    sherd_free_pages(p->radius), sherd_free_pages(p->volume);
    sherd_free_pages(p->bond_i), sherd_free_pages(p->bond_j);
    sherd_free_pages(p->bond_section), sherd_free_pages(p->bond_factor);
    p->x = p->y = p->z = p->radius = p->volume = p->bond_section = p->bond_factor = NULL;
    p->bond_i = p->bond_j = NULL;
}

void sherd_scene_build_drop_elements(sherd_scene_build *build)
{
    for (int k = 0; k < build->body_count; ++k)
        if (build->packed_with[k] == k) drop_elements(build->packings[k]);
}

bool sherd_scene_pack_bodies(const sherd_scene *scene, int threads, sherd_scene_build *build,
                             sherd_error *error)
{
    if (!find_equal_bodies(scene, build->packed_with)) {
        sherd_fail_memory(error, "packings");
        return false;
    }
    for (int k = 0; k < scene->body_count; ++k) {
        int first = build->packed_with[k];
        SHERD_ASSERT(first <= k, "the first of equal bodies is packed first");
        build->packings[k] =
            first < k ? build->packings[first] : sherd_scene_pack_body(scene, k, threads, error);
        if (build->packings[k] == NULL) return false;
    }
    return true;
}

#include "output/export/glb_shared.h"

#include "base/hash.h"
#include "base/memory.h"

typedef struct sherd_glb_shared_mesh slot;

void sherd_glb_shared_free(sherd_glb_shared *shared)
{
    sherd_free(shared->slots);
    sherd_free(shared->parts);
    *shared = (sherd_glb_shared){0};
}

static uint64_t hash_of(uint64_t hash, const sherd_glb_vertices *v, int count)
{
    for (int k = 0; k < count; ++k) {
        size_t n = (size_t)v[k].vertex_count, m = (size_t)v[k].triangle_count;
        const uint64_t sizes[3] = {n, m, v[k].color != NULL};
        hash = sherd_hash_bytes(hash, sizes, sizeof sizes);
        hash = sherd_hash_bytes(hash, v[k].positions, 3 * n * sizeof *v[k].positions);
        hash = sherd_hash_bytes(hash, v[k].normals, 3 * n * sizeof *v[k].normals);
        hash = sherd_hash_bytes(hash, v[k].texture, 2 * n * sizeof *v[k].texture);
        if (v[k].color != NULL)
            hash = sherd_hash_bytes(hash, v[k].color, 3 * n * sizeof *v[k].color);
        hash = sherd_hash_bytes(hash, v[k].indices, 3 * m * sizeof *v[k].indices);
    }
    return hash;
}

// The slot of a fingerprint, or the empty one where it belongs.
static slot *find(slot *slots, size_t count, const uint64_t hash[2])
{
    size_t at = (size_t)hash[0] & (count - 1);
    while (slots[at].first >= 0 && (slots[at].hash[0] != hash[0] || slots[at].hash[1] != hash[1]))
        at = (at + 1) & (count - 1);
    return &slots[at];
}

// At most half of the slots are taken.
static bool grow(sherd_glb_shared *s)
{
    if (2 * (s->mesh_count + 1) <= s->slot_count) return true;
    size_t count = s->slot_count > 0 ? 2 * s->slot_count : 64;
    slot *slots = sherd_alloc(count, sizeof *slots);
    if (slots == NULL) return false;
    for (size_t k = 0; k < count; ++k)
        slots[k].first = -1;
    for (size_t k = 0; k < s->slot_count; ++k)
        if (s->slots[k].first >= 0) *find(slots, count, s->slots[k].hash) = s->slots[k];
    sherd_free(s->slots);
    s->slots = slots;
    s->slot_count = count;
    return true;
}

const sherd_glb_shared_part *sherd_glb_shared_find(sherd_glb_shared *s, const sherd_glb_vertices *v,
                                                   int count, sherd_glb_shared_part **to_fill)
{
    static const uint64_t OTHER_START = UINT64_C(0x9e3779b97f4a7c15);
    const uint64_t hash[2] = {hash_of(SHERD_HASH_START, v, count), hash_of(OTHER_START, v, count)};
    *to_fill = NULL;
    if (!grow(s)) return NULL;
    slot *at = find(s->slots, s->slot_count, hash);
    if (at->first >= 0) return s->parts + at->first;
    if (!sherd_grow((void **)&s->parts, &s->part_room, s->part_count + (size_t)count,
                    sizeof *s->parts))
        return NULL;
    *at = (slot){{hash[0], hash[1]}, (int64_t)s->part_count};
    *to_fill = s->parts + s->part_count;
    s->part_count += (size_t)count;
    ++s->mesh_count;
    return NULL;
}

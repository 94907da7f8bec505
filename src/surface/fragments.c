// Connected components of intact bonds, and the ids that they retain from frame to frame.
#include "surface/fragments.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/forest.h"
#include "base/memory.h"
#include "base/pages/pages.h"

#include <limits.h>
#include <math.h>
#include <string.h>

// Previous fragments are referred to by their slot: -1 for elements that had none.
enum { NO_SLOT = -1 };

static bool reserve(sherd_fragments *f, size_t n)
{
    size_t scratch = f->root != NULL ? f->capacity : 0;
    size_t c[5] = {f->capacity, scratch, f->capacity, scratch, f->capacity};
    bool ok = sherd_grow((void **)&f->slot, &c[0], n, sizeof *f->slot) &&
              sherd_grow((void **)&f->former, &c[1], n, sizeof *f->former) &&
              sherd_grow((void **)&f->label, &c[2], n, sizeof *f->label) &&
              sherd_grow((void **)&f->root, &c[3], n, sizeof *f->root) &&
              sherd_grow((void **)&f->member, &c[4], n, sizeof *f->member);
    if (ok) f->capacity = c[0];
    return ok;
}

static bool reserve_pieces(sherd_fragments *f, size_t n)
{
    size_t c[3] = {f->piece_capacity, f->piece_capacity, f->piece_capacity};
    bool ok = sherd_grow((void **)&f->pieces, &c[0], n, sizeof *f->pieces) &&
              sherd_grow((void **)&f->former_pieces, &c[1], n, sizeof *f->former_pieces) &&
              sherd_grow((void **)&f->start, &c[2], n, sizeof *f->start);
    if (ok) f->piece_capacity = c[0];
    return ok;
}

// Scratch of an update, 8 bytes an element.
static void free_scratch(sherd_fragments *f)
{
    sherd_free_pages(f->former), sherd_free_pages(f->root);
    f->former = f->root = NULL;
}

sherd_fragments *sherd_fragments_create(sherd_error *error)
{
    sherd_fragments *f = sherd_alloc(1, sizeof *f);
    if (f == NULL || !reserve(f, 16) || !reserve_pieces(f, 16)) {
        sherd_fragments_destroy(f);
        sherd_fail_memory(error, "fragments");
        return NULL;
    }
    f->next_id = 1;
    return f;
}

void sherd_fragments_destroy(sherd_fragments *f)
{
    if (f == NULL) return;
    sherd_free(f->slot);
    sherd_free(f->former);
    sherd_free(f->label);
    sherd_free(f->root);
    sherd_free(f->member);
    sherd_free(f->pieces);
    sherd_free(f->former_pieces);
    sherd_free(f->start);
    sherd_free(f);
}

static sherd_status check_elements(const sherd_fragment_input *in, sherd_error *error)
{
    if (in->element_count < 0 || in->bond_count < 0)
        return sherd_fail(error, SHERD_ERROR_INPUT, "sherd_fragments_update", NULL,
                          "counts must be >= 0, got %d elements and %lld bonds",
                          (int)in->element_count, (long long)in->bond_count);
    for (sherd_element_index e = 0; e < in->element_count; ++e)
        if (!(in->mass[e] > 0.0) || !(in->radius[e] > 0.0) || !isfinite(in->mass[e]) ||
            !isfinite(in->radius[e]))
            return sherd_fail(error, SHERD_ERROR_INPUT, "sherd_fragments_update",
                              "every element needs a finite mass and radius > 0",
                              "element %d has mass %g and radius %g", (int)e, in->mass[e],
                              in->radius[e]);
    return SHERD_OK;
}

// Union by lowest index: a component's root is its first element, whatever the order of the bonds.
static sherd_status join_bonded(sherd_fragments *f, const sherd_fragment_input *in,
                                sherd_error *error)
{
    for (sherd_element_index e = 0; e < in->element_count; ++e)
        f->root[e] = e;
    for (sherd_bond_index b = 0; b < in->bond_count; ++b) {
        sherd_element_index i = in->bond_i[b], j = in->bond_j[b];
        if (i < 0 || j < 0 || i >= in->element_count || j >= in->element_count)
            return sherd_fail(error, SHERD_ERROR_INPUT, "sherd_fragments_update", NULL,
                              "bond %lld joins elements %d and %d, but there are %d elements",
                              (long long)b, (int)i, (int)j, (int)in->element_count);
        if (in->bond_broken[b]) continue;
        sherd_join_roots(f->root, i, j);
    }
    return SHERD_OK;
}

// The components of the previous update.
static sherd_status set_components(sherd_fragments *f, const sherd_fragment_input *in,
                                   sherd_error *error)
{
    for (sherd_element_index e = 0; e < in->element_count; ++e) {
        sherd_element_index first = in->component[e];
        if (first < 0 || first > e || in->component[first] != first)
            return sherd_fail(error, SHERD_ERROR_INPUT, "sherd_fragments_update",
                              "components are named by their first elements",
                              "element %d is in component %d", (int)e, (int)first);
        f->root[e] = first;
    }
    return SHERD_OK;
}

// Slots are ordered by first element. Roots are lowest indices, so one pass visits a root before
// the other members of its component.
static bool number_components(sherd_fragments *f, const sherd_fragment_input *in)
{
    int32_t count = 0;
    for (sherd_element_index e = 0; e < in->element_count; ++e) {
        sherd_element_index root = sherd_find_root(f->root, e);
        if (root == e) {
            if (!reserve_pieces(f, (size_t)count + 2)) return false;
            f->pieces[count] = (sherd_fragment){.first = e};
            f->slot[e] = count++;
        }
        f->slot[e] = f->slot[root];
        SHERD_ASSERT(f->slot[e] >= 0 && f->slot[e] < count,
                     "a component is met at its first element");
        sherd_fragment *piece = &f->pieces[f->slot[e]];
        double r = in->radius[e];
        piece->count += 1;
        piece->mass += in->mass[e];
        piece->volume += 4.0 / 3.0 * 3.14159265358979323846 * r * r * r;
    }
    f->count = count;
    return true;
}

static void list_members(sherd_fragments *f)
{
    f->start[0] = 0;
    for (int32_t k = 0; k < f->count; ++k)
        f->start[k + 1] = f->start[k] + f->pieces[k].count;
    for (sherd_element_index e = 0; e < f->element_count; ++e)
        f->member[f->start[f->slot[e]]++] = e;
    for (int32_t k = f->count; k > 0; --k)
        f->start[k] = f->start[k - 1];
    f->start[0] = 0;
    SHERD_ASSERT(sherd_rows_follow(f->start, (size_t)f->count, f->element_count),
                 "each element is a member of one fragment");
    SHERD_ASSERT(sherd_rows_ascend(f->start, (size_t)f->count, f->member),
                 "members of a fragment ascend");
}

// The largest child of each previous fragment retains its id. A component descends from the
// previous fragment of its first element (fragments never merge, so all its elements agree).
static sherd_status assign_ids(sherd_fragments *f, int32_t former_count, sherd_error *error)
{
    int32_t *successor = sherd_alloc((size_t)former_count, sizeof *successor);
    if (successor == NULL) return sherd_fail_memory(error, "fragment identities");
    for (int32_t k = 0; k < former_count; ++k)
        successor[k] = NO_SLOT;
    for (int32_t k = 0; k < f->count; ++k) {
        int32_t former = f->former[f->pieces[k].first];
        if (former == NO_SLOT) continue;
        // Children are ordered by first element: if sizes are equal, the earlier one retains the
        // id.
        if (successor[former] == NO_SLOT || f->pieces[k].count > f->pieces[successor[former]].count)
            successor[former] = k;
    }
    for (int32_t k = 0; k < f->count; ++k) {
        int32_t former = f->former[f->pieces[k].first];
        const sherd_fragment *source = former == NO_SLOT ? NULL : &f->former_pieces[former];
        if (source != NULL && successor[former] == k) {
            f->pieces[k].id = source->id;
            f->pieces[k].parent = source->parent;
        } else {
            f->pieces[k].id = f->next_id++;
            f->pieces[k].parent = source != NULL ? source->id : 0;
        }
        SHERD_ASSERT(f->pieces[k].parent < f->pieces[k].id,
                     "parents are older than their fragments");
    }
    sherd_free(successor);
    return SHERD_OK;
}

static sherd_status update(sherd_fragments *f, const sherd_fragment_input *in, sherd_error *error)
{
    sherd_status status = check_elements(in, error);
    if (status != SHERD_OK) return status;
    if (!reserve(f, (size_t)in->element_count + 1)) return sherd_fail_memory(error, "fragments");
    status = in->component != NULL ? set_components(f, in, error) : join_bonded(f, in, error);
    if (status != SHERD_OK) return status;
    // Ids are 31 bits wide: a run would have to break off two thousand million pieces.
    if (f->next_id > INT32_MAX - in->element_count)
        return sherd_fail(error, SHERD_ERROR_UNSUPPORTED, "sherd_fragments_update", NULL,
                          "fragment ids are used up");

    sherd_element_index kept =
        f->element_count < in->element_count ? f->element_count : in->element_count;
    memcpy(f->former, f->slot, (size_t)kept * sizeof *f->former);
    for (sherd_element_index e = kept; e < in->element_count; ++e)
        f->former[e] = NO_SLOT;
    sherd_fragment *swap = f->former_pieces;
    f->former_pieces = f->pieces;
    f->pieces = swap;
    int32_t former_count = f->count;

    f->element_count = in->element_count;
    if (!number_components(f, in)) return sherd_fail_memory(error, "fragments");
    list_members(f);
    status = assign_ids(f, former_count, error);
    if (status != SHERD_OK) return status;
    for (sherd_element_index e = 0; e < f->element_count; ++e)
        f->label[e] = f->pieces[f->slot[e]].id;
    return SHERD_OK;
}

sherd_status sherd_fragments_update(sherd_fragments *f, const sherd_fragment_input *in,
                                    sherd_error *error)
{
    sherd_status status = update(f, in, error);
    free_scratch(f);
    return status;
}

sherd_fragment_view sherd_fragments_view(const sherd_fragments *f)
{
    return (sherd_fragment_view){.count = f->count,
                                 .fragments = f->pieces,
                                 .element_fragment = f->label,
                                 .element_slot = f->slot,
                                 .next_id = f->next_id};
}

static sherd_status check_labels(const sherd_fragment_id *label, sherd_element_index n,
                                 sherd_fragment_id next_id, sherd_error *error)
{
    for (sherd_element_index e = 0; e < n; ++e)
        if (label[e] < 1 || label[e] >= next_id)
            return sherd_fail(error, SHERD_ERROR_INPUT, "sherd_fragments_restore",
                              "fragment ids start at 1 and lie below the next id",
                              "element %d has fragment %d, the next id is %d", (int)e,
                              (int)label[e], (int)next_id);
    return SHERD_OK;
}

// Maps labels to slots by a table of ids; all ids in use are below next_id.
sherd_status sherd_fragments_restore(sherd_fragments *f, const sherd_fragment_id *label,
                                     sherd_element_index n, sherd_fragment_id next_id,
                                     sherd_error *error)
{
    if (n < 0 || next_id < 1)
        return sherd_fail(error, SHERD_ERROR_INPUT, "sherd_fragments_restore", NULL,
                          "counts must be >= 0 and ids >= 1, got %d elements and next id %d",
                          (int)n, (int)next_id);
    sherd_status status = check_labels(label, n, next_id, error);
    if (status != SHERD_OK) return status;
    int32_t *slot_of = sherd_alloc((size_t)next_id, sizeof *slot_of);
    if (slot_of == NULL || !reserve(f, (size_t)n + 1)) {
        sherd_free(slot_of);
        return sherd_fail_memory(error, "fragment labels");
    }
    f->count = 0;
    for (sherd_element_index e = 0; e < n; ++e) {
        int32_t *slot = &slot_of[label[e]]; // stored plus one: 0 means not visited
        if (*slot == 0) {
            if (!reserve_pieces(f, (size_t)f->count + 2)) {
                sherd_free(slot_of);
                f->count = f->element_count = 0;
                return sherd_fail_memory(error, "fragments");
            }
            f->pieces[f->count] = (sherd_fragment){.id = label[e], .first = e};
            *slot = ++f->count;
        }
        f->pieces[*slot - 1].count += 1;
        f->slot[e] = *slot - 1;
        f->label[e] = label[e];
    }
    sherd_free(slot_of);
    f->element_count = n;
    f->next_id = next_id;
    list_members(f);
    return SHERD_OK;
}

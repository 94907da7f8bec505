#include "output/run/run_bonds.h"

#include "base/assertion.h"

#include <sherd/world_view.h>

#include <stdlib.h>
#include <string.h>

// Elements without glue belong to the first piece.
static void append_glue(const sherd_run_bonds *b, const sherd_bond_view *bonds,
                        const float *of_bonds, sherd_element_index *i, sherd_element_index *j,
                        float *section, int32_t *piece)
{
    size_t m = (size_t)bonds->count;
    if (m > 0) {
        memcpy(i, bonds->i, m * sizeof *i);
        memcpy(j, bonds->j, m * sizeof *j);
        memcpy(section, of_bonds, m * sizeof *section);
    }
    for (size_t k = 0; k < (size_t)b->glue_count; ++k) {
        const sherd_glue_particle *g = &b->glue[k];
        i[m + k] = g->i, j[m + k] = g->j;
        section[m + k] = (float)g->area;
        piece[g->i] = g->piece_i, piece[g->j] = g->piece_j;
    }
}

static bool allocate(sherd_run_bonds *b, sherd_element_index elements)
{
    size_t m = (size_t)b->count, n = (size_t)elements;
    const size_t bytes[] = {m * sizeof *b->i, m * sizeof *b->j, m * sizeof *b->section,
                            n * sizeof *b->piece, m * sizeof *b->broken};
    bool ok = (b->glue = malloc((size_t)b->glue_count * sizeof *b->glue)) != NULL;
    for (size_t k = 0; k < sizeof bytes / sizeof *bytes; ++k)
        ok = (b->owned[k] = calloc(1, bytes[k])) != NULL && ok;
    return ok;
}

bool sherd_run_bonds_create(sherd_run_bonds *b, const sherd_world *world, const float *section)
{
    sherd_bond_view bonds = sherd_world_bonds(world);
    sherd_bond_index glue = sherd_world_glue_count(world);
    *b = (sherd_run_bonds){.count = bonds.count + glue, .glue_count = glue};
    if (glue > 0) {
        if (!allocate(b, sherd_world_elements(world).count)) return false;
        sherd_world_glue(world, b->glue);
        append_glue(b, &bonds, section, b->owned[0], b->owned[1], b->owned[2], b->owned[3]);
        b->i = b->owned[0], b->j = b->owned[1], b->section = b->owned[2], b->piece = b->owned[3];
    } else {
        b->i = bonds.i, b->j = bonds.j, b->section = section;
    }
    sherd_run_bonds_update(b, world);
    return true;
}

void sherd_run_bonds_free(sherd_run_bonds *b)
{
    free(b->glue);
    for (size_t k = 0; k < sizeof b->owned / sizeof *b->owned; ++k)
        free(b->owned[k]);
    *b = (sherd_run_bonds){0};
}

void sherd_run_bonds_update(sherd_run_bonds *b, const sherd_world *world)
{
    sherd_bond_view bonds = sherd_world_bonds(world);
    SHERD_ASSERT(bonds.count + b->glue_count == b->count, "a world keeps its bonds");
    b->broken = bonds.broken;
    if (b->glue_count == 0) return;
    uint8_t *broken = b->owned[4];
    sherd_world_glue(world, b->glue);
    if (bonds.count > 0) memcpy(broken, bonds.broken, (size_t)bonds.count);
    for (sherd_bond_index k = 0; k < b->glue_count; ++k)
        broken[bonds.count + k] = b->glue[k].broken;
    b->broken = broken;
}

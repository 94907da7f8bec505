// The list of breaks of a world, in its output order.
#include "world/world.h"

#include "base/assertion.h"

#include <sherd/world_view.h>

#include <stdlib.h>

sherd_bond_index sherd_world_break_count(const sherd_world *world)
{
    return (sherd_bond_index)world->system.breaks.count;
}

static int compare(const void *a, const void *b)
{
    const sherd_break *x = a, *y = b;
    if (x->time != y->time) return x->time < y->time ? -1 : 1;
    return (x->bond > y->bond) - (x->bond < y->bond);
}

static sherd_break of_bond(const sherd_world *world, const sherd_broken *b)
{
    const sherd_bonds *bonds = &world->system.bonds;
    sherd_element_index i = bonds->i[b->bond];
    return (sherd_break){.bond = b->bond,
                         .time = b->time,
                         .place = b->place,
                         .energy = b->energy,
                         .i = i,
                         .j = bonds->j[b->bond],
                         .body = sherd_world_body_of(world, i),
                         .mode = (sherd_break_mode)b->mode,
                         .piece_i = -1,
                         .piece_j = -1};
}

static sherd_break of_glue(const sherd_world *world, const sherd_broken *b)
{
    sherd_glue_particle p =
        sherd_world_glue_at(world, (size_t)(b->bond - world->system.bonds.count));
    return (sherd_break){.bond = b->bond,
                         .time = b->time,
                         .place = b->place,
                         .i = p.i,
                         .j = p.j,
                         .body = p.body,
                         .mode = (sherd_break_mode)b->mode,
                         .piece_i = p.piece_i,
                         .piece_j = p.piece_j};
}

void sherd_world_breaks(const sherd_world *world, sherd_break *breaks)
{
    const sherd_system *s = &world->system;
    for (size_t k = 0; k < s->breaks.count; ++k) {
        const sherd_broken *b = &s->breaks.list[k];
        SHERD_ASSERT(b->bond >= 0 && isfinite(b->time),
                     "a break has a bond index and a finite time");
        breaks[k] = b->bond < s->bonds.count ? of_bond(world, b) : of_glue(world, b);
    }
    if (s->breaks.count > 1) qsort(breaks, s->breaks.count, sizeof *breaks, compare);
}

void sherd_world_forget_breaks(sherd_world *world)
{
    world->system.breaks.count = 0;
}

// A rig's only body, cut into pieces that are glued.
#pragma once

#include "models/mpm/damage/mpm_prefracture.h"
#include "physics/mpm_rig.h"

enum { MPM_MAX_CUTS = 4 };

static inline sherd_weakness *mpm_plane(sherd_vec3 point, sherd_vec3 normal)
{
    sherd_error error = {0};
    sherd_weakness_def def = sherd_weakness_def_default();
    def.kind = SHERD_WEAKNESS_CUT, def.cut = SHERD_CUT_PLANE;
    def.point = point, def.normal = normal;
    sherd_weakness *made = sherd_weakness_create(&def, &error);
    cr_assert(made != NULL, "%s", error.what);
    return made;
}

// Destroys the walls. Returns the number of pieces.
static inline int mpm_rig_split(mpm_rig *r, sherd_weakness *const *walls, int count, double tensile,
                                double shear)
{
    sherd_error error = {0};
    sherd_mpm_prefracture_def def = sherd_mpm_prefracture_def_default();
    sherd_mpm_prefracture f;
    sherd_mpm_points *p = &r->m.points;
    def.walls = (const sherd_weakness *const *)walls, def.wall_count = count;
    def.tensile_strength = tensile, def.shear_strength = shear;
    cr_assert(eq(int,
                 (int)sherd_mpm_prefracture_make(&def, p->x, p->count, 0.5 * r->m.def.spacing,
                                                 &r->m.def.parallel, &f, &error),
                 SHERD_OK));
    int pieces = (int)f.pieces;
    cr_assert(le(int, pieces, (int)(sizeof r->solids / sizeof r->solids[0])));
    for (size_t k = 0; k < p->count; ++k)
        p->body[k] = f.piece[k];
    for (int k = 1; k < pieces; ++k)
        r->solids[k] = r->solids[0];
    cr_assert(sherd_mpm_glues_append(&r->m.glue, f.glue, f.glue_count, (sherd_mpm_offset){0, 0},
                                     (sherd_pose){.rotation = SHERD_QUAT_IDENTITY}));
    sherd_mpm_prefracture_release(&f);
    for (int k = 0; k < count; ++k)
        sherd_weakness_destroy(walls[k]);
    return pieces;
}

#include "points/part.h"

#include "base/assertion.h"

sherd_status sherd_elements_extract_part(sherd_elements *part, const sherd_elements *whole,
                                         const sherd_element_index *member,
                                         sherd_element_index count, sherd_error *error)
{
    *part = (sherd_elements){0};
    sherd_status status = sherd_elements_resize(part, count, error);
    if (status != SHERD_OK) return status;
    part->number = member;
    for (sherd_element_index m = 0; m < count; ++m) {
        sherd_element_index k = member[m];
        SHERD_ASSERT(k >= 0 && k < whole->count, "members are in the whole");
        SHERD_ASSERT(m == 0 || member[m - 1] < k, "members are sorted");
        sherd_vec3 rest = sherd_element_rest(whole, k);
        part->rx[m] = rest.x, part->ry[m] = rest.y, part->rz[m] = rest.z;
        part->radius[m] = sherd_element_radius(whole, k);
        part->mass[m] = sherd_element_mass(whole, k);
        part->material[m] = sherd_element_material(whole, k);
        part->held[m] = whole->held[k];
    }
    return sherd_elements_pack(part, error);
}

enum { COLUMNS = 19 };

static void state_columns(const sherd_elements *e, double *columns[COLUMNS])
{
    double *all[COLUMNS] = {e->px, e->py, e->pz, e->qx, e->qy, e->qz, e->qw, e->vx, e->vy, e->vz,
                            e->wx, e->wy, e->wz, e->fx, e->fy, e->fz, e->tx, e->ty, e->tz};
    for (int c = 0; c < COLUMNS; ++c)
        columns[c] = all[c];
}

void sherd_elements_fetch_state(sherd_elements *part, const sherd_elements *whole,
                                const sherd_element_index *member)
{
    SHERD_ASSERT(part->number == member && part->count <= whole->count,
                 "the part was taken with these members");
    double *to[COLUMNS], *from[COLUMNS];
    state_columns(part, to);
    state_columns(whole, from);
    for (int c = 0; c < COLUMNS; ++c)
        for (sherd_element_index m = 0; m < part->count; ++m)
            to[c][m] = from[c][member[m]];
}

void sherd_elements_return_state(const sherd_elements *part, sherd_elements *whole,
                                 const sherd_element_index *member)
{
    SHERD_ASSERT(part->number == member && part->count <= whole->count,
                 "the part was taken with these members");
    double *to[COLUMNS], *from[COLUMNS];
    state_columns(whole, to);
    state_columns(part, from);
    for (int c = 0; c < COLUMNS; ++c)
        for (sherd_element_index m = 0; m < part->count; ++m)
            to[c][member[m]] = from[c][m];
}

#include "models/bonded/bond_rotations.h"

#include "math/nearest_rotation.h"
#include "math/vec3.h"

enum { CHUNK = 512 };

typedef struct fitting {
    const sherd_bonded *bonded;
    const bool *fits;
    double *const *q;
} fitting;

static void add_product(double f[3][3], double weight, sherd_vec3 now, sherd_vec3 then)
{
    double lengths = vec3_length(now) * vec3_length(then);
    if (!(lengths > 0.0)) return;
    double a[3] = {now.x, now.y, now.z}, b[3] = {then.x, then.y, then.z};
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
            f[r][c] += weight / lengths * a[r] * b[c];
}

static sherd_quat rotation_of(const fitting *in, sherd_element_index k)
{
    static const double OF_BROKEN = 1e-3;
    const sherd_elements *e = in->bonded->elements;
    const sherd_bonds *bonds = in->bonded->bonds;
    const sherd_adjacency *bonded = in->bonded->adjacency;
    uint32_t begin = bonded->start[k], end = bonded->start[k + 1];
    if (!in->fits[sherd_element_material(e, k)] || begin == end)
        return sherd_element_orientation(e, k);
    double f[3][3] = {{0.0}};
    for (uint32_t at = begin; at < end; ++at) {
        int64_t bond = bonded->bond[at];
        sherd_element_index to = sherd_bond_partner(bonds, bond, k);
        add_product(f, bonds->broken[bond] ? OF_BROKEN : 1.0,
                    vec3_sub(sherd_element_position(e, to), sherd_element_position(e, k)),
                    vec3_sub(sherd_element_rest(e, to), sherd_element_rest(e, k)));
    }
    return sherd_nearest_rotation(f);
}

static void fit_range(void *context, size_t begin, size_t end)
{
    const fitting *in = context;
    for (size_t k = begin; k < end; ++k) {
        sherd_quat q = rotation_of(in, (sherd_element_index)k);
        in->q[0][k] = q.x, in->q[1][k] = q.y, in->q[2][k] = q.z, in->q[3][k] = q.w;
    }
}

void sherd_bonded_fit_rotations(const sherd_bonded *bonded, const bool *fits, double *const q[4])
{
    fitting in = {bonded, fits, q};
    sherd_parallel_for(&bonded->parallel, (size_t)bonded->elements->count, CHUNK, fit_range, &in);
}

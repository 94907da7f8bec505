// Nodes of one layer: velocities from mass, momentum and impulse, and their energies.
#include "models/mpm/kernels/mpm_kernels.h"
#include "models/mpm/kernels/mpm_quad.h"

// Twice the energies, by component; the fourth is not used.
typedef struct sums {
    quad kinetic, offset, offset_before, kinetic_after, offset_after;
} sums;

static double half_sum(quad sum)
{
    return 0.5 * (sum[0] + sum[1] + sum[2]);
}

// Stores energies after the step. Coupled bodies have accounts of their own.
static void note_after(sherd_mpm_grid *g, size_t k, const sums *s)
{
    bool coupled = sherd_mpm_is_coupled(g, k);
    g->layers[k].after[0] = coupled ? 0.0 : half_sum(s->kinetic_after);
    g->layers[k].after[1] = coupled ? 0.0 : half_sum(s->offset_after);
}

static void note_brought(sherd_mpm_grid *g, size_t k, const sums *s)
{
    bool coupled = sherd_mpm_is_coupled(g, k);
    g->layers[k].brought[0] = coupled ? 0.0 : half_sum(s->kinetic);
    g->layers[k].brought[1] = coupled ? 0.0 : half_sum(s->offset);
    g->layers[k].brought[2] = coupled ? 0.0 : half_sum(s->offset_before);
}

LANE_INLINE void add_after(double mass, quad impulse, quad u, sums *s)
{
    s->kinetic_after += mass * u * u;
    s->offset_after += impulse * u;
}

LANE_INLINE void move_node(const sherd_mpm_node_def *def, quad given, double flip, double least,
                           const double load[2][4], double motion[2][4], sums *s)
{
    double mass = load[0][0];
    if (!(mass > least)) {
        memset(motion, 0, 2 * sizeof *motion);
        return;
    }
    double inverse = 1.0 / mass;
    quad momentum = {load[0][1], load[0][2], load[0][3], 0.0}, stress = quad_load(load[1]);
    quad before = inverse * momentum, impulse = stress + mass * given,
         after = before + (inverse * stress + given);
    quad last = before;
    if (sherd_mpm_has_previous_velocity(motion[0][3], mass))
        last = def->has_unresolved ? quad_load(motion[0]) + quad_load(motion[1])
                                   : quad_load(motion[0]);
    s->kinetic += momentum * before;
    s->offset += impulse * before;
    s->offset_before +=
        stress * last + mass * given * before; // gravity acts on advected momentum without loss
    add_after(mass, impulse, after, s);
    quad_store(motion[1], after - flip * before);
    after[3] = mass;
    quad_store(motion[0], after);
}

static void clear_row(sherd_mpm_grid *g, size_t k, int first)
{
    memset(g->loads[k].node[first], 0, SHERD_MPM_SIDE * sizeof g->loads[k].node[0]);
    memset(g->motion[k].node[first], 0, SHERD_MPM_SIDE * sizeof g->motion[k].node[0]);
}

void SHERD_KERNEL(sherd_mpm_motion)(sherd_mpm_grid *g, size_t k, const sherd_mpm_node_def *def)
{
    sherd_mpm_layer *layer = &g->layers[k];
    double least = sherd_mpm_least_mass(g, &def->solids[layer->body]);
    const sherd_vec3 *fall = &def->gravity;
    quad given = {def->dt * fall->x, def->dt * fall->y, def->dt * fall->z, 0.0};
    double flip = def->flip[layer->body];
    sums s = {0};
    for (int row = 0; row < SHERD_MPM_ROWS; ++row) {
        int first = row * SHERD_MPM_SIDE;
        if (layer->rows >> row & 1)
            for (int n = first; n < first + SHERD_MPM_SIDE; ++n)
                move_node(def, given, flip, least, g->loads[k].node[n], g->motion[k].node[n], &s);
        else if (layer->rows_before >> row & 1)
            clear_row(g, k, first);
    }
    layer->rows_before = 0;
    note_brought(g, k, &s), note_after(g, k, &s);
}

void SHERD_KERNEL(sherd_mpm_motion_energy)(sherd_mpm_grid *g, size_t k,
                                           const sherd_mpm_node_def *def)
{
    const sherd_vec3 *fall = &def->gravity;
    quad given = {def->dt * fall->x, def->dt * fall->y, def->dt * fall->z, 0.0};
    sums s = {0};
    for (int n = 0; n < SHERD_MPM_NODES; ++n) {
        if ((g->layers[k].rows >> n / SHERD_MPM_SIDE & 1) == 0) continue;
        const double(*load)[4] = g->loads[k].node[n];
        quad impulse = quad_load(load[1]) + load[0][0] * given;
        add_after(load[0][0], impulse, quad_load(g->motion[k].node[n][0]), &s);
    }
    note_after(g, k, &s);
}

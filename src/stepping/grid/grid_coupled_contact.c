#include "stepping/grid/grid_coupled_contact.h"

#include "base/memory.h"
#include "contact/contact_system.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "models/mpm/mpm_model.h"

static void set(double to[3], sherd_vec3 v)
{
    to[0] = v.x, to[1] = v.y, to[2] = v.z;
}

sherd_coupled_carrier sherd_coupled_carrier_of(const sherd_grid_coupling *g,
                                               const sherd_system *part,
                                               const sherd_grid_coupled_body *coupled)
{
    if (coupled->cloud >= 0) {
        const sherd_rigid_body *b =
            &part->contacts->obstacles[g->clouds[coupled->cloud].obstacle].body;
        return (sherd_coupled_carrier){b->centre,   b->velocity,        sherd_rigid_body_spin(b),
                                       b->rotation, b->properties.mass, b->properties.inertia};
    }
    const sherd_elements *e = &part->elements;
    sherd_element_index k = coupled->element;
    double inertia = sherd_element_inertia(e, k);
    return (sherd_coupled_carrier){
        sherd_element_position(e, k), sherd_element_velocity(e, k),
        sherd_element_spin(e, k),     (sherd_quat){e->qx[k], e->qy[k], e->qz[k], e->qw[k]},
        sherd_element_mass(e, k),     vec3(inertia, inertia, inertia)};
}

uint32_t sherd_coupled_body(const sherd_grid_coupling *g, const sherd_system *s,
                            const sherd_element_index *members,
                            const sherd_grid_coupled_body *coupled)
{
    if (coupled->cloud >= 0) return g->clouds[coupled->cloud].body;
    return s->points->piece[members[coupled->element]];
}

double sherd_coupled_surface(const void *context, const double x[3], double normal[3])
{
    sherd_vec3 n;
    double d = sherd_obstacle_distance_and_normal(context, vec3(x[0], x[1], x[2]), &n);
    set(normal, n);
    return d;
}

// Elements by their indices in the system, then free bodies.
static uint32_t id_of(const sherd_grid_coupling *g, const sherd_system *s,
                      const sherd_element_index *members, const sherd_grid_coupled_body *coupled)
{
    if (coupled->cloud < 0) return (uint32_t)members[coupled->element];
    return (uint32_t)s->elements.count + (uint32_t)g->clouds[coupled->cloud].obstacle;
}

bool sherd_grid_coupled_contact_begin(sherd_grid_coupling *g, const sherd_system *s,
                                      const sherd_system *part, const sherd_element_index *members)
{
    if (!sherd_grow((void **)&g->met, &g->met_capacity, g->count, sizeof *g->met)) return false;
    for (size_t k = 0; k < g->count; ++k) {
        sherd_grid_coupled_body *coupled = &g->list[k];
        sherd_coupled_carrier c = sherd_coupled_carrier_of(g, part, coupled);
        sherd_mpm_coupled_body *met = &g->met[k];
        *met = (sherd_mpm_coupled_body){.id = id_of(g, s, members, coupled),
                                        .body = sherd_coupled_body(g, s, members, coupled),
                                        .mass = c.mass};
        coupled->centre = c.centre, coupled->rotation = c.rotation;
        coupled->sprung = coupled->sprung_twist = (sherd_vec3){0};
        set(met->centre, c.centre);
        if (coupled->cloud < 0) {
            met->radius = sherd_element_radius(&part->elements, coupled->element);
            continue;
        }
        const sherd_obstacle *o = &part->contacts->obstacles[g->clouds[coupled->cloud].obstacle];
        g->surfaces[coupled->cloud] =
            (sherd_mpm_wall){.context = o, .distance = sherd_coupled_surface};
        sherd_grid_edges_give(&g->clouds[coupled->cloud].edges, &g->surfaces[coupled->cloud]);
        met->surface = &g->surfaces[coupled->cloud];
        met->radius = o->radius + vec3_length(vec3_sub(c.centre, o->pose.position));
    }
    g->samples.list = g->met, g->samples.list_count = g->count;
    return true;
}

// Motion from the start of the step to the present.
static void follow_coupling(sherd_grid_coupling *g, const sherd_system *part)
{
    for (size_t k = 0; k < g->count; ++k) {
        const sherd_grid_coupled_body *coupled = &g->list[k];
        sherd_mpm_coupled_body *met = &g->met[k];
        sherd_coupled_carrier c = sherd_coupled_carrier_of(g, part, coupled);
        sherd_quat rotation = quat_multiply(c.rotation, quat_conjugate(coupled->rotation));
        set(met->displacement, vec3_sub(c.centre, coupled->centre));
        for (int axis = 0; axis < 3; ++axis) {
            sherd_vec3 unit = vec3(axis == 0, axis == 1, axis == 2),
                       displacement = vec3_sub(quat_rotate(rotation, unit), unit);
            met->rotation[0][axis] = displacement.x, met->rotation[1][axis] = displacement.y,
            met->rotation[2][axis] = displacement.z;
        }
        set(met->impulse, (sherd_vec3){0}), set(met->angular_impulse, (sherd_vec3){0});
    }
}

void sherd_grid_coupled_contact_pull(sherd_system *s, const sherd_system *part, double dt)
{
    sherd_grid_coupling *g = s->coupling;
    follow_coupling(g, part);
    sherd_mpm_push_coupled(&s->points->m, dt);
    for (size_t k = 0; k < g->count; ++k) {
        sherd_grid_coupled_body *coupled = &g->list[k];
        const double *p = g->met[k].impulse, *t = g->met[k].angular_impulse;
        coupled->sprung = vec3_add(coupled->sprung, vec3(p[0], p[1], p[2]));
        coupled->sprung_twist = vec3_add(coupled->sprung_twist, vec3(t[0], t[1], t[2]));
    }
}

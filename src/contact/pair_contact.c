#include "contact/pair_contact.h"

enum {
    PAIR_CHUNK = 256,
    GATHER_CHUNK = 4096,    // elements
    SERIAL_PAIRS = 1024,    // up to so many touching pairs are scattered by one thread
    UNINDEXED_PAIRS = 1024, // so many new pairs may wait before the incidence is rebuilt
};

void sherd_contact_sums_add(sherd_contact_sums *total, const sherd_contact_sums *part)
{
    total->stored += part->stored;
    total->damped += part->damped;
    total->slid += part->slid;
    total->touching += part->touching;
}

size_t sherd_pair_chunks(const sherd_pair_list *list)
{
    return (list->count + PAIR_CHUNK - 1) / PAIR_CHUNK;
}

// Inverse mass; held elements don't answer.
static inline double inverse_mass(const sherd_elements *e, sherd_element_index k)
{
    return e->held[k] ? 0.0 : 1.0 / e->mass[k];
}

// [BDEM21] (22): k_r = k_n = E pi r^2 / (r_i + r_j) with the smaller radius, that of a bond.
static sherd_contact_law pair_law(const sherd_contact_pairing *pairing, double r_i, double r_j)
{
    double r = r_i < r_j ? r_i : r_j;
    return (sherd_contact_law){
        .stiffness = pairing->modulus * M_PI * r * r / (r_i + r_j),
        .friction = pairing->friction,
        .damping_ratio = pairing->damping_ratio,
        .tangential_damping = pairing->tangential_damping,
    };
}

// The contact point halves the overlap; both arms lie on the line of centres, so that torques and
// forces together leave the angular momentum as it was.
static sherd_contact_state pair_state(const sherd_elements *e, sherd_pair pair, sherd_vec3 d,
                                      double distance, sherd_pair_force *out)
{
    double overlap = e->radius[pair.i] + e->radius[pair.j] - distance;
    sherd_vec3 n = distance > 0.0 ? vec3_scale(1.0 / distance, d) : vec3(0.0, 0.0, 1.0);
    out->arm_i = e->radius[pair.i] - 0.5 * overlap;
    out->arm_j = e->radius[pair.j] - 0.5 * overlap;
    sherd_vec3 spin = vec3_add(vec3_scale(out->arm_i, sherd_element_spin(e, pair.i)),
                               vec3_scale(out->arm_j, sherd_element_spin(e, pair.j)));
    sherd_vec3 v = vec3_sub(sherd_element_velocity(e, pair.i), sherd_element_velocity(e, pair.j));
    double mass = 1.0 / (inverse_mass(e, pair.i) + inverse_mass(e, pair.j));
    return (sherd_contact_state){
        .overlap = overlap,
        .normal = n,
        .velocity = vec3_sub(v, vec3_cross(spin, n)), // (25), with the spins' share
        .mass = mass,
        .tangential_mass = mass / 3.5, // 1/m + r^2/I = 3.5/m of a solid sphere
    };
}

static void evaluate_pair(const sherd_pair_job *job, size_t c, sherd_contact_sums *sums)
{
    const sherd_elements *e = job->elements;
    sherd_pair pair = job->list->now.pairs[c];
    sherd_vec3 d = vec3(e->px[pair.i] - e->px[pair.j], e->py[pair.i] - e->py[pair.j],
                        e->pz[pair.i] - e->pz[pair.j]);
    double reach = e->radius[pair.i] + e->radius[pair.j], square = vec3_dot(d, d);
    if (square >= reach * reach && job->list->now.state[c] == 0) return;
    // Parts of one rigid body, or resting apart: nothing changes between them.
    bool asleep = e->asleep[pair.i] && e->asleep[pair.j];
    if (asleep && !(job->list->now.state[c] & SHERD_PAIR_TOUCHES)) return;

    sherd_pair_force *out = &job->list->now.force[c];
    sherd_contact_history *history = &job->list->now.history[c];
    const sherd_contact_pairing *pairing =
        &job->pairings[e->material[pair.i] * job->material_count + e->material[pair.j]];
    sherd_contact_law law = pair_law(pairing, e->radius[pair.i], e->radius[pair.j]);
    sherd_contact_state at = pair_state(e, pair, d, sqrt(square), out);
    sherd_contact_response response = contact_respond(&law, &at, history, job->dt);
    out->force = response.force;
    out->twist = vec3_cross(at.normal, response.tangential);
    bool touches = at.overlap > history->rest_overlap;
    job->list->now.state[c] =
        (uint8_t)((touches ? SHERD_PAIR_TOUCHES : 0) |
                  (contact_history_is_empty(history) ? 0 : SHERD_PAIR_REMEMBERS));
    sums->stored += response.stored;
    sums->damped += response.damped;
    sums->slid += response.slid;
    sums->touching += touches;
}

static void evaluate_chunk(void *context, size_t begin, size_t end)
{
    const sherd_pair_job *job = context;
    sherd_contact_sums sums = {0};
    for (size_t c = begin; c < end; ++c)
        evaluate_pair(job, c, &sums);
    job->chunk_sums[begin / PAIR_CHUNK] = sums;
}

sherd_contact_sums sherd_pair_evaluate(const sherd_pair_job *job)
{
    sherd_parallel_for(job->parallel, job->list->count, PAIR_CHUNK, evaluate_chunk, (void *)job);
    sherd_contact_sums total = {0};
    for (size_t c = 0; c < sherd_pair_chunks(job->list); ++c)
        sherd_contact_sums_add(&total, &job->chunk_sums[c]);
    return total;
}

// Adds sign * force and -arm * twist to element k.
static inline void add_load(sherd_elements *e, sherd_element_index k, double sign, double arm,
                            const sherd_pair_force *f)
{
    if (e->asleep[k]) return; // it rests, and what it rests on feels it
    e->fx[k] += sign * f->force.x;
    e->fy[k] += sign * f->force.y;
    e->fz[k] += sign * f->force.z;
    e->tx[k] -= arm * f->twist.x;
    e->ty[k] -= arm * f->twist.y;
    e->tz[k] -= arm * f->twist.z;
}

static void scatter_range(const sherd_pair_job *job, size_t begin, size_t end)
{
    const sherd_pair_list *list = job->list;
    for (size_t c = begin; c < end; ++c) {
        if (!(list->now.state[c] & SHERD_PAIR_TOUCHES)) continue;
        add_load(job->elements, list->now.pairs[c].i, 1.0, list->now.force[c].arm_i,
                 &list->now.force[c]);
        add_load(job->elements, list->now.pairs[c].j, -1.0, list->now.force[c].arm_j,
                 &list->now.force[c]);
    }
}

static void gather_chunk(void *context, size_t begin, size_t end)
{
    const sherd_pair_job *job = context;
    const sherd_pair_list *list = job->list;
    for (size_t k = begin; k < end; ++k) {
        for (uint32_t s = list->incident_start[k]; s < list->incident_start[k + 1]; ++s) {
            uint32_t c = list->incident[s] >> 1;
            if (!(list->now.state[c] & SHERD_PAIR_TOUCHES)) continue;
            const sherd_pair_force *f = &list->now.force[c];
            bool is_j = list->incident[s] & 1;
            add_load(job->elements, (sherd_element_index)k, is_j ? -1.0 : 1.0,
                     is_j ? f->arm_j : f->arm_i, f);
        }
    }
}

sherd_status sherd_pair_prepare_scatter(sherd_pair_list *list, sherd_element_index element_count,
                                        sherd_error *error)
{
    size_t waiting = list->count - list->incident_pairs;
    if (list->count <= SERIAL_PAIRS || waiting == 0) return SHERD_OK;
    if (list->incident_pairs > 0 && waiting <= UNINDEXED_PAIRS + list->count / 8) return SHERD_OK;
    return sherd_pair_list_index(list, element_count, error);
}

void sherd_pair_scatter(const sherd_pair_job *job, int64_t touching)
{
    const sherd_pair_list *list = job->list;
    if (touching == 0) return;
    if (touching <= SERIAL_PAIRS || list->incident_pairs == 0) {
        scatter_range(job, 0, list->count);
        return;
    }
    sherd_parallel_for(job->parallel, (size_t)job->elements->count, GATHER_CHUNK, gather_chunk,
                       (void *)job);
    scatter_range(job, list->incident_pairs, list->count);
}

#include "contact/rolling.h"

#include "base/assertion.h"
#include "base/error.h"
#include "base/memory.h"
#include "contact/contact_system.h"

// Normals of one contact before and after a step, or of two contacts with one obstacle.
static const double ALIKE = 0.9;

// ---------------------------------------------------------------- lists

bool sherd_rolling_is_used(const sherd_contacts *contacts)
{
    const size_t m = (size_t)contacts->material_count;
    for (size_t p = 0; p < m * m; ++p)
        if (contacts->pairings[p].rolling_friction > 0.0) return true;
    return false;
}

sherd_status sherd_rolling_begin(sherd_contacts *contacts, sherd_element_index element_count,
                                 sherd_error *error)
{
    sherd_rolling *r = &contacts->rolling;
    if (!sherd_rolling_is_used(contacts) || r->groups != NULL) return SHERD_OK;
    r->block_count = (element_count + SHERD_PAIR_BLOCK - 1) / SHERD_PAIR_BLOCK;
    r->obstacle_count = contacts->obstacle_count;
    r->groups = sherd_alloc((size_t)r->block_count + (size_t)r->obstacle_count, sizeof *r->groups);
    if (r->groups == NULL) return sherd_fail_memory(error, "rolling friction");
    r->used = true;
    return SHERD_OK;
}

static size_t group_count(const sherd_rolling *r)
{
    return (size_t)r->block_count + (size_t)r->obstacle_count;
}

void sherd_rolling_free(sherd_rolling *r)
{
    for (size_t g = 0; r->groups != NULL && g < group_count(r); ++g) {
        sherd_free(r->groups[g].last.at);
        sherd_free(r->groups[g].next.at);
    }
    sherd_free(r->groups);
    *r = (sherd_rolling){0};
}

size_t sherd_rolling_bytes(const sherd_rolling *r)
{
    size_t bytes = group_count(r) * sizeof *r->groups;
    for (size_t g = 0; g < group_count(r); ++g)
        bytes += (r->groups[g].last.capacity + r->groups[g].next.capacity) *
                 sizeof(sherd_rolling_contact);
    return bytes;
}

bool sherd_rolling_push(sherd_rolling_list *list, const sherd_rolling_contact *contact)
{
    if (!sherd_grow((void **)&list->at, &list->capacity, list->count + 1, sizeof *list->at))
        return false;
    list->at[list->count++] = *contact;
    return true;
}

static bool is_before(const sherd_rolling_contact *a, sherd_element_index i, sherd_element_index j)
{
    return a->i != i ? a->i < i : a->j < j;
}

// The contact of i and j whose normal is nearest, of those that do not continue yet.
static sherd_rolling_contact *find(const sherd_rolling_list *list, sherd_element_index i,
                                   sherd_element_index j, sherd_vec3 normal)
{
    sherd_rolling_contact *best = NULL;
    size_t low = 0, high = list->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (is_before(&list->at[middle], i, j))
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < list->count && list->at[low].i == i && list->at[low].j == j; ++low) {
        sherd_rolling_contact *c = &list->at[low];
        double alike = vec3_dot(c->history.normal, normal);
        if (c->continues || alike < ALIKE) continue;
        if (best == NULL || alike > vec3_dot(best->history.normal, normal)) best = c;
    }
    return best;
}

const sherd_rolling_history *sherd_rolling_find(const sherd_rolling_group *group,
                                                sherd_element_index i, sherd_element_index j,
                                                sherd_vec3 normal)
{
    const sherd_rolling_contact *found = find(&group->last, i, j, normal);
    return found != NULL ? &found->history : NULL;
}

// ---------------------------------------------------------------- one contact

typedef struct pass {
    sherd_contacts *contacts;
    sherd_points *points;
    double dt;
} pass;

// One side of a contact.
typedef struct side {
    sherd_vec3 spin;
    double inverse_inertia, weighted;
    bool asleep;
} side;

static side side_of_element(const pass *p, sherd_element_index k)
{
    const sherd_points *e = p->points;
    double inverse = e->held[k] ? 0.0 : 1.0 / sherd_point_inertia(e, k);
    return (side){sherd_point_spin(e, k), inverse,
                  fmax(1.0, (double)p->contacts->counts.last[k]) * inverse, e->asleep[k] != 0};
}

// The lightest axis of a free body counts.
static side side_of_obstacle(const sherd_obstacle *o)
{
    double inverse = 0.0;
    if (o->kind == SHERD_OBSTACLE_FREE) {
        sherd_vec3 inertia = o->body.properties.inertia;
        inverse = 1.0 / fmin(inertia.x, fmin(inertia.y, inertia.z));
    }
    return (side){o->kind == SHERD_OBSTACLE_FIXED ? vec3(0.0, 0.0, 0.0) : o->spin, inverse,
                  fmax(1.0, (double)o->touching) * inverse, true};
}

// Advances the history of `was` (NULL: none) to that of `now`. A contact whose sides rest asleep keeps it,
// without a couple.
static void roll(const pass *p, const sherd_rolling_law *law, const side *i, const side *j,
                 sherd_vec3 normal, double force, const sherd_rolling_contact *was,
                 sherd_rolling_contact *now, sherd_contact_sums *sums)
{
    if (was != NULL) now->history = was->history;
    if (i->asleep && j->asleep) {
        sums->stored += sherd_rolling_energy(law->stiffness, now->history.spring);
        return;
    }
    sherd_rolling_state at = {.normal = normal,
                              .spin = vec3_sub(i->spin, j->spin),
                              .twist = vec3_scale(0.5, vec3_add(i->spin, j->spin)),
                              .force = force,
                              .inverse_inertia = i->inverse_inertia + j->inverse_inertia,
                              .weighted_inverse = i->weighted + j->weighted};
    sherd_rolling_response response = sherd_rolling_respond(law, &at, &now->history, p->dt);
    sums->stored += response.stored;
    sums->damped += response.damped;
    sums->slid += response.slid;
}

static void end(const pass *p, double stiffness, const sherd_rolling_history *was, const side *i,
                const side *j, sherd_contact_sums *sums)
{
    sums->slid += sherd_rolling_loss(stiffness, was, vec3_sub(i->spin, j->spin), p->dt);
}

static void add_torque(const pass *p, sherd_element_index k, double sign, sherd_vec3 torque)
{
    const sherd_vec3 none = {0.0, 0.0, 0.0};
    if (!p->points->asleep[k]) sherd_point_add_load(p->points, k, none, vec3_scale(sign, torque));
}

static double normal_force(const sherd_contact_history *h)
{
    return (double)h->pressing + (double)h->damping;
}

// ---------------------------------------------------------------- pairs

static sherd_rolling_law pair_law(const pass *p, sherd_element_index i, sherd_element_index j)
{
    const sherd_contacts *c = p->contacts;
    const sherd_points *e = p->points;
    const sherd_contact_pairing *pairing =
        &c->pairings[sherd_point_material(e, i) * c->material_count + sherd_point_material(e, j)];
    return sherd_rolling_pair_law(pairing, sherd_point_radius(e, i), sherd_point_radius(e, j));
}

static void end_pairs(const pass *p, sherd_rolling_group *g, size_t *from, sherd_element_index i,
                      sherd_element_index j)
{
    for (; *from < g->last.count && is_before(&g->last.at[*from], i, j); ++*from) {
        const sherd_rolling_contact *was = &g->last.at[*from];
        side a = side_of_element(p, was->i), b = side_of_element(p, was->j);
        end(p, pair_law(p, was->i, was->j).stiffness, &was->history, &a, &b, &g->sums);
    }
}

static bool roll_pair(const pass *p, sherd_rolling_group *g, size_t *from, sherd_element_index i,
                      sherd_element_index j, const sherd_contact_history *contact)
{
    end_pairs(p, g, from, i, j);
    const sherd_rolling_contact *was = *from < g->last.count ? &g->last.at[*from] : NULL;
    if (was != NULL && (was->i != i || was->j != j)) was = NULL;
    *from += was != NULL;
    sherd_rolling_law law = pair_law(p, i, j);
    if (!(law.arm > 0.0)) return true;
    side a = side_of_element(p, i), b = side_of_element(p, j);
    sherd_vec3 d = vec3_sub(sherd_point_position(p->points, i), sherd_point_position(p->points, j));
    double distance = vec3_length(d);
    sherd_vec3 n = distance > 0.0 ? vec3_scale(1.0 / distance, d) : vec3(0.0, 0.0, 1.0);
    bool rests = a.asleep && b.asleep, elsewhere = sherd_pair_block_of(j) != sherd_pair_block_of(i);
    sherd_rolling_contact now = {.i = i, .j = j, .elsewhere = elsewhere && !rests};
    roll(p, &law, &a, &b, n, normal_force(contact), was, &now, &g->sums);
    if (!rests) add_torque(p, i, 1.0, now.history.torque);
    if (!rests && !elsewhere) add_torque(p, j, -1.0, now.history.torque);
    return sherd_rolling_push(&g->next, &now);
}

static void roll_block(const pass *p, int32_t b)
{
    const sherd_pair_list *list = &p->contacts->list;
    sherd_rolling_group *g = &p->contacts->rolling.groups[b];
    g->next.count = 0;
    g->sums = (sherd_contact_sums){.touching = 0};
    size_t from = 0;
    const sherd_pair_block *block = b < list->block_count ? &list->blocks[b] : NULL;
    for (int32_t row = 0; block != NULL && block->pair_count > 0 && row < block->own_count; ++row)
        for (int32_t at = block->start[row]; at < block->start[row + 1]; ++at) {
            int32_t slot = block->slot[at];
            if (slot < 0 || block->touches[slot] != SHERD_TOUCH_ROUND) continue;
            if (!roll_pair(p, g, &from, block->member[row], block->member[block->partner[at]],
                           &block->history[slot]))
                g->failed = true;
        }
    end_pairs(p, g, &from, INT32_MAX, 0);
}

static void roll_blocks(void *context, size_t begin, size_t end_block)
{
    for (size_t b = begin; b < end_block; ++b)
        roll_block(context, (int32_t)b);
}

// ---------------------------------------------------------------- obstacles

static sherd_rolling_law face_law(const pass *p, const sherd_obstacle *o, sherd_element_index k)
{
    return sherd_rolling_face_law(&o->pairings[sherd_point_material(p->points, k)],
                                  sherd_point_radius(p->points, k));
}

static bool roll_on(const pass *p, sherd_obstacle *o, sherd_rolling_group *g, size_t c)
{
    sherd_element_index k = o->contacts.element[c];
    const sherd_obstacle_history *h = &o->contacts.history[c];
    sherd_rolling_law law = face_law(p, o, k);
    if (!(law.arm > 0.0)) return true;
    side a = side_of_element(p, k), b = side_of_obstacle(o);
    sherd_rolling_contact *was = find(&g->last, k, -1, h->normal);
    if (was != NULL) was->continues = true;
    sherd_rolling_contact now = {.i = k, .j = -1};
    roll(p, &law, &a, &b, h->normal, normal_force(&h->contact), was, &now, &g->sums);
    if (!a.asleep) {
        add_torque(p, k, 1.0, now.history.torque);
        o->torque = vec3_sub(o->torque, now.history.torque);
    }
    return sherd_rolling_push(&g->next, &now);
}

static void roll_obstacle(const pass *p, int number)
{
    sherd_obstacle *o = &p->contacts->obstacles[number];
    sherd_rolling_group *g = sherd_rolling_of_obstacle(&p->contacts->rolling, number);
    g->next.count = 0;
    g->sums = (sherd_contact_sums){.touching = 0};
    for (size_t c = 0; c < o->contacts.count; ++c)
        if ((o->contacts.state[c] & SHERD_PAIR_TOUCHES) != 0 && !roll_on(p, o, g, c))
            g->failed = true;
    for (size_t l = 0; l < g->last.count; ++l) {
        const sherd_rolling_contact *was = &g->last.at[l];
        if (was->continues) continue;
        side a = side_of_element(p, was->i), b = side_of_obstacle(o);
        end(p, face_law(p, o, was->i).stiffness, &was->history, &a, &b, &g->sums);
    }
}

// ---------------------------------------------------------------- all contacts

// What a block does to elements of later ones, in the order of blocks.
static void load_others(const pass *p, const sherd_rolling_list *list)
{
    for (size_t c = 0; c < list->count; ++c)
        if (list->at[c].elsewhere) add_torque(p, list->at[c].j, -1.0, list->at[c].history.torque);
}

void sherd_rolling_apply(sherd_contacts *contacts, sherd_points *points, double dt,
                         sherd_contact_sums *sums)
{
    sherd_rolling *r = &contacts->rolling;
    if (!r->used) return;
    pass p = {contacts, points, dt};
    sherd_parallel_for(&contacts->parallel, (size_t)r->block_count, 1, roll_blocks, &p);
    for (int32_t b = 0; b < r->block_count; ++b)
        load_others(&p, &r->groups[b].next);
    for (int o = 0; o < r->obstacle_count; ++o)
        roll_obstacle(&p, o);
    for (size_t g = 0; g < group_count(r); ++g) {
        sherd_rolling_group *group = &r->groups[g];
        sherd_rolling_list last = group->last;
        group->last = group->next;
        group->next = last;
        contact_sums_add(sums, &group->sums);
        r->failed |= group->failed;
    }
}

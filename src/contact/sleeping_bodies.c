// Contact with sleeping bodies: bounds of their motion, and their neighbours.
#include "contact/sleeping_bodies.h"

#include "contact/contact_system.h"

void sherd_contacts_set_sleepers(sherd_contacts *contacts, const sherd_sleepers *sleepers)
{
    contacts->sleepers = sleepers;
}

void sherd_contacts_woke(sherd_contacts *contacts, const sherd_sleeper *sleeper)
{
    sherd_displacement_forget(&contacts->tracker);
    if (sleeper->isolation > 0.0) contacts->searched = false;
}

bool sherd_contacts_take_changed(sherd_contacts *contacts)
{
    bool changed = contacts->lists_changed;
    contacts->lists_changed = false;
    return changed;
}

static void mark(const int32_t *group, sherd_element_index k, uint8_t *near)
{
    if (group[k] >= 0) near[group[k]] = 1;
}

void sherd_contacts_mark_near(const sherd_contacts *contacts, const int32_t *group, uint8_t *near)
{
    const sherd_pair_list *list = &contacts->list;
    for (sherd_pair_cursor at = {0}; sherd_pair_list_next(list, &at);) {
        sherd_pair pair = at.pair;
        bool inside = group[pair.i] == group[pair.j];
        if (inside && !sherd_pair_touches(list, &at)) continue;
        mark(group, pair.i, near);
        mark(group, pair.j, near);
    }
    for (int o = 0; o < contacts->obstacle_count; ++o) {
        const sherd_obstacle_contacts *listed = &contacts->obstacles[o].contacts;
        for (size_t c = 0; c < listed->count; ++c)
            mark(group, listed->element[c], near);
    }
}

bool sherd_contacts_nothing_near(const sherd_contacts *contacts)
{
    for (int o = 0; o < contacts->obstacle_count; ++o)
        if (contacts->obstacles[o].contacts.count > 0) return false;
    for (sherd_pair_cursor at = {0}; sherd_pair_list_next(&contacts->list, &at);)
        if (sherd_pair_touches(&contacts->list, &at)) return false;
    return true;
}

static bool is_at_rest(const sherd_sleepers *sleepers, sherd_element_index k)
{
    int32_t s = sleepers->of[k];
    return s >= 0 && sleepers->list[s].is_at_rest;
}

static void mark_obstacle(const sherd_contacts *c, const sherd_obstacle *o, uint8_t *near)
{
    const sherd_sleepers *sleepers = c->sleepers;
    for (size_t k = 0; k < o->contacts.count; ++k) {
        sherd_element_index at = o->contacts.element[k];
        if (o->kind == SHERD_OBSTACLE_FIXED && is_at_rest(sleepers, at)) continue;
        mark(sleepers->of, at, near);
    }
}

void sherd_contacts_mark_disturbed(const sherd_contacts *contacts, uint8_t *near)
{
    const sherd_sleepers *sleepers = contacts->sleepers;
    const sherd_pair_list *list = &contacts->list;
    for (sherd_pair_cursor at = {0}; sherd_pair_list_next(list, &at);) {
        sherd_pair pair = at.pair;
        bool inside = sleepers->of[pair.i] == sleepers->of[pair.j];
        if (inside && !sherd_pair_touches(list, &at)) continue;
        if (is_at_rest(sleepers, pair.i) && is_at_rest(sleepers, pair.j)) continue;
        mark(sleepers->of, pair.i, near);
        mark(sleepers->of, pair.j, near);
    }
    for (int o = 0; o < contacts->obstacle_count; ++o)
        mark_obstacle(contacts, &contacts->obstacles[o], near);
}

static int32_t find_island(int32_t *island, int32_t k)
{
    while (island[k] != k) {
        island[k] = island[island[k]]; // path halving
        k = island[k];
    }
    return k;
}

void sherd_contacts_join_islands(const sherd_contacts *contacts, const int32_t *group,
                                 int32_t *island, uint8_t *near_moving)
{
    const sherd_pair_list *list = &contacts->list;
    for (sherd_pair_cursor at = {0}; sherd_pair_list_next(list, &at);) {
        int32_t i = find_island(island, group[at.pair.i]);
        int32_t j = find_island(island, group[at.pair.j]);
        if (i < j)
            island[j] = i;
        else
            island[i] = j;
    }
    for (int o = 0; o < contacts->obstacle_count; ++o) {
        const sherd_obstacle_contacts *listed = &contacts->obstacles[o].contacts;
        for (size_t c = 0; c < listed->count; ++c)
            if (contacts->obstacles[o].kind != SHERD_OBSTACLE_FIXED)
                near_moving[group[listed->element[c]]] = 1;
    }
}

void sherd_contacts_see_sleeper(const sherd_contacts *c, const sherd_points *e,
                                sherd_sleeper *sleeper)
{
    sleeper->search_centre = sleeper->centre;
    sleeper->search_elapsed = c->margins.elapsed;
    sleeper->margin_left = INFINITY;
    sleeper->range =
        (sherd_bounds){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    sherd_vec3 shift = sherd_verlet_skin_shift(&c->margins);
    for (sherd_element_index m = 0; m < sleeper->count; ++m) {
        sherd_element_index k = sleeper->member[m];
        sherd_vec3 p = sherd_point_position(e, k);
        sherd_vec3 listed = vec3(c->margins.x[k], c->margins.y[k], c->margins.z[k]);
        double moved = vec3_distance(p, vec3_add(listed, shift));
        sleeper->margin_left = fmin(sleeper->margin_left, c->margins.margin[k] - moved);
        sherd_vec3 since = vec3_sub(p, vec3(c->search_x[k], c->search_y[k], c->search_z[k]));
        sleeper->range.low = vec3_min(sleeper->range.low, since);
        sleeper->range.high = vec3_max(sleeper->range.high, since);
    }
}

static bool may_be_near(const sherd_contacts *c, const sherd_sleeper *s, double reach)
{
    if (s->isolation > 0.0) {
        sherd_vec3 from = vec3_add(s->isolated_at, sherd_verlet_skin_shift(&c->margins));
        return vec3_distance(s->centre, from) > s->isolation;
    }
    double elapsed = c->margins.elapsed - s->search_elapsed;
    sherd_vec3 from = vec3_add_scaled(s->search_centre, elapsed, c->margins.drift);
    return vec3_distance(s->centre, from) + reach > s->margin_left;
}

bool sherd_contacts_bound_sleeper(const sherd_contacts *c, const sherd_sleeper *sleeper,
                                  sherd_bounds *displacements)
{
    double reach = (c->margins.elapsed - sleeper->search_elapsed) * sleeper->rim_speed;
    sherd_vec3 shift = vec3_sub(sleeper->centre, sleeper->search_centre);
    sherd_vec3 all = vec3(reach, reach, reach);
    sherd_vec3 low = vec3_sub(vec3_add(sleeper->range.low, shift), all);
    sherd_vec3 high = vec3_add(vec3_add(sleeper->range.high, shift), all);
    displacements->low = vec3_min(displacements->low, low);
    displacements->high = vec3_max(displacements->high, high);
    return may_be_near(c, sleeper, reach);
}

#include "models/mpm/surface/mpm_broad_phase.h"

#include "base/assertion.h"
#include "base/memory.h"
#include "base/sort.h"
#include "models/mpm/grid/mpm_axes.h"

#include <math.h>
#include <stdlib.h>

enum { AXES = 3, CELL_BITS = 21, MAX_NEAR = 256 };

// Approach of sites after which the lists are built again [spacing]
static const double MARGIN = 0.5;

void sherd_mpm_candidates_free(sherd_mpm_candidates *n)
{
    sherd_free(n->list), sherd_free(n->others);
    sherd_free(n->first_of_coupled), sherd_free(n->of_coupled);
    sherd_free(n->edges), sherd_free(n->of_edges);
    *n = (sherd_mpm_candidates){0};
}

// ---------------------------------------------------------------- sites

// Whether a page shares a block with other bodies, or is near a wall.
static bool is_shared(const sherd_mpm_grid *g, const sherd_mpm_page *page)
{
    for (int part = 0; part < SHERD_MPM_PARTS; ++part)
        if (g->layers[page->layer[part]].moments >= 0) return true;
    return false;
}

static int by_site(const void *a, const void *b)
{
    uint32_t one = ((const sherd_mpm_candidate_site *)a)->site,
             other = ((const sherd_mpm_candidate_site *)b)->site;
    return (one > other) - (one < other);
}

static bool list_sites(sherd_mpm_candidates *n, const sherd_mpm_body_surface *surface,
                       const sherd_mpm_grid *g, const sherd_mpm_points *p)
{
    n->count = 0;
    for (size_t k = 0; k < g->page_count; ++k) {
        const sherd_mpm_page *page = &g->pages[k];
        if (!is_shared(g, page)) continue;
        for (size_t at = page->begin; at < page->end; ++at) {
            int32_t site = p->number[at] < 0 ? -1 : surface->site_of[p->number[at]];
            if (site < 0 || surface->sites[site].sides == 0) continue;
            if (!sherd_grow((void **)&n->list, &n->room, n->count + 2, sizeof *n->list))
                return false;
            n->list[n->count++] =
                (sherd_mpm_candidate_site){(uint32_t)site, (uint32_t)k,
                                           page->body,     0,
                                           false,          {p->x[0][at], p->x[1][at], p->x[2][at]}};
        }
    }
    if (n->count > 0) qsort(n->list, n->count, sizeof *n->list, by_site);
    for (size_t k = 1; k < n->count; ++k)
        SHERD_ASSERT(n->list[k - 1].site < n->list[k].site, "each site is a candidate once");
    return true;
}

// ---------------------------------------------------------------- what they meet

typedef struct search {
    sherd_mpm_candidates *candidates;
    const sherd_mpm_body_surface *surface;
    const sherd_mpm_grid *grid;
    const sherd_mpm_points *points;
    const sherd_mpm_coupling *coupling; // NULL: none
    sherd_sort_pair *cells;             // cells with their sites
    double low[AXES], high[AXES], cell;
} search;

static void middle_of(const search *s, size_t k, double x[AXES])
{
    int32_t number = s->surface->sites[s->candidates->list[k].site].number;
    for (int axis = 0; axis < AXES; ++axis)
        x[axis] = s->points->x[axis][s->surface->place[number]];
}

static uint64_t key_of(const int64_t cell[AXES])
{
    return (uint64_t)cell[0] | (uint64_t)cell[1] << CELL_BITS |
           (uint64_t)cell[2] << (2 * CELL_BITS);
}

// Integer coordinates of a cell, from 1 on, so that those of neighbouring cells are not negative.
static void cell_of(const search *s, const double x[AXES], int64_t cell[AXES])
{
    for (int axis = 0; axis < AXES; ++axis)
        cell[axis] = 1 + (int64_t)((x[axis] - s->low[axis]) / s->cell);
}

static bool sort_cells(search *s)
{
    sherd_mpm_candidates *n = s->candidates;
    for (int axis = 0; axis < AXES; ++axis)
        s->low[axis] = INFINITY, s->high[axis] = -INFINITY;
    for (size_t k = 0; k < n->count; ++k) {
        double x[AXES];
        middle_of(s, k, x);
        for (int axis = 0; axis < AXES; ++axis)
            s->low[axis] = fmin(s->low[axis], x[axis]),
            s->high[axis] = fmax(s->high[axis], x[axis]);
    }
    for (size_t k = 0; k < n->count; ++k) {
        double x[AXES];
        int64_t cell[AXES];
        middle_of(s, k, x);
        cell_of(s, x, cell);
        s->cells[k] = (sherd_sort_pair){key_of(cell), (uint32_t)k};
    }
    return sherd_sort_pairs(s->cells, n->count);
}

static bool is_beside(const search *s, const double x[AXES], size_t other)
{
    double y[AXES];
    middle_of(s, other, y);
    for (int axis = 0; axis < AXES; ++axis)
        if (!(fabs(x[axis] - y[axis]) <= s->cell)) return false;
    return true;
}

static int by_body(const void *a, const void *b)
{
    uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;
    return (one > other) - (one < other);
}

// Finds sites of other bodies near a site, sorted by body. There are at most MAX_NEAR, more than
// 5^3 cubes of two or three bodies.
static int find_sites(const search *s, size_t k, uint64_t found[MAX_NEAR])
{
    const sherd_mpm_candidates *n = s->candidates;
    double x[AXES];
    int64_t cell[AXES], row[AXES];
    int count = 0;
    middle_of(s, k, x);
    cell_of(s, x, cell);
    for (int at = 0; at < 9; ++at) {
        row[0] = cell[0] - 1, row[1] = cell[1] + at % 3 - 1, row[2] = cell[2] + at / 3 - 1;
        uint64_t last = key_of(row) + 2;
        for (size_t m = sherd_sort_place(s->cells, n->count, key_of(row));
             m < n->count && s->cells[m].key <= last; ++m) {
            uint32_t other = s->cells[m].value, body = n->list[other].body;
            if (body != n->list[k].body && count < MAX_NEAR && is_beside(s, x, other))
                found[count++] = (uint64_t)body << 32 | other;
        }
    }
    qsort(found, (size_t)count, sizeof *found, by_body);
    return count;
}

// Finds walls near a page, by their distances from the middle of its cells.
static int find_walls(const search *s, const sherd_mpm_page *page, double radius, int most,
                      int found[])
{
    double middle[AXES], normal[AXES], h = s->grid->h;
    int count = 0;
    for (int axis = 0; axis < AXES; ++axis)
        middle[axis] = h * (SHERD_MPM_SIDE * (double)page->block[axis] + 2.0);
    for (int w = 0; s->grid->walls != NULL && w < s->grid->walls->count && count < most; ++w) {
        const sherd_mpm_wall *wall = &s->grid->walls->list[w];
        if (!wall->sticky && wall->distance(wall->context, middle, normal) < radius)
            found[count++] = w;
    }
    return count;
}

static bool touches_soon(const search *s, size_t k, int w)
{
    const sherd_mpm_wall *wall = &s->grid->walls->list[w];
    double x[AXES], normal[AXES];
    middle_of(s, k, x);
    return wall->distance(wall->context, x, normal) < s->cell;
}

// ---------------------------------------------------------------- coupled bodies

// Pairs of a site and a coupled body that may touch.
typedef struct met_coupling {
    sherd_sort_pair *pairs;
    size_t count, room;
} met_coupling;

static bool touches_coupled(const search *s, size_t site, const sherd_mpm_coupled_body *coupled)
{
    double x[AXES], normal[AXES], sum = 0.0;
    middle_of(s, site, x);
    for (int axis = 0; axis < AXES; ++axis)
        sum += (x[axis] - coupled->centre[axis]) * (x[axis] - coupled->centre[axis]);
    if (sqrt(sum) > coupled->radius + s->cell) return false;
    return coupled->surface == NULL ||
           coupled->surface->distance(coupled->surface->context, x, normal) < s->cell;
}

static bool add_met(const search *s, uint32_t site, size_t coupled, met_coupling *met)
{
    sherd_mpm_candidates *n = s->candidates;
    if (!touches_coupled(s, site, &s->coupling->list[coupled])) return true;
    size_t count = n->first_of_coupled[coupled + 1];
    if (!sherd_grow((void **)&n->of_coupled, &n->of_coupled_room, count + 1,
                    sizeof *n->of_coupled) ||
        !sherd_grow((void **)&met->pairs, &met->room, met->count + 1, sizeof *met->pairs))
        return false;
    n->of_coupled[count] = (uint64_t)n->list[site].body << 32 | site;
    n->first_of_coupled[coupled + 1] = count + 1;
    n->list[site].wanted = true;
    met->pairs[met->count++] = (sherd_sort_pair){(uint64_t)site << 32 | coupled, (uint32_t)coupled};
    return true;
}

// Finds the sites that a coupled body may touch, by rows of cells, or among all sites if these are
// fewer.
static bool meet_coupled(const search *s, size_t coupled, met_coupling *met)
{
    const sherd_mpm_coupled_body *g = &s->coupling->list[coupled];
    const sherd_mpm_candidates *n = s->candidates;
    double reach = g->radius + s->cell, across = 2.0 * reach / s->cell + 2.0;
    if (across * across > (double)n->count) {
        for (size_t k = 0; k < n->count; ++k)
            if (!add_met(s, (uint32_t)k, coupled, met)) return false;
        return true;
    }
    int64_t low[AXES], high[AXES];
    for (int axis = 0; axis < AXES; ++axis) {
        double from = (g->centre[axis] - reach - s->low[axis]) / s->cell,
               to = (g->centre[axis] + reach - s->low[axis]) / s->cell, most = 1 << (CELL_BITS - 1);
        if (to < 0.0 || from > most) return true;
        low[axis] = 1 + (int64_t)fmax(from, 0.0), high[axis] = 1 + (int64_t)fmin(to, most);
    }
    for (int64_t z = low[2]; z <= high[2]; ++z)
        for (int64_t y = low[1]; y <= high[1]; ++y) {
            uint64_t last = key_of((const int64_t[AXES]){high[0], y, z});
            for (size_t m = sherd_sort_place(s->cells, n->count,
                                             key_of((const int64_t[AXES]){low[0], y, z}));
                 m < n->count && s->cells[m].key <= last; ++m)
                if (!add_met(s, s->cells[m].value, coupled, met)) return false;
        }
    return true;
}

static bool list_coupling(const search *s, met_coupling *met)
{
    sherd_mpm_candidates *n = s->candidates;
    n->coupled_count = s->coupling != NULL ? s->coupling->list_count : 0;
    if (!sherd_grow((void **)&n->first_of_coupled, &n->coupled_room, n->coupled_count + 1,
                    sizeof *n->first_of_coupled))
        return false;
    n->first_of_coupled[0] = 0;
    for (size_t k = 0; k < n->coupled_count; ++k) {
        n->first_of_coupled[k + 1] = n->first_of_coupled[k];
        if (!meet_coupled(s, k, met)) return false;
        size_t first = n->first_of_coupled[k], count = n->first_of_coupled[k + 1] - first;
        if (count > 1) qsort(&n->of_coupled[first], count, sizeof *n->of_coupled, by_body);
    }
    return sherd_sort_pairs(met->pairs, met->count);
}

// ---------------------------------------------------------------- edges

static bool is_within(const search *s, const double x[AXES])
{
    for (int axis = 0; axis < AXES; ++axis)
        if (x[axis] < s->low[axis] - s->cell || x[axis] > s->high[axis] + s->cell) return false;
    return true;
}

// Adds the sites near a point of an edge.
static bool add_beside(const search *s, const double x[AXES], size_t *count)
{
    sherd_mpm_candidates *n = s->candidates;
    int64_t cell[AXES], row[AXES];
    for (int axis = 0; axis < AXES; ++axis)
        cell[axis] = 1 + (int64_t)floor((x[axis] - s->low[axis]) / s->cell);
    for (int at = 0; at < 9; ++at) {
        row[0] = cell[0] - 1, row[1] = cell[1] + at % 3 - 1, row[2] = cell[2] + at / 3 - 1;
        if (row[1] < 0 || row[2] < 0) continue;
        row[0] = row[0] < 0 ? 0 : row[0];
        int64_t end[AXES] = {cell[0] + 1, row[1], row[2]};
        for (size_t m = sherd_sort_place(s->cells, n->count, key_of(row));
             m < n->count && s->cells[m].key <= key_of(end); ++m) {
            uint32_t site = s->cells[m].value;
            if (!is_beside(s, x, site)) continue;
            if (!sherd_grow((void **)&n->of_edges, &n->of_edge_room, *count + 1,
                            sizeof *n->of_edges))
                return false;
            n->of_edges[(*count)++] = (uint64_t)n->list[site].body << 32 | site;
            n->list[site].wanted = true;
        }
    }
    return true;
}

static bool list_edges_of(const search *s, const sherd_mpm_wall *wall, uint32_t owner,
                          size_t *count)
{
    sherd_mpm_candidates *n = s->candidates;
    double origin[AXES], axes[AXES][AXES];
    if (wall->edge_count == 0) return true;
    wall->frame(wall->context, origin, axes);
    for (size_t k = 0; k < wall->edge_count; ++k) {
        double x[AXES];
        size_t first = *count;
        for (int axis = 0; axis < AXES; ++axis)
            x[axis] = origin[axis] + sherd_axes_dot(axes[axis], wall->edges[k].at);
        if (!is_within(s, x)) continue;
        if (!add_beside(s, x, count)) return false;
        if (*count == first) continue;
        if (!sherd_grow((void **)&n->edges, &n->edge_room, n->edge_count + 2, sizeof *n->edges))
            return false;
        qsort(&n->of_edges[first], *count - first, sizeof *n->of_edges, by_body);
        n->edges[n->edge_count++] = (sherd_mpm_candidate_edge){owner, (uint32_t)k, first};
    }
    return true;
}

static bool list_edges(const search *s)
{
    sherd_mpm_candidates *n = s->candidates;
    size_t count = 0;
    bool ok = sherd_grow((void **)&n->edges, &n->edge_room, 1, sizeof *n->edges);
    for (int w = 0; ok && s->grid->walls != NULL && w < s->grid->walls->count; ++w)
        ok = s->grid->walls->list[w].sticky ||
             list_edges_of(s, &s->grid->walls->list[w], SHERD_MPM_PARTNER_WALL | (uint32_t)w,
                           &count);
    n->wall_edge_count = n->edge_count;
    for (size_t k = 0; ok && k < n->coupled_count; ++k) {
        const sherd_mpm_wall *surface = s->coupling->list[k].surface;
        ok = surface == NULL ||
             list_edges_of(s, surface, SHERD_MPM_PARTNER_COUPLED | (uint32_t)k, &count);
    }
    if (ok) n->edges[n->edge_count].first = count;
    return ok;
}

// ---------------------------------------------------------------- all

static bool add(sherd_mpm_candidates *n, uint32_t other)
{
    if (!sherd_grow((void **)&n->others, &n->other_room, n->other_count + 1, sizeof *n->others))
        return false;
    n->others[n->other_count++] = other;
    return true;
}

static bool list_others(search *s, const met_coupling *met)
{
    enum { MAX_WALLS = 1024 };
    sherd_mpm_candidates *n = s->candidates;
    uint64_t found[MAX_NEAR];
    int walls[MAX_WALLS], wall_count = 0;
    uint32_t page = UINT32_MAX;
    // Largest distance of a page's points from its middle: sqrt(3) (2 + 1/2) cells.
    double radius = 4.4 * s->grid->h + s->cell;
    size_t met_at = 0;
    n->other_count = 0;
    for (size_t k = 0; k < n->count; ++k) {
        sherd_mpm_candidate_site *site = &n->list[k];
        site->first = n->other_count;
        int count = find_sites(s, k, found);
        for (int m = 0; m < count; ++m) {
            n->list[(uint32_t)found[m]].wanted = true;
            if (!add(n, (uint32_t)found[m])) return false;
        }
        for (; met_at < met->count && met->pairs[met_at].key >> 32 == k; ++met_at)
            if (!add(n, SHERD_MPM_PARTNER_COUPLED | met->pairs[met_at].value)) return false;
        if (site->page != page) {
            page = site->page;
            wall_count = find_walls(s, &s->grid->pages[page], radius, MAX_WALLS, walls);
        }
        for (int m = 0; m < wall_count; ++m)
            if (touches_soon(s, k, walls[m]) &&
                !add(n, SHERD_MPM_PARTNER_WALL | (uint32_t)walls[m]))
                return false;
        site->wanted = site->wanted || n->other_count > site->first;
    }
    n->list[n->count].first = n->other_count;
    return true;
}

// Largest displacement of a site along an axis since the lists were built [m].
static double farthest(const sherd_mpm_candidates *n, const sherd_mpm_body_surface *surface,
                       const sherd_mpm_points *p)
{
    double most = 0.0;
    for (size_t k = 0; k < n->count; ++k) {
        int32_t place = surface->place[surface->sites[n->list[k].site].number];
        for (int axis = 0; axis < AXES; ++axis) {
            double way = fabs(p->x[axis][place] - n->list[k].from[axis]);
            most = way > most ? way : most;
        }
    }
    return most;
}

bool sherd_mpm_candidates_find(sherd_mpm_candidates *n, const sherd_mpm_body_surface *surface,
                               const sherd_mpm_grid *grid, const sherd_mpm_points *points,
                               const sherd_mpm_coupling *coupling, double walls)
{
    double spacing = surface->lattice->spacing;
    n->walls += walls;
    if (n->made && 2.0 * farthest(n, surface, points) + n->walls <= MARGIN * spacing) return true;
    n->walls = 0.0, n->made = false;
    if (!list_sites(n, surface, grid, points)) return false;
    n->coupled_count = n->edge_count = n->wall_edge_count = 0;
    if (n->count == 0) {
        n->made = true;
        return true;
    }
    search s = {n,      surface,  grid,
                points, coupling, sherd_alloc(n->count, sizeof *s.cells),
                {0.0},  {0.0},    (SHERD_MPM_CANDIDATE_REACH + MARGIN) * spacing};
    met_coupling met = {0};
    bool ok = s.cells != NULL && sort_cells(&s) && list_coupling(&s, &met) &&
              list_others(&s, &met) && list_edges(&s);
    sherd_free(s.cells), sherd_free(met.pairs);
    n->made = ok;
    for (size_t k = 0; k < n->count && ok; ++k)
        SHERD_ASSERT(n->list[k].first <= n->list[k + 1].first,
                     "partners of sites follow each other");
    return ok;
}

#include "models/mpm/mpm_record.h"

#include "base/error.h"
#include "base/memory.h"
#include "models/mpm/glue/mpm_glue_law.h"
#include "models/mpm/grid/mpm_traversal.h"

#include <math.h>
#include <string.h>

static const sherd_row_member STATE[] = {
    SHERD_MEMBER(sherd_mpm, dt),
    SHERD_MEMBER(sherd_mpm, time),
    SHERD_MEMBER(sherd_mpm, moved),
    SHERD_MEMBER(sherd_mpm, sorted),
    SHERD_MEMBER(sherd_mpm, unsolved_nodes),
    SHERD_NAMED_MEMBER(sherd_mpm, accounts.plastic, "plastic"),
    SHERD_NAMED_MEMBER(sherd_mpm, accounts.contact, "contact"),
    SHERD_NAMED_MEMBER(sherd_mpm, accounts.friction, "friction"),
    SHERD_NAMED_MEMBER(sherd_mpm, accounts.transfer, "transfer"),
    SHERD_NAMED_MEMBER(sherd_mpm, accounts.work, "work"),
    SHERD_NAMED_MEMBER(sherd_mpm, accounts.after, "after"),
    SHERD_NAMED_MEMBER(sherd_mpm, accounts.offset, "offset"),
    SHERD_NAMED_MEMBER(sherd_mpm, accounts.start, "start"),
    SHERD_NAMED_MEMBER(sherd_mpm, accounts.given, "given"),
    SHERD_NAMED_MEMBER(sherd_mpm, accounts.carried, "carried"),
    SHERD_MEMBER(sherd_mpm, rate_age),
    SHERD_NAMED_MEMBER(sherd_mpm, unresolved, "unseen"),
    SHERD_MEMBER(sherd_mpm, moving),
    SHERD_NAMED_MEMBER(sherd_mpm, glue.steps, "glue_steps"),
    SHERD_NAMED_MEMBER(sherd_mpm, glue.lag, "glue_lag"),
    SHERD_NAMED_MEMBER(sherd_mpm, glue.way, "glue_way"),
    SHERD_NAMED_MEMBER(sherd_mpm, accounts.fastest, "fastest"),
    SHERD_NAMED_MEMBER(sherd_mpm, accounts.speed, "speed"),
    SHERD_NAMED_MEMBER(sherd_mpm, accounts.closing, "closing")};
static const sherd_row_layout STATE_LAYOUT = SHERD_ROW_LAYOUT(sherd_mpm, STATE);

static const sherd_row_member PAGE[] = {
    SHERD_ARRAY_MEMBER(sherd_mpm_page, block), SHERD_MEMBER(sherd_mpm_page, body),
    SHERD_MEMBER(sherd_mpm_page, begin), SHERD_MEMBER(sherd_mpm_page, end)};
static const sherd_row_layout PAGE_LAYOUT = SHERD_ROW_LAYOUT(sherd_mpm_page, PAGE);

static const sherd_row_member COUPLED[] = {SHERD_ARRAY_MEMBER(sherd_mpm_coupled_block, block),
                                           SHERD_MEMBER(sherd_mpm_coupled_block, body)};
static const sherd_row_layout COUPLED_LAYOUT = SHERD_ROW_LAYOUT(sherd_mpm_coupled_block, COUPLED);

// Only the members that steps change; the bodies' definition sets the others.
static const sherd_row_member GLUE[] = {
    SHERD_ARRAY_MEMBER(sherd_mpm_glue, x), SHERD_ARRAY_MEMBER(sherd_mpm_glue, normal),
    SHERD_ARRAY_MEMBER(sherd_mpm_glue, traction), SHERD_MEMBER(sherd_mpm_glue, damage),
    SHERD_MEMBER(sherd_mpm_glue, broken_at)};
static const sherd_row_layout GLUE_LAYOUT = SHERD_ROW_LAYOUT(sherd_mpm_glue, GLUE);
// Further members of glue with a fracture energy.
static const sherd_row_member SOFT_GLUE[] = {
    SHERD_ARRAY_MEMBER(sherd_mpm_glue, gap),       SHERD_ARRAY_MEMBER(sherd_mpm_glue, shift),
    SHERD_MEMBER(sherd_mpm_glue, start),           SHERD_MEMBER(sherd_mpm_glue, most),
    SHERD_ADDED_MEMBER(sherd_mpm_glue, work, 0.0), SHERD_ADDED_MEMBER(sherd_mpm_glue, debt, 0.0)};
static const sherd_row_layout SOFT_GLUE_LAYOUT = SHERD_ROW_LAYOUT(sherd_mpm_glue, SOFT_GLUE);
static const sherd_row_member SPRING[] = {
    SHERD_MEMBER(sherd_mpm_spring, sample),       SHERD_MEMBER(sherd_mpm_spring, partner),
    SHERD_ARRAY_MEMBER(sherd_mpm_spring, normal), SHERD_MEMBER(sherd_mpm_spring, overlap),
    SHERD_MEMBER(sherd_mpm_spring, face),         SHERD_ARRAY_MEMBER(sherd_mpm_spring, slip),
    SHERD_MEMBER(sherd_mpm_spring, stiffness),    SHERD_MEMBER(sherd_mpm_spring, energy)};
static const sherd_row_layout SPRING_LAYOUT = SHERD_ROW_LAYOUT(sherd_mpm_spring, SPRING);
// The block of a particle when points were last sorted.
static const sherd_row_member GLUE_PLACE[] = {SHERD_ARRAY_MEMBER(sherd_mpm_glue_tile, block)};
static const sherd_row_layout GLUE_PLACE_LAYOUT = SHERD_ROW_LAYOUT(sherd_mpm_glue_tile, GLUE_PLACE);

// Velocity and mass of a node. The other values of a node's motion are computed in the next step.
typedef struct node_motion {
    double motion[4], rest[4];
} node_motion;
static const sherd_row_member MOTION[] = {SHERD_ARRAY_MEMBER(node_motion, motion)};
static const sherd_row_layout MOTION_LAYOUT = SHERD_ROW_LAYOUT(node_motion, MOTION);
// With the unresolved modes of the last step.
static const sherd_row_member MOTION_AND_UNSEEN[] = {SHERD_ARRAY_MEMBER(node_motion, motion),
                                                     SHERD_ARRAY_MEMBER(node_motion, rest)};
static const sherd_row_layout MOTION_AND_UNSEEN_LAYOUT =
    SHERD_ROW_LAYOUT(node_motion, MOTION_AND_UNSEEN);

static const sherd_row_layout *motion_layout(const sherd_mpm *m)
{
    return m->unresolved ? &MOTION_AND_UNSEEN_LAYOUT : &MOTION_LAYOUT;
}
_Static_assert(sizeof(node_motion) * SHERD_MPM_NODES == sizeof(sherd_mpm_motion),
               "a node's motion");

enum { MAX_COLUMNS = 3 + 3 + 2 * SHERD_MPM_SYMMETRIC + SHERD_MPM_TENSOR + 4 + 2 };

static int columns_of(const sherd_mpm_points *p, bool rated, sherd_record_column list[MAX_COLUMNS])
{
    static const char *const B[] = {"bxx", "byy", "bzz", "byz", "bxz", "bxy"};
    static const char *const D[] = {"dxx", "dyy", "dzz", "dyz", "dxz", "dxy"};
    static const char *const C[] = {"c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8"};
    static const char *const X[] = {"x", "y", "z"}, *const V[] = {"vx", "vy", "vz"};
    const sherd_row_layout *real = &sherd_rows_f64;
    int n = 0;
    for (int k = 0; k < 3; ++k)
        list[n++] = (sherd_record_column){X[k], real, p->x[k], p->count, 0};
    for (int k = 0; k < 3; ++k)
        list[n++] = (sherd_record_column){V[k], real, p->v[k], p->count, 0};
    for (int k = 0; k < SHERD_MPM_SYMMETRIC; ++k)
        list[n++] = (sherd_record_column){B[k], real, p->b[k], p->count, 0};
    for (int k = 0; k < SHERD_MPM_SYMMETRIC && rated; ++k)
        list[n++] = (sherd_record_column){D[k], real, p->rate[k], p->count, 0};
    for (int k = 0; k < SHERD_MPM_TENSOR && p->c[0] != NULL; ++k)
        list[n++] = (sherd_record_column){C[k], real, p->c[k], p->count, 0};
    list[n++] = (sherd_record_column){"state", real, p->state, p->count, 0};
    list[n++] = (sherd_record_column){"volume", real, p->volume, p->count, 0};
    list[n++] = (sherd_record_column){"body", &sherd_rows_u32, p->body, p->count, 0};
    list[n++] = (sherd_record_column){"number", &sherd_rows_i32, p->number, p->count, 0};
    if (p->drive == NULL) return n;
    list[n++] = (sherd_record_column){"drive", real, p->drive, p->count, 0};
    list[n++] = (sherd_record_column){"tensile", real, p->tensile, p->count, 0};
    return n;
}

// Number of layers of coupled bodies. They depend on positions at the last sorting, so they are
// saved.
static size_t count_coupled_layers(const sherd_mpm_grid *g)
{
    size_t count = 0;
    for (size_t k = 0; k < g->layer_count; ++k)
        count += sherd_mpm_is_coupled(g, k);
    return count;
}

static void save_coupling(const sherd_mpm_grid *g, sherd_byte_buffer *out)
{
    sherd_record_write_head(out, "guests", &COUPLED_LAYOUT, count_coupled_layers(g));
    for (size_t k = 0; k < g->layer_count; ++k) {
        const sherd_mpm_layer *layer = &g->layers[k];
        sherd_mpm_coupled_block at = {{layer->block[0], layer->block[1], layer->block[2]},
                                      layer->body};
        if (sherd_mpm_is_coupled(g, k)) sherd_record_write_rows(out, &COUPLED_LAYOUT, &at, 1);
    }
}

static void save_glue(const sherd_mpm_glues *g, bool sorted, const double *softened,
                      sherd_byte_buffer *out)
{
    sherd_record_column columns[2] = {
        {"glue", &GLUE_LAYOUT, g->items, g->count, 0},
        {"glue_places", &GLUE_PLACE_LAYOUT, g->places, sorted ? g->count : 0, 0}};
    sherd_record_write_all(out, columns, 2);
    if (!sherd_mpm_glues_soften(g)) return;
    sherd_record_column more[2] = {
        {"soft_glue", &SOFT_GLUE_LAYOUT, g->items, g->count, 0},
        {"softened", &sherd_rows_f64, (void *)(uintptr_t)softened, 1, 0}};
    sherd_record_write_all(out, more, 2);
}

static void list_trends(const sherd_mpm *m, sherd_record_column list[3])
{
    static const char *const NAMES[3] = {"trend_x", "trend_y", "trend_z"};
    for (int k = 0; k < 3; ++k)
        list[k] = (sherd_record_column){NAMES[k], &sherd_rows_f64, m->trend[k], m->trend_count, 0};
}

// Checkpoints of before have none.
static sherd_record_column last_of(const sherd_mpm *m)
{
    return (sherd_record_column){"last_offset", &sherd_rows_f64,
                                 (void *)(uintptr_t)&m->accounts.last, 1, SHERD_COLUMN_OPTIONAL};
}

// Without phase fields there is none.
static sherd_record_column damaged_of(const sherd_mpm *m)
{
    return (sherd_record_column){"damaged", &sherd_rows_f64,
                                 (void *)(uintptr_t)&m->accounts.damaged, 1, 0};
}

void sherd_mpm_save(const sherd_mpm *m, sherd_byte_buffer *out)
{
    const sherd_mpm_grid *g = &m->grid;
    sherd_record_column columns[MAX_COLUMNS], trends[3],
        pages = {"pages", &PAGE_LAYOUT, m->grid.pages, m->grid.page_count, 0};
    size_t begun = sherd_record_begin(out, "material_points");
    sherd_record_column last = last_of(m), damaged = damaged_of(m);
    sherd_record_write_one(out, "account", &STATE_LAYOUT, m);
    sherd_record_write(out, &last);
    if (m->points.drive != NULL) sherd_record_write(out, &damaged);
    sherd_record_write_all(out, columns, columns_of(&m->points, m->rate_age == 0, columns));
    sherd_record_write(out, &pages);
    sherd_record_write_head(out, "motion", motion_layout(m), g->layer_count * SHERD_MPM_NODES);
    for (size_t k = 0; k < g->layer_count; ++k)
        sherd_record_write_rows(out, motion_layout(m), &g->motion[k], SHERD_MPM_NODES);
    sherd_record_write_head(out, "outlined", &sherd_rows_u8, g->layer_count);
    for (size_t k = 0; k < g->layer_count; ++k) {
        uint8_t moment_rows = g->layers[k].moments >= 0;
        sherd_record_write_rows(out, &sherd_rows_u8, &moment_rows, 1);
    }
    if (g->first_coupled > 0) save_coupling(g, out);
    if (m->glue.count > 0) save_glue(&m->glue, m->sorted, &m->accounts.softened, out);
    sherd_record_column springs = {"springs", &SPRING_LAYOUT, m->penalty.springs, m->penalty.count,
                                   0};
    if (m->penalty.count > 0) sherd_record_write(out, &springs);
    list_trends(m, trends);
    if (m->trend_count > 0) sherd_record_write_all(out, trends, 3);
    sherd_record_end(out, begun);
}

// ---------------------------------------------------------------- restoring

static bool points_are_sound(const sherd_mpm_points *p, const sherd_mpm_owner *owner)
{
    size_t count = 0;
    for (size_t k = 0; k < p->count; ++k) {
        if (p->body[k] >= owner->bodies || p->number[k] < SHERD_MPM_FILLER ||
            p->number[k] >= owner->numbers || !(p->volume[k] >= 0.0))
            return false;
        for (int axis = 0; axis < 3; ++axis)
            if (!isfinite(p->x[axis][k])) return false;
        count += p->number[k] != SHERD_MPM_FILLER;
    }
    return count == owner->points;
}

// Valid pages contain every point exactly once, in whole batches, and their points are within half
// a spacing of the page's range.
static bool pages_are_sound(const sherd_mpm *m, const sherd_mpm_page *pages, size_t count)
{
    size_t places = 0;
    for (size_t k = 0; k < count; ++k) {
        const sherd_mpm_page *page = &pages[k];
        if (page->begin > page->end || page->end > m->points.count ||
            (page->end - page->begin) % SHERD_MPM_BATCH != 0)
            return false;
        places += page->end - page->begin;
        for (size_t at = page->begin; at < page->end; ++at)
            for (int axis = 0; axis < 3; ++axis) {
                double from = m->points.x[axis][at] / m->def.spacing -
                              SHERD_MPM_SIDE * (double)page->block[axis];
                if (m->points.body[at] != page->body || !(from >= -0.5 && from <= 5.0))
                    return false;
            }
    }
    return places == m->points.count;
}

static sherd_status fail_damaged(sherd_error *error)
{
    return sherd_fail(error, SHERD_ERROR_INPUT, "checkpoint",
                      "resume with the scene, variant and settings it was started with",
                      "has other material points, or is damaged");
}

// Reads the layers of coupled bodies and checks that these bodies exist. NULL: memory is short.
static sherd_mpm_coupled_block *take_coupling(const sherd_mpm *m, const sherd_mpm_owner *owner,
                                              size_t *count, sherd_record_reader *in,
                                              sherd_error *error)
{
    *count = m->grid.first_coupled > 0 ? sherd_record_rows(in, "guests") : 0;
    sherd_mpm_coupled_block *coupling = sherd_alloc(*count, sizeof *coupling);
    if (coupling == NULL) {
        in->status = sherd_fail_memory(error, "checkpoint");
        return NULL;
    }
    sherd_record_column column = {"guests", &COUPLED_LAYOUT, coupling, *count, 0};
    if (m->grid.first_coupled > 0) sherd_record_read(in, &column);
    for (size_t k = 0; k < *count && in->status == SHERD_OK; ++k)
        if (coupling[k].body < m->grid.first_coupled ||
            coupling[k].body >= m->grid.first_coupled + owner->coupling)
            in->status = fail_damaged(error);
    return coupling;
}

static sherd_status rebuild(sherd_mpm *m, const sherd_mpm_owner *owner, sherd_mpm_sorted *sorted,
                            sherd_record_reader *in, sherd_error *error)
{
    sherd_mpm_coupled_block *coupling = take_coupling(m, owner, &sorted->coupled_count, in, error);
    sorted->coupling = coupling;
    sherd_status status = in->status;
    if (status == SHERD_OK && m->sorted) status = sherd_mpm_grid_rebuild(&m->grid, sorted, error);
    if (status == SHERD_OK && m->sorted && !sherd_mpm_order_traversal(&m->grid))
        status = sherd_fail_memory(error, "material points and their grid");
    sherd_free(coupling);
    return status;
}

static sherd_status take_pages(sherd_mpm *m, const sherd_mpm_owner *owner, sherd_record_reader *in,
                               sherd_error *error)
{
    size_t count = sherd_record_rows(in, "pages"), layers = sherd_record_rows(in, "outlined");
    sherd_mpm_page *pages = sherd_alloc(count, sizeof *pages);
    uint8_t *moment_rows = sherd_alloc(layers, sizeof *moment_rows);
    sherd_status status = SHERD_OK;
    if (pages == NULL || moment_rows == NULL) status = sherd_fail_memory(error, "checkpoint");
    sherd_record_column columns[2] = {{"pages", &PAGE_LAYOUT, pages, count, 0},
                                      {"outlined", &sherd_rows_u8, moment_rows, layers, 0}};
    if (status == SHERD_OK) sherd_record_read_all(in, columns, 2);
    if (status == SHERD_OK) status = in->status;
    if (status == SHERD_OK && m->sorted && !pages_are_sound(m, pages, count))
        status = fail_damaged(error);
    sherd_mpm_sorted sorted = {pages, count, moment_rows, layers, NULL, 0};
    if (status == SHERD_OK) status = rebuild(m, owner, &sorted, in, error);
    sherd_record_column motion = {"motion", motion_layout(m), m->grid.motion,
                                  m->sorted ? layers * SHERD_MPM_NODES : 0, 0};
    if (status == SHERD_OK) sherd_record_read(in, &motion);
    if (status == SHERD_OK) status = in->status;
    sherd_free(pages), sherd_free(moment_rows);
    return status;
}

// Valid glue that joins, or may do so again, lies within half a spacing of its block's range. Other
// softening glue has no block.
static bool glue_is_sound(const sherd_mpm *m, const sherd_mpm_glue *glue,
                          const sherd_mpm_glue_tile *place)
{
    bool softens = glue->fracture_energy > 0.0;
    if (!(glue->damage == 0.0 || glue->damage == 1.0 ||
          (softens && glue->damage > 0.0 && glue->damage < 1.0)))
        return false;
    if (softens && !(glue->start >= 0.0 && glue->most >= 0.0 && isfinite(glue->work))) return false;
    for (int axis = 0; axis < 3 && sherd_mpm_glue_softens(glue); ++axis)
        if (!isfinite(glue->x[axis] + glue->gap[axis] + glue->shift[axis] + glue->normal[axis]))
            return false;
    for (int axis = 0; axis < 3 && sherd_mpm_glue_may_join(glue); ++axis) {
        double from = glue->x[axis] / m->def.spacing - SHERD_MPM_SIDE * (double)place->block[axis];
        if (!isfinite(glue->normal[axis]) || !(from >= -0.5 && from <= 5.5)) return false;
    }
    return true;
}

static sherd_status sort_glue(sherd_mpm *m, const sherd_mpm_glue *glue,
                              const sherd_mpm_glue_tile *places, sherd_error *error)
{
    int32_t(*blocks)[3] = sherd_alloc(m->glue.count, sizeof *blocks);
    if (blocks == NULL) return sherd_fail_memory(error, "checkpoint");
    bool sound = true;
    for (size_t k = 0; k < m->glue.count && sound; ++k) {
        sound = !m->sorted || glue_is_sound(m, &glue[k], &places[k]);
        if (m->sorted) memcpy(blocks[k], places[k].block, sizeof blocks[k]);
    }
    if (sound) memcpy(m->glue.items, glue, m->glue.count * sizeof *glue);
    sherd_status status = sound ? SHERD_OK : fail_damaged(error);
    if (sound && m->sorted)
        status = sherd_mpm_glues_sort_as(&m->glue, &m->grid, &m->points, blocks, error);
    sherd_free(blocks);
    return status;
}

static sherd_status take_glue(sherd_mpm *m, sherd_record_reader *in, sherd_error *error)
{
    size_t count = m->glue.count;
    if (count == 0) return SHERD_OK;
    sherd_mpm_glue *glue = sherd_alloc(count, sizeof *glue);
    sherd_mpm_glue_tile *places = sherd_alloc(count, sizeof *places);
    sherd_record_column columns[2] = {
        {"glue", &GLUE_LAYOUT, glue, count, 0},
        {"glue_places", &GLUE_PLACE_LAYOUT, places, m->sorted ? count : 0, 0}};
    sherd_record_column more[2] = {{"soft_glue", &SOFT_GLUE_LAYOUT, glue, count, 0},
                                   {"softened", &sherd_rows_f64, &m->accounts.softened, 1, 0}};
    sherd_status status = SHERD_OK;
    if (glue == NULL || places == NULL) status = sherd_fail_memory(error, "checkpoint");
    if (status == SHERD_OK) {
        memcpy(glue, m->glue.items, count * sizeof *glue);
        sherd_record_read_all(in, columns, 2);
        if (sherd_mpm_glues_soften(&m->glue)) sherd_record_read_all(in, more, 2);
        status = in->status;
    }
    if (status == SHERD_OK) status = sort_glue(m, glue, places, error);
    sherd_free(glue), sherd_free(places);
    return status;
}

// Reads the springs and checks that they are sorted and that their points exist. Without the record
// no spring is loaded.
static sherd_status take_springs(sherd_mpm *m, const sherd_mpm_owner *owner,
                                 sherd_record_reader *in, sherd_error *error)
{
    sherd_mpm_penalty_contacts *t = &m->penalty;
    t->count = 0, t->energy = 0.0;
    if (!sherd_record_has(in, "springs")) return SHERD_OK;
    size_t count = sherd_record_rows(in, "springs");
    if (in->status != SHERD_OK) return in->status;
    if (!sherd_grow((void **)&t->springs, &t->room, count + 1, sizeof *t->springs))
        return sherd_fail_memory(error, "checkpoint");
    sherd_record_column column = {"springs", &SPRING_LAYOUT, t->springs, count, 0};
    sherd_record_read(in, &column);
    if (in->status != SHERD_OK) return in->status;
    for (size_t k = 0; k < count; ++k) {
        const sherd_mpm_spring *s = &t->springs[k];
        bool in_order = k == 0 || s[-1].sample < s->sample ||
                        (s[-1].sample == s->sample && s[-1].partner < s->partner);
        // Ids of coupled bodies and edges cannot be checked yet: they are listed later.
        bool known = s->sample >> 62 != 0
                         ? s->partner < owner->bodies
                         : s->sample / SHERD_MPM_SITE_SAMPLES < (uint64_t)owner->numbers;
        if (!in_order || !known || !isfinite(s->energy) || !(s->stiffness > 0.0) ||
            !(s->overlap > 0.0 && s->overlap < HUGE_VAL))
            return fail_damaged(error);
        t->energy += s->energy;
    }
    t->count = count;
    return SHERD_OK;
}

// Reads the trends of elements beside points. Without such elements there are none.
static sherd_status take_trends(sherd_mpm *m, const sherd_mpm_owner *owner, sherd_record_reader *in,
                                sherd_error *error)
{
    bool any = sherd_record_has(in, "trend_x");
    sherd_record_column columns[3];
    for (int axis = 0; axis < 3 && !any; ++axis)
        for (size_t k = 0; k < m->trend_count; ++k)
            m->trend[axis][k] = 0.0;
    if (!any) return SHERD_OK;
    if (!sherd_mpm_trends_make(m, (size_t)owner->numbers))
        return sherd_fail_memory(error, "checkpoint");
    list_trends(m, columns);
    sherd_record_read_all(in, columns, 3);
    return in->status;
}

static sherd_status read_points(sherd_mpm *m, bool rated, const sherd_mpm_owner *owner,
                                sherd_record_reader *in, sherd_error *error)
{
    size_t count = sherd_record_rows(in, "number");
    if (in->status != SHERD_OK) return in->status;
    sherd_mpm_points made;
    if (!sherd_mpm_points_make(&made, count, m->def.affine) ||
        (m->points.drive != NULL && !sherd_mpm_points_add_damage(&made))) {
        sherd_mpm_points_release(&made);
        return sherd_fail_memory(error, "checkpoint");
    }
    sherd_record_column columns[MAX_COLUMNS];
    sherd_record_read_all(in, columns, columns_of(&made, rated, columns));
    sherd_status status = in->status;
    if (status == SHERD_OK && !points_are_sound(&made, owner)) status = fail_damaged(error);
    if (status != SHERD_OK) {
        sherd_mpm_points_release(&made);
        return status;
    }
    sherd_mpm_points_release(&m->points);
    m->points = made;
    return SHERD_OK;
}

sherd_status sherd_mpm_restore(sherd_mpm *m, const sherd_mpm_owner *owner, sherd_record_reader *in,
                               sherd_error *error)
{
    sherd_record_reader part = sherd_record_enter(in, "material_points");
    sherd_mpm saved = *m;
    sherd_record_read_one(&part, "account", &STATE_LAYOUT, &saved);
    if (part.status == SHERD_OK)
        part.status = read_points(m, saved.rate_age == 0, owner, &part, error);
    if (part.status == SHERD_OK) {
        sherd_record_column last = last_of(m), damaged = damaged_of(m);
        sherd_row_copy(&STATE_LAYOUT, m, &saved);
        sherd_record_read(&part, &last);
        if (m->points.drive != NULL) sherd_record_read(&part, &damaged);
        part.status = take_pages(m, owner, &part, error);
        if (part.status == SHERD_OK) part.status = take_glue(m, &part, error);
        if (part.status == SHERD_OK) part.status = take_springs(m, owner, &part, error);
        if (part.status == SHERD_OK) part.status = take_trends(m, owner, &part, error);
    }
    return sherd_record_leave(&part);
}

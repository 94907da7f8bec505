#include "output/formats/final_fragments.h"

#include "output/pictures/appearance.h"
#include "surface/fragments.h"

#include <math.h>
#include <stdlib.h>

// Slightly coarser than in pictures: not visible, and files have 0.6 times the size.
static const double CELL_SIZE = 1.0; // mean radii
// If a run has bodies crushed to chips (surface/partition/chip_cells.h), chips dominate the size of
// the file. A chip is a few radii across. Increase the cell size until the estimated number of chip
// triangles is below this limit, but not beyond the spacing of elements, where chips would vanish.
static const double MAX_CHIP_TRIANGLES = 5e5, LARGEST_CELL = 2.0;
enum { CHIP_ELEMENTS = 8 };
// Measured: chips of n elements have 350 to 390 n^(2/3) triangles with cells of one radius, 130 to
// 155 with cells of two.
static const double CHIP_TRIANGLES = 370.0, CELL_POWER = 1.35;

static sherd_status out_of_memory(sherd_error *error)
{
    *error = (sherd_error){.status = SHERD_ERROR_MEMORY, .what = "not enough memory"};
    return SHERD_ERROR_MEMORY;
}

// Use the stored labels, because they include joints that the file does not contain, such as glue
// between points.
static sherd_status update_fragments(sherd_fragments *fragments, const sherd_run_model *m,
                                     sherd_element_index *component, sherd_error *error)
{
    sherd_fragment_view labelled = sherd_fragments_view(fragments);
    for (sherd_element_index k = 0; k < m->element_count; ++k)
        component[k] = labelled.fragments[labelled.element_slot[k]].first;
    sherd_fragment_input input = {.element_count = m->element_count,
                                  .mass = m->mass,
                                  .radius = m->radius,
                                  .component = component};
    return sherd_fragments_update(fragments, &input, error);
}

sherd_group_look sherd_body_look(const sherd_scene *scene, int body, double roughness)
{
    return (sherd_group_look){sherd_appearance_color(scene->bodies[body].color), roughness, 0.0,
                              scene->materials[scene->bodies[body].material].opacity,
                              sherd_appearance_picture(scene, body)};
}

sherd_group_look sherd_body_group_look(const sherd_scene *scene, int body, int32_t g,
                                       const sherd_group_look *whole)
{
    const sherd_scene_body *b = &scene->bodies[body];
    if (g >= b->group_count) return *whole;
    return sherd_group_look_of(&b->groups[g], sherd_body_look_keys(scene, body), whole);
}

sherd_status sherd_frame_fragments(sherd_fragments *fragments, const sherd_run_model *m,
                                   const sherd_run_frame *frame, sherd_error *error)
{
    sherd_fragment_id next = 1;
    for (sherd_element_index k = 0; k < m->element_count; ++k)
        if (frame->element_fragment[k] >= next) next = frame->element_fragment[k] + 1;
    sherd_status status =
        sherd_fragments_restore(fragments, frame->element_fragment, m->element_count, next, error);
    if (status != SHERD_OK) return status;
    sherd_element_index *component = malloc(((size_t)m->element_count + 1) * sizeof *component);
    status =
        component != NULL ? update_fragments(fragments, m, component, error) : out_of_memory(error);
    free(component);
    return status;
}

// Bodies drawn as spheres have no triangles.
static double chip_triangles(const sherd_fragment_view *view, const sherd_surface_body *body)
{
    double triangles = 0.0;
    if (body->shape == NULL || body->tetra != NULL) return 0.0;
    for (sherd_element_index e = body->first; e < body->first + body->count; ++e) {
        const sherd_fragment *f = &view->fragments[view->element_slot[e]];
        if (f->first == e && f->count <= CHIP_ELEMENTS)
            triangles += CHIP_TRIANGLES * pow((double)f->count, 2.0 / 3.0);
    }
    return triangles;
}

static double choose_cell(const sherd_fragment_view *view, const sherd_surface_def *def)
{
    double triangles = 0.0;
    for (int b = 0; b < def->body_count; ++b)
        triangles += chip_triangles(view, &def->bodies[b]);
    double growth = pow(triangles / MAX_CHIP_TRIANGLES, 1.0 / CELL_POWER);
    return fmin(fmax(growth, CELL_SIZE), LARGEST_CELL);
}

static sherd_status make_surface(sherd_final_fragments *p, const sherd_scene *scene,
                                 const sherd_run_model *model, const sherd_run_frame *last,
                                 int threads, sherd_error *error)
{
    sherd_surface_def def = sherd_appearance_surface(scene, model, p->bodies);
    def.crack_gap = 0.0;
    sherd_fragment_view view = sherd_fragments_view(p->fragments);
    def.cell_size = choose_cell(&view, &def);
    p->crushed = def.cell_size > CELL_SIZE;
    def.rigid = p->rigid;
    def.threads = threads;
    p->surface = sherd_surface_create(&def, error);
    if (p->surface == NULL) return error->status;
    return sherd_surface_update(p->surface, &view, last->bond_broken, error);
}

static void find_first_pieces(sherd_final_fragments *p)
{
    for (int b = 0; b < p->body_count; ++b)
        p->first_piece[b] = -1;
    for (int k = sherd_surface_piece_count(p->surface) - 1; k >= 0; --k)
        p->first_piece[sherd_surface_get_piece(p->surface, k).body] = k;
}

sherd_status sherd_final_fragments_make(sherd_final_fragments *p, const sherd_scene *scene,
                                        const sherd_run_model *model, const sherd_run_frame *last,
                                        int threads, sherd_error *error)
{
    *p = (sherd_final_fragments){.rigid = p->rigid, .body_count = model->body_count};
    p->bodies = calloc((size_t)model->body_count + 1, sizeof *p->bodies);
    p->first_piece = calloc((size_t)model->body_count + 1, sizeof *p->first_piece);
    if (p->bodies == NULL || p->first_piece == NULL) return out_of_memory(error);
    p->fragments = sherd_fragments_create(error);
    if (p->fragments == NULL) return error->status;
    sherd_status status = sherd_frame_fragments(p->fragments, model, last, error);
    if (status == SHERD_OK) status = make_surface(p, scene, model, last, threads, error);
    if (status == SHERD_OK) find_first_pieces(p);
    return status;
}

void sherd_final_fragments_free(sherd_final_fragments *p)
{
    sherd_surface_destroy(p->surface);
    sherd_fragments_destroy(p->fragments);
    free(p->bodies);
    free(p->first_piece);
    *p = (sherd_final_fragments){0};
}

const sherd_mesh *sherd_final_fragments_mesh_of(const sherd_final_fragments *p, int body)
{
    int piece = p->first_piece[body];
    return piece >= 0 ? sherd_surface_get_piece(p->surface, piece).mesh : NULL;
}

int64_t sherd_count_granules(const sherd_scene *scene, const sherd_run_model *model)
{
    int64_t total = 0;
    for (int b = 0; b < model->body_count; ++b)
        if (scene->bodies[b].loose) total += model->bodies[b].count;
    return total;
}

// ---------------------------------------------------------------- motion

static sherd_quat element_rotation(const sherd_run_frame *f, sherd_element_index e)
{
    return (sherd_quat){f->qx[e], f->qy[e], f->qz[e], f->qw[e]};
}

// Mean orientation of a few elements, which differ little. q and -q are the same rotation, so all
// get the sign of the first.
static sherd_quat mean_rotation(const sherd_run_frame *f, const sherd_piece_motion *p)
{
    sherd_quat first = element_rotation(f, p->elements[0]), sum = {0.0, 0.0, 0.0, 0.0};
    for (int k = 0; k < p->few; ++k) {
        sherd_quat q = element_rotation(f, p->elements[k]);
        double along = q.x * first.x + q.y * first.y + q.z * first.z + q.w * first.w;
        double sign = along < 0.0 ? -1.0 : 1.0;
        sum.x += sign * q.x, sum.y += sign * q.y, sum.z += sign * q.z, sum.w += sign * q.w;
    }
    double length = sqrt(sum.x * sum.x + sum.y * sum.y + sum.z * sum.z + sum.w * sum.w);
    return (sherd_quat){sum.x / length, sum.y / length, sum.z / length, sum.w / length};
}

sherd_piece_motion sherd_piece_motion_make(const sherd_fragment_view *last, int32_t slot)
{
    const sherd_fragment *f = &last->fragments[slot];
    sherd_piece_motion made = {.slot = slot};
    for (sherd_element_index e = f->first; f->count <= FEW && made.few < f->count; ++e)
        if (last->element_slot[e] == slot) made.elements[made.few++] = e;
    return made;
}

sherd_pose sherd_piece_motion_pose(const sherd_piece_motion *p, const sherd_fragments *last,
                                   const sherd_run_model *m, const sherd_run_frame *f)
{
    sherd_pose pose = sherd_fragments_motion(last, p->slot, m->mass, m->rest_x, m->rest_y,
                                             m->rest_z, f->x, f->y, f->z)
                          .pose;
    if (p->few > 0) pose.rotation = mean_rotation(f, p);
    return pose;
}

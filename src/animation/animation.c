#include "animation/animation.h"

#include "animation/mesh_faults.h"
#include "base/error.h"
#include "base/memory.h"

#include <limits.h>
#include <math.h>

static sherd_status fail_glb(sherd_error *error, const char *where, const char *what)
{
    return sherd_fail(error, SHERD_ERROR_INPUT, where, NULL, "%s", what);
}

// ---------------------------------------------------------------- life

static sherd_status check_def(const sherd_glb_def *def, sherd_error *error)
{
    if (def->frame_count < 1 || def->times == NULL)
        return fail_glb(error, "glb.frame_count", "there must be at least one frame");
    if (!(def->texture_size > 0.0) || !isfinite(def->texture_size))
        return fail_glb(error, "glb.texture_size", "must be > 0");
    for (int64_t k = 0; k < def->frame_count; ++k) {
        bool ascends =
            k == 0 ? def->times[k] >= 0.0 : (float)def->times[k] > (float)def->times[k - 1];
        if (!ascends || !isfinite(def->times[k]))
            return fail_glb(error, "glb.times", "must be finite, >= 0 and ascend");
    }
    return SHERD_OK;
}

static bool copy_def(sherd_glb *glb, const sherd_glb_def *def)
{
    glb->name = sherd_string_copy(def->name != NULL ? def->name : "Sherd");
    glb->folder = sherd_string_copy(def->folder);
    glb->tracks.spool.folder = glb->folder;
    glb->frame_count = def->frame_count;
    glb->texture_size = def->texture_size;
    glb->compact = def->compact;
    glb->times = sherd_alloc((size_t)def->frame_count, sizeof *glb->times);
    for (int64_t k = 0; glb->times != NULL && k < def->frame_count; ++k)
        glb->times[k] = (float)def->times[k];
    return glb->name != NULL && glb->times != NULL && (def->folder == NULL || glb->folder != NULL);
}

sherd_glb *sherd_animation_create(const sherd_glb_def *def, const sherd_animation_writer *writer,
                                  sherd_error *error)
{
    if (check_def(def, error) != SHERD_OK) return NULL;
    sherd_glb *glb = sherd_alloc(1, sizeof *glb);
    if (glb != NULL) glb->writer = writer;
    if (glb != NULL && copy_def(glb, def)) glb->file = writer->create(glb);
    if (glb != NULL && glb->file != NULL) return glb;
    sherd_glb_destroy(glb);
    sherd_fail_memory(error, "glb");
    return NULL;
}

void sherd_glb_destroy(sherd_glb *glb)
{
    if (glb == NULL) return;
    if (glb->file != NULL) glb->writer->destroy(glb->file);
    for (int k = 0; k < glb->piece_count; ++k)
        sherd_free((char *)glb->pieces[k].name);
    sherd_pose_tracks_free(&glb->tracks);
    sherd_free(glb->pieces);
    sherd_free(glb->times);
    sherd_free(glb->folder);
    sherd_free(glb->name);
    sherd_free(glb);
}

// ---------------------------------------------------------------- materials and meshes

static bool is_share(double value)
{
    return value >= 0.0 && value <= 1.0;
}

int sherd_glb_add_material(sherd_glb *glb, const sherd_glb_material *m, sherd_error *error)
{
    if (!is_share(m->red) || !is_share(m->green) || !is_share(m->blue) || !is_share(m->roughness) ||
        !is_share(m->metallic) || !is_share(m->transmission)) {
        fail_glb(error, "glb material",
                 "colours, roughness, metallic and transmission must be from 0 to 1");
        return -1;
    }
    return glb->writer->add_material(glb, m, error) == SHERD_OK ? glb->material_count++ : -1;
}

static sherd_status check_mesh(const sherd_glb *glb, const sherd_glb_mesh *mesh, sherd_error *error)
{
    if (mesh->triangle_count < 1 || mesh->vertex_count < 1 || mesh->vertex_count > INT_MAX / 9)
        return fail_glb(error, "glb mesh", "a mesh needs triangles, and no more than 200 million");
    const sherd_material_mesh faces = {
        mesh->vertex_count, mesh->vertices,       mesh->triangle_count,
        mesh->triangles,    mesh->outer_material, mesh->inner_material,
        mesh->group,        mesh->group_count,    mesh->group_materials};
    const char *fault = sherd_mesh_fault(&faces, glb->material_count);
    return fault == NULL ? SHERD_OK : fail_glb(error, "glb mesh", fault);
}

int sherd_glb_add_mesh(sherd_glb *glb, const sherd_glb_mesh *mesh, sherd_error *error)
{
    if (check_mesh(glb, mesh, error) != SHERD_OK) return -1;
    return glb->writer->add_mesh(glb, mesh, error) == SHERD_OK ? glb->mesh_count++ : -1;
}

static sherd_status check_points(const sherd_glb *glb, const sherd_glb_points *p,
                                 sherd_error *error)
{
    const char *wrong = NULL;
    if (p->count < 1 || p->count > INT_MAX / 9)
        wrong = "it needs points, and at most 200 million";
    else if (p->material < 0 || p->material >= glb->material_count)
        wrong = "its material does not exist";
    for (int64_t k = 0; wrong == NULL && k < 3 * (int64_t)p->count; ++k)
        if (!isfinite(p->positions[k])) wrong = "a point is not a number";
    if (wrong == NULL) return SHERD_OK;
    return sherd_fail(error, SHERD_ERROR_INPUT, "glb points", NULL, "%s", wrong);
}

int sherd_glb_add_points(sherd_glb *glb, const sherd_glb_points *points, sherd_error *error)
{
    if (check_points(glb, points, error) != SHERD_OK) return -1;
    return glb->writer->add_points(glb, points, error) == SHERD_OK ? glb->mesh_count++ : -1;
}

// ---------------------------------------------------------------- pieces

int sherd_glb_add_piece(sherd_glb *glb, const sherd_glb_piece *piece, sherd_error *error)
{
    if (piece->mesh < 0 || piece->mesh >= glb->mesh_count || !(piece->scale > 0.0) ||
        !isfinite(piece->scale)) {
        fail_glb(error, "glb piece", "it needs a mesh that exists and a scale > 0");
        return -1;
    }
    char *name = sherd_string_copy(piece->name != NULL ? piece->name : "piece");
    if (name == NULL ||
        !sherd_grow((void **)&glb->pieces, &glb->piece_capacity, (size_t)glb->piece_count + 1,
                    sizeof *glb->pieces) ||
        !sherd_pose_tracks_begin(&glb->tracks)) {
        sherd_free(name);
        sherd_fail_memory(error, "glb");
        return -1;
    }
    glb->pieces[glb->piece_count] = *piece;
    glb->pieces[glb->piece_count].name = name;
    return glb->piece_count++;
}

static bool pose_is_finite(sherd_pose pose)
{
    const double words[] = {pose.position.x, pose.position.y, pose.position.z, pose.rotation.x,
                            pose.rotation.y, pose.rotation.z, pose.rotation.w};
    double norm = 0.0;
    for (int k = 0; k < 7; ++k) {
        if (!isfinite(words[k])) return false;
        if (k >= 3) norm += words[k] * words[k];
    }
    return norm > 0.25 && norm < 4.0; // a unit quaternion, give or take
}

sherd_status sherd_glb_set_pose(sherd_glb *glb, int piece, int64_t frame, sherd_pose pose,
                                sherd_error *error)
{
    if (piece < 0 || piece >= glb->piece_count || frame < 0 || frame >= glb->frame_count)
        return fail_glb(error, "glb pose", "no such piece or frame");
    if (!pose_is_finite(pose))
        return fail_glb(error, "glb pose", "not a position and a unit quaternion");
    const sherd_pose_track *track = &glb->tracks.items[piece];
    if (track->count > 0 && frame != track->first_frame + track->count)
        return fail_glb(error, "glb pose", "the frames of a piece must follow each other");
    if (!sherd_pose_tracks_add(&glb->tracks, piece, frame, pose))
        return sherd_fail_memory(error, "glb");
    return SHERD_OK;
}

bool sherd_animation_course(sherd_glb *glb, int piece, sherd_course *course)
{
    *course = (sherd_course){&glb->pieces[piece], &glb->tracks.items[piece],
                             sherd_pose_tracks_read(&glb->tracks, piece)};
    return course->poses != NULL;
}

sherd_status sherd_glb_write(sherd_glb *glb, const char *path, sherd_error *error)
{
    if (glb->tracks.run_count == 0)
        return sherd_fail(error, SHERD_ERROR_INPUT, path, "give pieces poses before writing",
                          "there is nothing to export");
    return glb->writer->write(glb, path, error);
}

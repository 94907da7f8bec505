// Elements, meshes, bonds and breaks for ParaView: .vtp files per frame, and .pvd lists over time.
#include "output/formats/bond_files.h"
#include "output/formats/contact_files.h"
#include "output/formats/dust_files.h"
#include "output/formats/format_job.h"
#include "output/formats/frame_files.h"

// Only exports write bonds, because a run in progress does not know which bonds will break.
static sherd_status begin(sherd_format_job *job, sherd_error *error)
{
    return sherd_bond_files_begin(job, error);
}

static sherd_status write_frame(sherd_format_job *job, const sherd_run_frame *frame,
                                sherd_error *error)
{
    sherd_frame_target where = {job->own, job->path};
    sherd_status status = sherd_frame_files_write_vtk(job->meshes, job->model, frame, where, error);
    if (status == SHERD_OK) status = sherd_contact_files_vtk(job, frame, error);
    if (status == SHERD_OK) status = sherd_dust_files_vtk(job, frame, error);
    if (status != SHERD_OK || job->state == NULL) return status;
    return sherd_bond_files_vtk(job->state, job->model, frame, error);
}

static sherd_status end(sherd_format_job *job, sherd_error *error)
{
    static const char *const lists[] = {"elements", "surface", "contacts", "dust",
                                        "bonds",    "breaks",  NULL};
    static const char *const of_runs[] = {"elements", "surface", "contacts", "dust", NULL};
    sherd_frame_target where = {job->own, job->path};
    return sherd_frame_files_write_pvd(job->run, job->state != NULL ? lists : of_runs, job->first,
                                       job->last, where, error);
}

static const sherd_format_file FILES[] = {
    {"elements_", ".vtp", MADE_BY_RUN},
    {"surface_", ".vtp", MADE_BY_RUN},
    {"elements.pvd", NULL, MADE_BY_RUN},
    {"surface.pvd", NULL, MADE_BY_RUN},
    {"contacts_", ".vtp", MADE_BY_RUN},
    {"contacts.pvd", NULL, MADE_BY_RUN},
    {"dust_", ".vtp", MADE_BY_RUN},
    {"dust.pvd", NULL, MADE_BY_RUN},
    {"bonds_", ".vtp", MADE_IF_LISTED},
    {"breaks_", ".vtp", MADE_IF_LISTED},
    {"bonds.pvd", NULL, MADE_IF_LISTED},
    {"breaks.pvd", NULL, MADE_IF_LISTED},
    {0},
};

const sherd_format sherd_format_vtk = {
    .about = {.word = "vtk",
              .place = "vtk",
              .needs = SHERD_EXPORT_FROM_MESHES,
              .in_runs = true,
              .doc = "  vtk      elements, fragments, intact bonds and newly broken bonds as .vtp "
                     "files for each\n"
                     "           frame, with .pvd lists over time; for ParaView\n"
                     "           -o: folder, default RUN/vtk\n"},
    .files = FILES,
    .elements_alone = true,
    .begin = begin,
    .frame = write_frame,
    .end = end,
    .close = sherd_bond_files_end,
};

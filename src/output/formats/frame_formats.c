// Formats with files for each frame.
#include "base/file_writer.h"
#include "output/formats/bond_files.h"
#include "output/formats/dust_files.h"
#include "output/formats/format_job.h"
#include "output/formats/frame_files.h"
#include "output/text.h"

#include <string.h>

// ---------------------------------------------------------------- vtk: for ParaView

// Only exports write bonds, because a run in progress does not know which bonds will break.
static sherd_status vtk_begin(sherd_format_job *job, sherd_error *error)
{
    return sherd_bond_files_begin(job, error);
}

static sherd_status vtk_frame(sherd_format_job *job, const sherd_run_frame *frame,
                              sherd_error *error)
{
    sherd_frame_target where = {job->own, job->path};
    sherd_status status = sherd_frame_files_write_vtk(job->meshes, job->model, frame, where, error);
    if (status == SHERD_OK) status = sherd_contact_files_vtk(job, frame, error);
    if (status == SHERD_OK) status = sherd_dust_files_vtk(job, frame, error);
    if (status != SHERD_OK || job->state == NULL) return status;
    return sherd_bond_files_vtk(job->state, job->model, frame, error);
}

static sherd_status vtk_end(sherd_format_job *job, sherd_error *error)
{
    static const char *const lists[] = {"elements", "surface", "contacts", "dust",
                                        "bonds",    "breaks",  NULL};
    static const char *const of_runs[] = {"elements", "surface", "contacts", "dust", NULL};
    sherd_frame_target where = {job->own, job->path};
    return sherd_frame_files_write_pvd(job->run, job->state != NULL ? lists : of_runs, job->first,
                                       job->last, where, error);
}

static const sherd_format_file VTK_FILES[] = {
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
    .files = VTK_FILES,
    .elements_alone = true,
    .begin = vtk_begin,
    .frame = vtk_frame,
    .end = vtk_end,
    .close = sherd_bond_files_end,
};

// ---------------------------------------------------------------- csv: tables

static sherd_status csv_frame(sherd_format_job *job, const sherd_run_frame *frame,
                              sherd_error *error)
{
    sherd_frame_target where = {job->own, job->path};
    sherd_status status = sherd_frame_files_write_csv(job->model, frame, where, error);
    if (status == SHERD_OK) status = sherd_contact_files_csv(job, frame, error);
    if (status == SHERD_OK) status = sherd_dust_files_csv(job, frame, error);
    return status == SHERD_OK ? sherd_bond_files_csv(job->state, job->model, frame, error) : status;
}

static sherd_status csv_end(sherd_format_job *job, sherd_error *error)
{
    sherd_status status = sherd_contact_files_csv_end(job, error);
    return status == SHERD_OK ? sherd_bond_files_csv_breaks(job->state, job->model, error) : status;
}

static void csv_close(sherd_format_job *job)
{
    sherd_contact_files_close(job);
    sherd_bond_files_end(job);
}

static const sherd_format_file CSV_FILES[] = {
    {"elements_", ".csv", MADE_BY_EXPORT},
    {SHERD_BONDS_CSV, NULL, MADE_IF_LISTED},
    {SHERD_BREAKS_CSV, NULL, MADE_IF_LISTED},
    {"bonds_", ".csv", MADE_IF_LISTED},
    {SHERD_CONTACTS_CSV, NULL, MADE_IF_LISTED},
    {"dust_", ".csv", MADE_IF_LISTED},
    {0},
};

const sherd_format sherd_format_csv = {
    .about = {.word = "csv",
              .place = "csv",
              .needs = SHERD_EXPORT_FROM_RUN,
              .doc = "  csv      tables: the elements of each frame, with stress over strength; "
                     "bonds.csv, all bonds\n"
                     "           and the frame in which each broke; breaks.csv, when and where "
                     "they broke;\n"
                     "           bonds_*.csv, values of bond laws; contacts.csv, contact forces if "
                     "the run recorded\n"
                     "           them\n"
                     "           -o: folder, default RUN/csv\n"},
    .files = CSV_FILES,
    .begin = sherd_bond_files_begin,
    .frame = csv_frame,
    .end = csv_end,
    .close = csv_close,
};

// ---------------------------------------------------------------- ply: meshes of fragments

static sherd_status ply_frame(sherd_format_job *job, const sherd_run_frame *frame,
                              sherd_error *error)
{
    sherd_frame_target where = {job->own, job->path};
    sherd_status status =
        sherd_frame_files_write_ply(job->meshes, job->pose, frame->index, where, error);
    return status == SHERD_OK ? sherd_dust_files_ply(job, frame, error) : status;
}

static const sherd_format_file PLY_FILES[] = {
    {"frame_", ".ply", MADE_BY_RUN}, {"dust_", ".ply", MADE_BY_RUN}, {0}};

const sherd_format sherd_format_ply = {
    .about = {.word = "ply",
              .place = "surface",
              .rest_place = "rest",
              .needs = SHERD_EXPORT_FROM_MESHES,
              .in_runs = true,
              .doc = "  ply      all fragments as one mesh per frame; with --rest undeformed, each "
                     "body in its own\n"
                     "           frame, so that fragments touch exactly\n"
                     "           -o: folder, default RUN/surface, with --rest RUN/rest\n"},
    .files = PLY_FILES,
    .frame = ply_frame,
};

// ---------------------------------------------------------------- xyz: for OVITO, ASE

// After two header lines there is one line per element: its material's name, then the columns that
// the second header line names.

enum { NAME = 64, EXACT = 17, DIGITS = 9 };

// Writes the material's name with blanks replaced by `_`.
static void write_species(sherd_file_writer *writer, const char *name)
{
    char word[NAME];
    size_t n = 0;
    for (; name[n] != '\0' && n + 1 < sizeof word; ++n)
        word[n] = strchr(" \t\r\n\"", name[n]) == NULL ? name[n] : '_';
    word[n] = '\0';
    sherd_file_writer_text(writer, n > 0 ? word : "_");
}

static void write_numbers(sherd_file_writer *writer, const double *values, int count, int digits)
{
    char text[SHERD_NUMBER_SIZE];
    for (int k = 0; k < count; ++k) {
        sherd_file_writer_text(writer, " ");
        sherd_file_writer_text(writer, sherd_number_text(text, values[k], digits));
    }
}

static void write_heading(sherd_file_writer *writer, const sherd_run_model *model,
                          const sherd_run_frame *frame)
{
    char time[SHERD_NUMBER_SIZE];
    sherd_file_writer_printf(
        writer,
        "%d\nProperties=species:S:1:pos:R:3:radius:R:1:mass:R:1:velo:R:3:orientation:R:4:"
        "stress_ratio:R:1:id:I:1:body:I:1:fragment:I:1 pbc=\"F F F\" Frame=%lld Time=%s\n",
        model->element_count, (long long)frame->index, sherd_number_text(time, frame->time, EXACT));
}

static void write_element(sherd_file_writer *writer, const sherd_run_model *model,
                          const sherd_run_frame *f, sherd_element_index k, int body)
{
    const double place[] = {f->x[k], f->y[k], f->z[k]};
    const double rest[] = {
        model->radius[k], model->mass[k], f->vx[k], f->vy[k], f->vz[k],
        f->qx[k],         f->qy[k],       f->qz[k], f->qw[k], (double)f->stress_ratio[k]};
    write_species(writer, model->material_names[model->material[k]]);
    write_numbers(writer, place, 3, EXACT);
    write_numbers(writer, rest, sizeof rest / sizeof rest[0], DIGITS);
    sherd_file_writer_printf(writer, " %d %d %d\n", k, body, f->element_fragment[k]);
}

static sherd_status write_xyz(const char *path, const sherd_run_model *model,
                              const sherd_run_frame *frame, sherd_error *error)
{
    sherd_file_writer *writer = sherd_file_writer_create(path, error);
    if (writer == NULL) return error->status;
    write_heading(writer, model, frame);
    for (int b = 0; b < model->body_count; ++b)
        for (sherd_element_index k = 0; k < model->bodies[b].count; ++k)
            write_element(writer, model, frame, model->bodies[b].first + k, b);
    return sherd_file_writer_commit(writer, error);
}

static sherd_status xyz_frame(sherd_format_job *job, const sherd_run_frame *frame,
                              sherd_error *error)
{
    char path[OUTPUT_PATH];
    sherd_frame_files_path(path, job->path, "elements_", frame->index, ".xyz");
    sherd_status status = sherd_output_list_begin(job->own, path, error);
    if (status == SHERD_OK) status = write_xyz(path, job->model, frame, error);
    if (status == SHERD_OK) status = sherd_output_list_end(job->own, path, error);
    return status == SHERD_OK ? sherd_dust_files_xyz(job, frame, error) : status;
}

static const sherd_format_file XYZ_FILES[] = {
    {"elements_", ".xyz", MADE_IF_LISTED}, {"dust_", ".xyz", MADE_IF_LISTED}, {0}};

const sherd_format sherd_format_xyz = {
    .about = {.word = "xyz",
              .place = "xyz",
              .needs = SHERD_EXPORT_FROM_RUN,
              .doc = "  xyz      elements of each frame as extended XYZ, with radii, velocities "
                     "and fragments; for\n"
                     "           OVITO and ASE\n"
                     "           -o: folder, default RUN/xyz\n"},
    .files = XYZ_FILES,
    .frame = xyz_frame,
};

// Elements as extended XYZ, a file per frame, for particle programs (OVITO, ASE). After two header
// lines there is one line per element: its material's name, then the columns that the second header
// line names.
#include "base/file_writer.h"
#include "output/formats/dust_files.h"
#include "output/formats/format_job.h"
#include "output/formats/frame_files.h"
#include "output/text.h"

#include <string.h>

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

static sherd_status write_file(const char *path, const sherd_run_model *model,
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

static sherd_status write_frame(sherd_format_job *job, const sherd_run_frame *frame,
                                sherd_error *error)
{
    char path[OUTPUT_PATH];
    sherd_frame_files_path(path, job->path, "elements_", frame->index, ".xyz");
    sherd_status status = sherd_output_list_begin(job->own, path, error);
    if (status == SHERD_OK) status = write_file(path, job->model, frame, error);
    if (status == SHERD_OK) status = sherd_output_list_end(job->own, path, error);
    return status == SHERD_OK ? sherd_dust_files_xyz(job, frame, error) : status;
}

static const sherd_format_file FILES[] = {
    {"elements_", ".xyz", MADE_IF_LISTED}, {"dust_", ".xyz", MADE_IF_LISTED}, {0}};

const sherd_format sherd_format_xyz = {
    .about = {.word = "xyz",
              .place = "xyz",
              .needs = SHERD_EXPORT_FROM_RUN,
              .doc = "  xyz      elements of each frame as extended XYZ, with radii, velocities "
                     "and fragments; for\n"
                     "           OVITO and ASE\n"
                     "           -o: folder, default RUN/xyz\n"},
    .files = FILES,
    .frame = write_frame,
};

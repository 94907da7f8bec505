// CSV tables of elements per frame, of all bonds and of their breaks.
#include "output/formats/bond_files.h"
#include "output/formats/contact_files.h"
#include "output/formats/dust_files.h"
#include "output/formats/format_job.h"
#include "output/formats/frame_files.h"

static sherd_status write_frame(sherd_format_job *job, const sherd_run_frame *frame,
                                sherd_error *error)
{
    sherd_frame_target where = {job->own, job->path};
    sherd_status status = sherd_frame_files_write_csv(job->model, frame, where, error);
    if (status == SHERD_OK) status = sherd_contact_files_csv(job, frame, error);
    if (status == SHERD_OK) status = sherd_dust_files_csv(job, frame, error);
    return status == SHERD_OK ? sherd_bond_files_csv(job->state, job->model, frame, error) : status;
}

static sherd_status end(sherd_format_job *job, sherd_error *error)
{
    sherd_status status = sherd_contact_files_csv_end(job, error);
    return status == SHERD_OK ? sherd_bond_files_csv_breaks(job->state, job->model, error) : status;
}

static void close_files(sherd_format_job *job)
{
    sherd_contact_files_close(job);
    sherd_bond_files_end(job);
}

static const sherd_format_file FILES[] = {
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
    .files = FILES,
    .begin = sherd_bond_files_begin,
    .frame = write_frame,
    .end = end,
    .close = close_files,
};

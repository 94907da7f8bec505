#include "output/formats/contact_files.h"

#include "output/formats/frame_files.h"

sherd_status sherd_contact_files_vtk(const sherd_format_job *job, const sherd_run_frame *frame,
                                     sherd_error *error)
{
    if (frame->contacts == NULL) return SHERD_OK;
    char path[OUTPUT_PATH];
    sherd_frame_files_path(path, job->path, "contacts_", frame->index, ".vtp");
    sherd_status status = sherd_output_list_begin(job->own, path, error);
    if (status == SHERD_OK) status = sherd_vtp_write_contacts(path, frame, error);
    return status == SHERD_OK ? sherd_output_list_end(job->own, path, error) : status;
}

static sherd_status begin_table(sherd_format_job *job, sherd_error *error)
{
    char path[OUTPUT_PATH];
    sherd_output_path(job->path, SHERD_CONTACTS_CSV, path);
    sherd_status status = sherd_output_list_begin(job->own, path, error);
    if (status != SHERD_OK) return status;
    job->contacts = sherd_csv_contacts_create(path, job->model, error);
    return job->contacts != NULL ? SHERD_OK : error->status;
}

sherd_status sherd_contact_files_csv(sherd_format_job *job, const sherd_run_frame *frame,
                                     sherd_error *error)
{
    if (frame->contacts == NULL) return SHERD_OK;
    sherd_status status = job->contacts == NULL ? begin_table(job, error) : SHERD_OK;
    if (status == SHERD_OK) sherd_csv_contacts_frame(job->contacts, frame);
    return status;
}

sherd_status sherd_contact_files_csv_end(sherd_format_job *job, sherd_error *error)
{
    if (job->contacts == NULL) return SHERD_OK;
    char path[OUTPUT_PATH];
    sherd_output_path(job->path, SHERD_CONTACTS_CSV, path);
    sherd_csv_contacts *table = job->contacts;
    job->contacts = NULL;
    sherd_status status = sherd_csv_contacts_commit(table, error);
    return status == SHERD_OK ? sherd_output_list_end(job->own, path, error) : status;
}

void sherd_contact_files_close(sherd_format_job *job)
{
    sherd_csv_contacts_abort(job->contacts);
    job->contacts = NULL;
}

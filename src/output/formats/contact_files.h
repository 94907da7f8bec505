// Forces of contacts among the files of exports and runs, where frames have them: contacts.csv of all frames,
// contacts_000012.vtp of each.
#pragma once

#include "output/formats/format_job.h"

#define SHERD_CONTACTS_CSV "contacts.csv"

sherd_status sherd_contact_files_vtk(const sherd_format_job *job, const sherd_run_frame *frame,
                                     sherd_error *error);

// The table is begun with the first frame that has them, and gets its name at the end.
sherd_status sherd_contact_files_csv(sherd_format_job *job, const sherd_run_frame *frame,
                                     sherd_error *error);
sherd_status sherd_contact_files_csv_end(sherd_format_job *job, sherd_error *error);
void sherd_contact_files_close(sherd_format_job *job);

// Export files of contact forces: contacts.csv for all frames, contacts_000012.vtp for each. They
// exist if frames have contact forces.
#pragma once

#include "output/formats/format_job.h"

#define SHERD_CONTACTS_CSV "contacts.csv"

sherd_status sherd_contact_files_vtk(const sherd_format_job *job, const sherd_run_frame *frame,
                                     sherd_error *error);

// The table starts with the first frame that has contact forces and is finished at the end.
sherd_status sherd_contact_files_csv(sherd_format_job *job, const sherd_run_frame *frame,
                                     sherd_error *error);
sherd_status sherd_contact_files_csv_end(sherd_format_job *job, sherd_error *error);
void sherd_contact_files_close(sherd_format_job *job);

#include "temporary_folder.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>

bool temporary_folder_make(const char *place, char folder[TEMPORARY_FOLDER])
{
    if (place == NULL) place = getenv("TMPDIR");
    if (place == NULL) place = "/tmp";
    int length = snprintf(folder, TEMPORARY_FOLDER, "%s/.sherd-XXXXXX", place);
    errno = ENAMETOOLONG;
    return length > 0 && length < TEMPORARY_FOLDER && mkdtemp(folder) != NULL;
}

static int remove_entry(const char *path, const struct stat *about, int kind, struct FTW *place)
{
    (void)about, (void)kind, (void)place;
    return remove(path);
}

void temporary_folder_remove(const char *folder)
{
    enum { OPEN_FOLDERS = 8 };
    nftw(folder, remove_entry, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
}

#include "output/files/overwrite_check.h"

#include <sherd/file.h>

#include <stdio.h>
#include <sys/stat.h>

void sherd_in_the_way_add(sherd_overwrite_check *w, const char *path)
{
    if (w->count++ == 0) snprintf(w->first, sizeof w->first, "%s", path);
}

void sherd_overwrite_check_file(sherd_overwrite_check *w, const char *path)
{
    if (sherd_output_list_foreign(w->own, path)) sherd_in_the_way_add(w, path);
}

void sherd_overwrite_check_folder(sherd_overwrite_check *w, const char *path)
{
    struct stat status;
    if (lstat(path, &status) == 0 && !S_ISDIR(status.st_mode)) sherd_in_the_way_add(w, path);
}

sherd_status sherd_overwrite_check_result(const sherd_overwrite_check *w, sherd_error *error)
{
    return sherd_file_refuse(w->first, w->count, error);
}

#include "results/result_files.h"

#include "message.h"

#include <sherd/file.h>

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool begins_with(const char *path, const char *first)
{
    char there[256];
    size_t size = strlen(first);
    FILE *file = fopen(path, "rbe");
    bool same = file != NULL && size <= sizeof there && fread(there, 1, size, file) == size &&
                memcmp(there, first, size) == 0;
    if (file != NULL) fclose(file);
    return same;
}

static bool is_foreign(const char *path, const char *first)
{
    struct stat status;
    if (lstat(path, &status) != 0) return false;
    if (!S_ISREG(status.st_mode)) return true;
    return status.st_size > 0 && first != NULL && !begins_with(path, first);
}

sherd_status result_files_make_way(const char *folder, const result_file *files, int count,
                                   bool overwrite, sherd_error *error)
{
    char first_in_the_way[MESSAGE_PATH] = "";
    int64_t in_the_way = 0;
    for (int k = 0; k < count; ++k) {
        char path[MESSAGE_PATH];
        message_path(folder, files[k].name, path);
        bool foreign = is_foreign(path, files[k].first);
        // Foreign tables are not detected here; their writer refuses to overwrite them.
        if (overwrite && (foreign || files[k].first == NULL))
            unlink(path); // the file may not exist; failures are reported when it is written
        else if (foreign && in_the_way++ == 0)
            snprintf(first_in_the_way, sizeof first_in_the_way, "%s", path);
    }
    return sherd_file_refuse(first_in_the_way, in_the_way, error);
}

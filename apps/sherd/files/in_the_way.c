#include "files/in_the_way.h"

#include <stdio.h>
#include <sys/stat.h>

void in_the_way_add(in_the_way *w, const char *path)
{
    if (w->count++ == 0) snprintf(w->first, sizeof w->first, "%s", path);
}

void in_the_way_look(in_the_way *w, const char *path)
{
    if (own_files_foreign(w->own, path)) in_the_way_add(w, path);
}

void in_the_way_look_at_folder(in_the_way *w, const char *path)
{
    struct stat status;
    if (lstat(path, &status) == 0 && !S_ISDIR(status.st_mode)) in_the_way_add(w, path);
}

sherd_status in_the_way_result(const in_the_way *w, sherd_error *error)
{
    if (w->count == 0) return SHERD_OK;
    *error = (sherd_error){
        .status = SHERD_ERROR_INPUT,
        .what = "this is in the way, and Sherd does not know it as its own; nothing was touched",
        .hint = "move it away or choose another place with -o; --overwrite writes over it"};
    snprintf(error->where, sizeof error->where, "%.500s", w->first);
    if (w->count > 1)
        snprintf(error->what, sizeof error->what,
                 "this and %lld more are in the way, and Sherd does not know them as its own; "
                 "nothing was touched",
                 (long long)w->count - 1);
    return error->status;
}

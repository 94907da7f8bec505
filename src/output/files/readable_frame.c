#include "output/files/readable_frame.h"

#include "base/assertion.h"
#include "output/run_file/run_check.h"

#include <stdio.h>
#include <string.h>

static bool is_damaged(sherd_run *run, int64_t frame)
{
    sherd_error ignored;
    return sherd_run_check_frame(run, frame, &ignored) == SHERD_ERROR_INPUT;
}

sherd_run_frame *sherd_readable_frame(sherd_run *run, int64_t index, int64_t first, int64_t last,
                                      sherd_error *error)
{
    SHERD_ASSERT(first <= index && index <= last, "the frame is one of those to choose from");
    int64_t found = index;
    while (found >= first && is_damaged(run, found))
        --found;
    if (found < first)
        for (found = index + 1; found <= last && is_damaged(run, found); ++found)
            ;
    sherd_run_frame *frame = sherd_run_read_frame(run, found <= last ? found : index, error);
    if (frame != NULL) frame->index = index;
    return frame;
}

// Appends ", 7 to 9"; false if there is no room.
static bool add_range(char names[SHERD_DAMAGED_NAMES], int64_t first, int64_t last)
{
    char text[64];
    size_t used = strlen(names);
    const char *comma = used > 0 ? ", " : "";
    if (first == last)
        snprintf(text, sizeof text, "%s%lld", comma, (long long)first);
    else
        snprintf(text, sizeof text, "%s%lld to %lld", comma, (long long)first, (long long)last);
    bool fits = used + strlen(text) + sizeof " and more" <= SHERD_DAMAGED_NAMES;
    snprintf(names + used, SHERD_DAMAGED_NAMES - used, "%s", fits ? text : " and more");
    return fits;
}

int64_t sherd_run_damaged_frames(sherd_run *run, int64_t first, int64_t last,
                                 char names[SHERD_DAMAGED_NAMES])
{
    int64_t count = 0, begin = -1;
    bool room = names != NULL;
    if (room) names[0] = '\0';
    for (int64_t k = first; k <= last + 1; ++k) {
        bool damaged = k <= last && is_damaged(run, k);
        count += damaged;
        if (damaged && begin < 0) begin = k;
        if (damaged || begin < 0) continue;
        if (room) room = add_range(names, begin, k - 1);
        begin = -1;
    }
    return count;
}

// Run files: everything in them is read. The mutator is that of fuzz_chunks.c.
#include "fuzz.h"

#include <sherd/run_file.h>

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    sherd_error error;
    sherd_run *run = sherd_run_open(fuzz_file(data, size), &error);
    if (run == NULL) return 0;
    sherd_run_info info = sherd_run_get_info(run);
    size_t text = strlen(info.name) + strlen(info.scene_text);
    for (int k = 0; k < info.setting_count; ++k)
        text += strlen(info.settings[k]);
    sherd_run_stats stats;
    int64_t count = sherd_run_frame_count(run);
    for (int64_t k = 0; k < count && text > 0; ++k)
        sherd_run_read_stats(run, k, &stats, &error);
    for (int64_t k = count - 1; k >= 0 && k > count - 4; --k)
        sherd_run_frame_destroy(sherd_run_read_frame(run, k, &error));
    sherd_run_breaks_destroy(sherd_run_read_breaks(run, count - 1, &error));
    sherd_run_ignored_bytes(run);
    sherd_run_close(run);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    return fuzz_change_chunks(data, size, max_size, seed);
}

// sherd bench in builds without benchmarks (-DSHERD_BENCH=OFF): prints how to get them.
#include "bench/bench.h"
#include "message.h"
#include "options.h"

int command_bench(const command_options *options)
{
    (void)options;
    return message_usage("this sherd was built without benchmarks", NULL,
                         "build with SHERD_BENCH=ON, as `make` does");
}

// sherd: the command. Built on the library's public headers only.
#include "command_table.h"
#include "message.h"
#include "shell/help.h"
#include "standard_streams.h"

#include <sherd/simd.h>
#include <sherd/version.h>

#include <signal.h>
#include <stdio.h>
#include <string.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

static int run_command(const command *c, int count, char **words)
{
    command_options parsed;
    int status = options_parse(&parsed, count, words);
    sherd_error error;
    if (status == 0 && !parsed.help && sherd_simd_choose(parsed.simd, &error) != SHERD_OK) {
        message_error(&error);
        status = EXIT_USAGE;
    }
    if (status == 0 && !parsed.help)
        status = c->run(&parsed);
    else if (status == 0)
        help_print_command(stdout, c);
    options_free(&parsed);
    return status;
}

static int run_words(int argc, char **argv)
{
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        help_print(argc < 2 ? stderr : stdout);
        return argc < 2 ? EXIT_USAGE : EXIT_DONE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("sherd %s\n", sherd_version());
        return EXIT_DONE;
    }
    for (int k = 0; k < commands_count(); ++k)
        if (strcmp(argv[1], commands_get(k)->name) == 0)
            return run_command(commands_get(k), argc - 2, argv + 2);
    return message_usage("unknown command", argv[1], "sherd --help lists them");
}

// Each picture and surface allocates and frees memory. If it were returned to the system, clearing
// its pages again would cost 15 % of a picture. So up to some hundred megabytes of free memory are
// retained.
static void keep_memory(void)
{
#if defined(__GLIBC__)
    mallopt(M_MMAP_THRESHOLD, 32 << 20); // larger arrays are returned [bytes]; glibc's maximum
    mallopt(M_TRIM_THRESHOLD, 512 << 20);
#endif
}

int main(int argc, char **argv)
{
    keep_memory();
    if (!standard_streams_open()) return EXIT_FAILED;
    signal(SIGXFSZ, SIG_IGN); // report file size limits as ordinary write errors
    int status = run_words(argc, argv);
    return standard_output_flush() || status != EXIT_DONE ? status : EXIT_FAILED;
}

// sherd view for builds without the server: prints an error.
#include "commands.h"
#include "message.h"

int command_view(const command_options *options)
{
    (void)options;
    return message_usage("this sherd was built without libmicrohttpd, which `sherd view` needs",
                         NULL,
                         "install libmicrohttpd-dev (scripts/setup does) and build again; sherd "
                         "export RUN --to html needs nothing");
}

// A web page that plays the run in a browser.
#include "output/page/page.h"

static const sherd_format_file FILES[] = {{"run.html", NULL, MADE_IF_LISTED}, {0}};

const sherd_format sherd_format_html = {
    .about = {.word = "html",
              .place = "run.html",
              .needs = SHERD_EXPORT_FROM_SCENE,
              .in_runs = true,
              .whole = true,
              .doc = "  html     one page that plays the run in a browser, from disk and without a "
                     "network\n"
                     "           -o: file or folder, default RUN/run.html\n"},
    .files = FILES,
    .elements_alone = true,
    .end = sherd_page_write,
};

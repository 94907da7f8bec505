#include "output/page/page_assets.h"

// Only the assembler reads these files, so the build lists them as dependencies of this file
// (src/output/CMakeLists.txt).
#define EMBED(symbol, path)                                                                        \
    __asm__(".section .rodata\n"                                                                   \
            ".balign 16\n"                                                                         \
            "sherd_page_" #symbol ":\n.incbin \"" SHERD_SOURCE_DIR "/" path "\"\n"                 \
            "sherd_page_" #symbol "_end:\n.byte 0\n.previous\n");                                  \
    extern const unsigned char sherd_page_##symbol[], sherd_page_##symbol##_end[];

#define VIEWER "src/output/page/viewer/"

// Kind, symbol, name, file.
#define ASSETS(ROW)                                                                                \
    ROW(STYLE, style, "style.css", VIEWER "style.css")                                             \
    ROW(MARKUP, markup, "page.html", VIEWER "page.html")                                           \
    ROW(MODULE, three, "three", "third_party/three/three.module.min.js")                           \
    ROW(MODULE, data, "data.js", VIEWER "data.js")                                                 \
    ROW(MODULE, colors, "colors.js", VIEWER "colors.js")                                           \
    ROW(MODULE, normals, "normals.js", VIEWER "normals.js")                                        \
    ROW(MODULE, orbit, "orbit.js", VIEWER "orbit.js")                                              \
    ROW(MODULE, stage, "stage.js", VIEWER "stage.js")                                              \
    ROW(MODULE, pieces, "pieces.js", VIEWER "pieces.js")                                           \
    ROW(MODULE, points, "points.js", VIEWER "points.js")                                           \
    ROW(MODULE, dust, "dust.js", VIEWER "dust.js")                                                 \
    ROW(MODULE, curves, "curves.js", VIEWER "curves.js")                                           \
    ROW(MODULE, live, "live.js", VIEWER "live.js")                                                 \
    ROW(MODULE, main, "main.js", VIEWER "main.js")                                                 \
    ROW(BOOT, boot, "boot.js", VIEWER "boot.js")

#define EMBED_ROW(kind, symbol, name, path) EMBED(symbol, path)
ASSETS(EMBED_ROW)

#define LIST_ROW(kind, symbol, name, path)                                                         \
    {SHERD_PAGE_##kind, name, sherd_page_##symbol, sherd_page_##symbol##_end},

static const struct {
    sherd_page_asset_kind kind;
    const char *name;
    const unsigned char *begin, *end;
} TABLE[] = {ASSETS(LIST_ROW)};

int sherd_page_asset_count(void)
{
    return sizeof TABLE / sizeof TABLE[0];
}

sherd_page_asset sherd_page_asset_get(int k)
{
    return (sherd_page_asset){TABLE[k].kind, TABLE[k].name, TABLE[k].begin,
                              (size_t)(TABLE[k].end - TABLE[k].begin)};
}

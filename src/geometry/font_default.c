// The font found by the build (cmake/dependencies.cmake), embedded as bytes: no file is needed at
// run time.
#include "geometry/font.h"

__asm__(".pushsection .rodata\n"
        ".balign 16\n"
        ".globl sherd_font_default\n"
        ".hidden sherd_font_default\n"
        "sherd_font_default:\n"
        ".incbin \"" SHERD_FONT_FILE "\"\n"
        ".globl sherd_font_default_end\n"
        ".hidden sherd_font_default_end\n"
        "sherd_font_default_end:\n"
        ".byte 0\n"
        ".popsection\n");

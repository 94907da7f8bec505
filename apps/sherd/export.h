// sherd export
#pragma once

#include <stdio.h>

// The help of it, with what the library's formats say of themselves.
void export_print_help(FILE *to);

// "ply, vtk, csv": the words of all formats; before the last `last`. Into `text`, which is returned.
enum { EXPORT_WORDS = 256 };
const char *export_words(const char *last, char text[EXPORT_WORDS]);

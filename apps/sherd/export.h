// sherd export
#pragma once

#include <stdio.h>

// Prints the help, including the descriptions of the library's formats.
void export_print_formats(FILE *to);

// "ply, vtk, csv": the names of all formats, with `last` before the last one. Returns `text`.
enum { EXPORT_WORDS = 256 };
const char *export_words(const char *last, char text[EXPORT_WORDS]);

// Meshes and motions of all pieces as plain arrays, for the Blender add-on.
#include "output/formats/piece_file.h"

static const sherd_format_file FILES[] = {{"run.pieces", NULL, MADE_IF_LISTED}, {0}};

const sherd_format sherd_format_pieces = {
    .about = {.word = "pieces",
              .place = "run.pieces",
              .needs = SHERD_EXPORT_FROM_SCENE,
              .whole = true,
              .doc = "  pieces  one binary file of plain arrays: meshes, poses of what is rigid, "
                     "vertices of what\n"
                     "         bends, granules, speed and stress; the Blender add-on reads it   "
                     "PLACE: file or\n"
                     "         folder, default RUN/run.pieces\n"},
    .files = FILES,
    .elements_alone = true,
    .end = sherd_piece_file_write,
};

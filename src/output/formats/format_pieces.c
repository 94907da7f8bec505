// Meshes and motions of all pieces as plain arrays, for the Blender add-on.
#include "output/formats/piece_file.h"

static const sherd_format_file FILES[] = {{"run.pieces", NULL, MADE_IF_LISTED}, {0}};

const sherd_format sherd_format_pieces = {
    .about = {.word = "pieces",
              .place = "run.pieces",
              .needs = SHERD_EXPORT_FROM_SCENE,
              .whole = true,
              .doc = "  pieces   meshes, poses of rigid pieces, vertices of bending ones, "
                     "granules, speed and stress\n"
                     "           as plain arrays in one file; for the Blender add-on and your own "
                     "programs\n"
                     "           -o: file or folder, default RUN/run.pieces\n"},
    .files = FILES,
    .elements_alone = true,
    .end = sherd_piece_file_write,
};

// Formats of one file, or one set of files, for all frames.
#include "output/formats/deforming_mesh.h"
#include "output/formats/picture_files.h"
#include "output/formats/piece_file.h"
#include "output/formats/rigid_animation.h"
#include "output/page/page.h"

// ---------------------------------------------------------------- glb: rigid fragments over time

static sherd_status write_glb(sherd_format_job *job, sherd_error *error)
{
    return sherd_rigid_animation_write(job, SHERD_ANIMATION_GLB, error);
}

static const sherd_format_file GLB_FILES[] = {{"run.glb", NULL, MADE_BY_RUN}, {0}};

const sherd_format sherd_format_glb = {
    .about = {.word = "glb",
              .place = "run.glb",
              .needs = SHERD_EXPORT_FROM_SCENE,
              .in_runs = true,
              .whole = true,
              .doc = "  glb      rigid fragments in one animated file, with a second material on "
                     "broken faces; for\n"
                     "           Blender, Houdini, web viewers\n"
                     "           -o: file or folder, default RUN/run.glb\n"},
    .files = GLB_FILES,
    .end = write_glb,
};

// ---------------------------------------------------------------- usd: the same for pipelines

static sherd_status write_usd(sherd_format_job *job, sherd_error *error)
{
    return sherd_rigid_animation_write(job, SHERD_ANIMATION_USDC, error);
}

static const sherd_format_file USD_FILES[] = {
    {"run.usdc", NULL, MADE_BY_RUN},
    SHERD_PICTURE_FILES,
    {0},
};

const sherd_format sherd_format_usd = {
    .about = {.word = "usd",
              .place = "run.usdc",
              .needs = SHERD_EXPORT_FROM_SCENE,
              .in_runs = true,
              .whole = true,
              .doc = "  usd      pieces, bending ones with moving vertices, granules and dust as "
                     "instances, with\n"
                     "           velocities, stress and age (.usdc); for Houdini and other USD "
                     "pipelines\n"
                     "           -o: file or folder, default RUN/run.usdc\n"},
    .files = USD_FILES,
    .end = write_usd,
};

// ---------------------------------------------------------------- usda: the same as text

static sherd_status write_usda(sherd_format_job *job, sherd_error *error)
{
    return sherd_rigid_animation_write(job, SHERD_ANIMATION_USDA, error);
}

static const sherd_format_file USDA_FILES[] = {
    {"run.usda", NULL, MADE_BY_EXPORT},
    SHERD_PICTURE_FILES,
    {0},
};

const sherd_format sherd_format_usda = {
    .about = {.word = "usda",
              .place = "run.usda",
              .needs = SHERD_EXPORT_FROM_SCENE,
              .whole = true,
              .doc = "  usda     the same as text, five times as large\n"
                     "           -o: file or folder, default RUN/run.usda\n"},
    .files = USDA_FILES,
    .end = write_usda,
};

// ---------------------------------------------------------------- obj-pc2: one mesh with moving vertices

static const sherd_format_file OBJ_PC2_FILES[] = {
    {"run.obj", NULL, MADE_BY_EXPORT},
    {"run.mtl", NULL, MADE_BY_EXPORT},
    {"run.pc2", NULL, MADE_BY_EXPORT},
    SHERD_PICTURE_FILES,
    {0},
};

const sherd_format sherd_format_obj_pc2 = {
    .about = {.word = "obj-pc2",
              .place = "run.obj",
              .needs = SHERD_EXPORT_FROM_SCENE,
              .whole = true,
              .doc = "  obj-pc2  one mesh and a point cache that moves its vertices (OBJ, MTL, "
                     "PC2), for bodies that\n"
                     "           bend and break; for Blender (Mesh Cache) and Houdini\n"
                     "           -o: .obj file or folder, default RUN/run.obj\n"},
    .files = OBJ_PC2_FILES,
    .end = sherd_deforming_mesh_write,
};

// ---------------------------------------------------------------- pieces: plain arrays, for the Blender add-on

static const sherd_format_file PIECES_FILES[] = {{"run.pieces", NULL, MADE_IF_LISTED}, {0}};

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
    .files = PIECES_FILES,
    .elements_alone = true,
    .end = sherd_piece_file_write,
};

// ---------------------------------------------------------------- html: a page that plays the run

static const sherd_format_file HTML_FILES[] = {{"run.html", NULL, MADE_IF_LISTED}, {0}};

const sherd_format sherd_format_html = {
    .about = {.word = "html",
              .place = "run.html",
              .needs = SHERD_EXPORT_FROM_SCENE,
              .in_runs = true,
              .whole = true,
              .doc = "  html     one page that plays the run in a browser, from disk and without a "
                     "network\n"
                     "           -o: file or folder, default RUN/run.html\n"},
    .files = HTML_FILES,
    .elements_alone = true,
    .end = sherd_page_write,
};

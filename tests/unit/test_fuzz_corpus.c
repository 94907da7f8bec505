// fuzz: which parsers the corpora of meshes reach. A format without a seed is one that no fuzzer ever finds: glTF was
// read for months before it had one.
#include "base/file_writer.h"
#include "base/memory.h"
#include "output/byte_order.h"
#include "output/mesh_file/mesh_formats.h"

#include <sherd/tetra.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#define CORPUS SHERD_TEST_SOURCE_DIR "/fuzz/corpus/"

typedef sherd_status parser(const sherd_mesh_source *source, sherd_mesh_builder *builder,
                            sherd_error *error);

// What seeds have to be read whole by, and what in them. `begins`: the first bytes; NULL: any.
typedef struct reach {
    const char *name, *begins, *holds;
    parser *parse;
    int whole; // seeds that it takes
    bool uv, color, groups, picture, kinds;
} reach;

static bool holds(const unsigned char *bytes, size_t size, const char *text)
{
    return text == NULL || memmem(bytes, size, text, strlen(text)) != NULL;
}

static void try_parser(reach *r, const sherd_mesh_source *source)
{
    const char *begins = r->begins != NULL ? r->begins : "";
    enum { STL_HEADER = 84, STL_RECORD = 50 };
    if (source->size < STL_HEADER || memcmp(source->bytes, begins, strlen(begins)) != 0 ||
        !holds(source->bytes, source->size, r->holds))
        return;
    // Has no mark of its own, but the size that its count of triangles says.
    if (r->parse == sherd_mesh_parse_stl_binary &&
        source->size != STL_HEADER + STL_RECORD * (size_t)sherd_load_u32(source->bytes + 80,
                                                                         SHERD_LITTLE_ENDIAN))
        return;
    sherd_mesh_builder builder = {0};
    if (r->parse(source, &builder, NULL) == SHERD_OK && builder.triangle_count > 0) {
        ++r->whole;
        r->uv = r->uv || builder.has_uv;
        r->color = r->color || builder.has_color;
        r->groups = r->groups || builder.group_count > 1;
        r->picture = r->picture || builder.picture_count > 0;
        r->kinds = r->kinds || builder.has_face_kind;
    }
    sherd_mesh_builder_release(&builder);
}

static void each_seed(const char *folder, void (*look)(void *context, const sherd_mesh_source *),
                      void *context)
{
    DIR *entries = opendir(folder);
    cr_assert_not_null(entries);
    for (struct dirent *e; (e = readdir(entries)) != NULL;) {
        char path[512];
        unsigned char *bytes = NULL;
        size_t size = 0;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        if (e->d_name[0] == '.' || sherd_file_read(path, &bytes, &size, NULL) != SHERD_OK) continue;
        look(context, &(sherd_mesh_source){path, bytes, size, 1.0});
        sherd_free(bytes);
    }
    closedir(entries);
}

enum { PARSERS = 8 };

static void look_at_mesh(void *context, const sherd_mesh_source *source)
{
    reach *all = context;
    for (int k = 0; k < PARSERS; ++k)
        try_parser(&all[k], source);
}

Test(fuzz_corpus, every_parser_of_meshes_is_reached)
{
    reach all[PARSERS] = {
        {"STL, text", "solid", "facet", sherd_mesh_parse_stl_text, 0, 0, 0, 0, 0, 0},
        {"STL, binary", NULL, NULL, sherd_mesh_parse_stl_binary, 0, 0, 0, 0, 0, 0},
        {"OBJ", NULL, "\nf ", sherd_mesh_parse_obj, 0, 0, 0, 0, 0, 0},
        {"PLY, text", "ply", "ascii", sherd_mesh_parse_ply, 0, 0, 0, 0, 0, 0},
        {"PLY, little end first", "ply", "binary_little", sherd_mesh_parse_ply, 0, 0, 0, 0, 0, 0},
        {"PLY, big end first", "ply", "binary_big", sherd_mesh_parse_ply, 0, 0, 0, 0, 0, 0},
        {"glTF, text", "{", "base64", sherd_mesh_parse_gltf, 0, 0, 0, 0, 0, 0},
        {"glTF, binary", "glTF", NULL, sherd_mesh_parse_gltf, 0, 0, 0, 0, 0, 0}};
    each_seed(CORPUS "mesh", look_at_mesh, all);
    for (int k = 0; k < PARSERS; ++k) {
        const reach *r = &all[k];
        printf("%-22s %d seeds%s%s%s%s%s\n", r->name, r->whole, r->uv ? ", uv" : "",
               r->color ? ", colours" : "", r->groups ? ", groups" : "",
               r->picture ? ", pictures" : "", r->kinds ? ", kinds of faces" : "");
        cr_assert_gt(r->whole, 0, "no seed in corpus/mesh is read whole as %s", r->name);
    }
    cr_assert(all[2].uv && all[2].color && all[2].groups, "OBJ");
    cr_assert(all[3].uv && all[3].color && all[3].kinds, "PLY");
    for (int k = 6; k < 8; ++k)
        cr_assert(all[k].uv && all[k].color && all[k].groups && all[k].picture, "glTF");
}

// [version 2 or 4.1][text or binary]
static void look_at_msh(void *context, const sherd_mesh_source *source)
{
    int(*whole)[2] = context;
    double version;
    int kind;
    sherd_tetra_mesh *mesh = sherd_tetra_mesh_read(source->path, 1.0, NULL, NULL);
    if (mesh != NULL &&
        sscanf((const char *)source->bytes, "$MeshFormat %lf %d", &version, &kind) == 2)
        ++whole[version > 3.0][kind != 0];
    sherd_tetra_mesh_destroy(mesh);
}

Test(fuzz_corpus, every_version_of_msh_is_reached)
{
    int whole[2][2] = {{0}};
    each_seed(CORPUS "msh", look_at_msh, whole);
    for (int version = 0; version < 2; ++version)
        for (int kind = 0; kind < 2; ++kind) {
            printf("msh %s, %s: %d seeds\n", version ? "4.1" : "2.2", kind ? "binary" : "text",
                   whole[version][kind]);
            cr_assert_gt(whole[version][kind], 0);
        }
}

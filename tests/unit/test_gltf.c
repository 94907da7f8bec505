// output: glTF meshes, as text and binary.
#include "geometry/mesh/mesh_access.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static sherd_mesh *read_text(const char *text, sherd_error *error)
{
    char path[64];
    snprintf(path, sizeof path, "/tmp/sherd_gltf_%d.gltf", (int)getpid());
    FILE *file = fopen(path, "wb");
    fwrite(text, 1, strlen(text), file);
    fclose(file);
    sherd_mesh *mesh = sherd_mesh_read(path, 1.0, error);
    remove(path);
    return mesh;
}

// A triangle (0,0,0) (1,0,0) (0,1,0) with bytes for indices: 36 + 3 bytes.
#define TRIANGLE "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAEC"
#define HEAD                                                                                       \
    "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":39,\"uri\":\"data:application/" \
    "octet-stream;base64," TRIANGLE "\"}],"
#define TABLES                                                                                     \
    "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36},{\"buffer\":0,\"byteOffset\":36,"           \
    "\"byteLength\":3}],\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,"      \
    "\"type\":\"VEC3\"},{\"bufferView\":1,\"componentType\":5121,\"count\":3,\"type\":"            \
    "\"SCALAR\"}],\"materials\":[{\"name\":\"glaze\"}],"                                           \
    "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1,"                 \
    "\"material\":0}]}],"

Test(gltf, nodes_place_meshes_and_z_is_up)
{
    sherd_error error;
    sherd_mesh *mesh =
        read_text(HEAD TABLES "\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":[{"
                              "\"translation\":[10,20,30],\"children\":[1,2]},{\"mesh\":0,"
                              "\"scale\":[2,2,2]},{\"mesh\":0,\"scale\":[-1,1,1]}]}",
                  &error);
    cr_assert_not_null(mesh, "%s", error.what);
    cr_assert_eq(mesh->triangle_count, 2);
    cr_assert_eq(mesh->vertex_count, 6);
    // (x, y, z) -> (x, -z, y)
    sherd_vec3 c = mesh_vertex(mesh, 2);
    cr_assert(c.x == 10.0 && c.y == -30.0 && c.z == 22.0);
    // Mirrored triangles are turned: all face glTF's +z, which is -y here.
    for (int32_t t = 0; t < 2; ++t)
        cr_assert_lt(mesh_area_vector(mesh, t).y, 0.0);
    cr_assert_eq(mesh->group_count, 1);
    cr_assert_str_eq(sherd_mesh_group_name(mesh, mesh->group[1]), "glaze");
    sherd_mesh_destroy(mesh);
}

// Half of linear light is 0.735 on a screen; colours of vertices are factors on the material's.
Test(gltf, materials_and_colours_of_vertices)
{
    sherd_error error;
    sherd_mesh *mesh = read_text(
        HEAD
        "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],\"accessors\":[{\"bufferView\":0,"
        "\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],\"materials\":["
        "{\"pbrMetallicRoughness\":{\"baseColorFactor\":[0.5,1,0.2,0.3],\"roughnessFactor\":0.4,"
        "\"baseColorTexture\":{\"index\":0}},\"alphaMode\":\"BLEND\"},{\"name\":\"plain\"}],"
        "\"textures\":[{\"source\":0}],\"images\":[{\"uri\":\"data:image/png;base64,iVBO\"}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0,\"COLOR_0\":0},"
        "\"material\":0},{\"attributes\":{\"POSITION\":0},\"material\":1}]}],"
        "\"nodes\":[{\"mesh\":0}],\"scenes\":[{\"nodes\":[0]}]}",
        &error);
    cr_assert_not_null(mesh, "%s", error.what);
    cr_assert_eq(mesh->group_count, 2);
    cr_assert_str_eq(sherd_mesh_group_name(mesh, 0), "material_0");
    const sherd_mesh_material *m = mesh->materials;
    cr_assert(m[0].color[2] == 0.2f && m[0].roughness == 0.4f && m[0].metal == 1.0f);
    cr_assert(m[0].opacity == 0.3f && m[0].picture == 0 && m[1].picture == -1);
    cr_assert(m[1].color[0] == 1.0f && m[1].roughness == 1.0f);
    cr_assert(mesh->picture_count == 1 && mesh->pictures[0].size == 3);
    cr_assert_eq(memcmp(mesh->pictures[0].bytes, "\x89PN", 3), 0);
    // Vertex 1 has the colour (1, 0, 0); the second primitive has none, which is white.
    cr_assert_float_eq(mesh->color[3], 0.7354f, 1e-4);
    cr_assert(mesh->color[4] == 0.0f && mesh->color[5] == 0.0f);
    cr_assert_float_eq(mesh->color[9], 1.0f, 1e-6);
    sherd_mesh_destroy(mesh);
}

static void check_refused(const char *text, const char *what)
{
    sherd_error error = {0};
    cr_assert_null(read_text(text, &error));
    cr_assert_eq(error.status, SHERD_ERROR_INPUT);
    cr_assert_not_null(strstr(error.what, what), "'%s' should say '%s'", error.what, what);
}

#define SCENE "\"scenes\":[{\"nodes\":[0]}],"

Test(gltf, damaged_files_are_refused)
{
    check_refused("{\"asset\":", "JSON");
    check_refused("{\"asset\":{\"version\":\"1.0\"}}", "version 1.0");
    check_refused(HEAD SCENE "\"nodes\":[]}", "no triangles");
    check_refused(HEAD TABLES SCENE "\"nodes\":[{\"children\":[0]}]}", "contain themselves");
    check_refused(
        HEAD
        "\"accessors\":[{\"bufferView\":7,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}]," SCENE
        "\"nodes\":[{\"mesh\":0}]}",
        "beyond its buffer");
    check_refused(HEAD "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],"
                       "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":"
                       "9223372036854775807,\"type\":\"VEC3\"}],"
                       "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}]," SCENE
                       "\"nodes\":[{\"mesh\":0}]}",
                  "beyond its buffer");
    check_refused("{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":1,\"uri\":\"../"
                  "secret.bin\"}]}",
                  "its own folder");
    check_refused(
        "{\"asset\":{\"version\":\"2.0\"},\"extensionsRequired\":[\"KHR_draco_mesh_compression\"]}",
        "compressed");
}

// As a float, an index may be 1e22, which is no vertex's number and no int64_t.
Test(gltf, indices_are_unsigned_whole_numbers)
{
    static const int TYPES[] = {5120, 5122, 5126};
    char text[2048];
    for (int k = 0; k < 3; ++k) {
        snprintf(text, sizeof text,
                 HEAD "\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],\"accessors\":["
                      "{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"},"
                      "{\"bufferView\":0,\"componentType\":%d,\"count\":3,\"type\":\"SCALAR\"}],"
                      "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},"
                      "\"indices\":1}]}]," SCENE "\"nodes\":[{\"mesh\":0}]}",
                 TYPES[k]);
        check_refused(text, "unsigned whole numbers");
    }
}

// A node thirty levels deep that has each level twice stands for a billion triangles.
Test(gltf, copies_of_meshes_are_bounded)
{
    char text[8192];
    size_t at = (size_t)snprintf(text, sizeof text, HEAD TABLES SCENE "\"nodes\":[");
    for (int k = 1; k < 30; ++k)
        at += (size_t)snprintf(text + at, sizeof text - at, "{\"children\":[%d,%d]},", k, k);
    snprintf(text + at, sizeof text - at, "{\"mesh\":0}]}");
    check_refused(text, "repeat meshes");
}

// Two primitives of one table of six vertices: each has the three that it uses.
Test(gltf, a_part_of_a_table_has_its_own_vertices)
{
    // 0..5 on a line with x = 0..5 would have no area: y is x^2. Then the indices 3, 4, 5.
    static const char *const BYTES =
        "AAAAAAAAAAAAAAAAAACAPwAAgD8AAAAAAAAAQAAAgEAAAAAAAABAQAAAEEEAAA"
        "AAAACAQAAAgEEAAAAAAACgQAAAyEEAAAAAAwQF";
    char text[2048];
    snprintf(text, sizeof text,
             "{\"asset\":{\"version\":\"2.0\"},\"buffers\":[{\"byteLength\":75,\"uri\":\"data:"
             "application/octet-stream;base64,%s\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":"
             "72},{\"buffer\":0,\"byteOffset\":72,\"byteLength\":3}],\"accessors\":[{"
             "\"bufferView\":0,\"componentType\":5126,\"count\":6,\"type\":\"VEC3\"},{"
             "\"bufferView\":1,\"componentType\":5121,\"count\":3,\"type\":\"SCALAR\"}],"
             "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0},\"indices\":1},"
             "{\"attributes\":{\"POSITION\":0},\"indices\":1}]}]," SCENE
             "\"nodes\":[{\"mesh\":0}]}",
             BYTES);
    sherd_error error;
    sherd_mesh *mesh = read_text(text, &error);
    cr_assert_not_null(mesh, "%s", error.what);
    cr_assert_eq(mesh->vertex_count, 6);
    for (int32_t k = 0; k < 6; ++k) {
        sherd_vec3 x = mesh_corner(mesh, k / 3, k % 3);
        double at = 3 + k % 3;
        cr_assert(x.x == at && x.z == at * at && x.y == 0.0, "(%g, %g, %g)", x.x, x.y, x.z);
    }
    sherd_mesh_destroy(mesh);
}

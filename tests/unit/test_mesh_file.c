// io: mesh files are read back as written, in every format; broken ones are refused by name.
#include "geometry/mesh/mesh_access.h"
#include "output/byte_order.h"

#include <sherd/mesh.h>
#include <sherd/shape.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char path[256];

static void choose_path(void)
{
    snprintf(path, sizeof path, "/tmp/sherd-mesh-%ld", (long)getpid());
}

static void remove_path(void)
{
    unlink(path);
}

TestSuite(mesh_file, .init = choose_path, .fini = remove_path);

static void write_bytes(const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    cr_assert(file != NULL);
    cr_assert(eq(sz, fwrite(bytes, 1, size, file), size));
    fclose(file);
}

static void write_text(const char *text)
{
    write_bytes(text, strlen(text));
}

static sherd_mesh *read_good(double scale)
{
    sherd_error error = {0};
    sherd_mesh *mesh = sherd_mesh_read(path, scale, &error);
    cr_assert(mesh != NULL, "%s: %s", error.where, error.what);
    return mesh;
}

// Reading, or else repairing, fails with these words.
static void expect_bad(const char *where, const char *what)
{
    sherd_error error = {0};
    sherd_mesh *mesh = sherd_mesh_read(path, 1.0, &error);
    if (mesh != NULL) cr_assert(ne(int, sherd_mesh_repair(mesh, path, NULL, &error), SHERD_OK));
    sherd_mesh_destroy(mesh);
    cr_assert(strstr(error.where, where) != NULL, "got: %s", error.where);
    cr_assert(strstr(error.what, what) != NULL, "got: %s", error.what);
}

static sherd_mesh *ball(void)
{
    sherd_shape *shape = sherd_shape_sphere(0.25, NULL);
    sherd_mesh *mesh = sherd_shape_surface(shape, 0.05, NULL);
    sherd_shape_destroy(shape);
    return mesh;
}

// Same triangles at the same places, to single precision: 6e-8 of 0.25.
static void expect_same(const sherd_mesh *a, const sherd_mesh *b)
{
    cr_assert(eq(int, a->triangle_count, b->triangle_count));
    for (int32_t t = 0; t < a->triangle_count; ++t)
        for (int k = 0; k < 3; ++k)
            cr_assert(vec3_distance(mesh_corner(a, t, k), mesh_corner(b, t, k)) < 2e-8);
}

Test(mesh_file, ply_round_trip)
{
    sherd_mesh *mesh = ball();
    cr_assert(eq(int, sherd_mesh_write_ply(mesh, path, NULL), SHERD_OK));
    sherd_mesh *read = read_good(1.0);
    cr_assert(eq(int, read->vertex_count, mesh->vertex_count));
    expect_same(mesh, read);
    sherd_mesh_destroy(read);
    sherd_mesh_destroy(mesh);
}

// Texture coordinates of these meshes are 2 x + 1 and 3 y of the corner's position.
static void expect_uv_of_position(const sherd_mesh *mesh)
{
    cr_assert(mesh->uv != NULL);
    for (int32_t c = 0; c < 3 * mesh->triangle_count; ++c) {
        const double *p = mesh->vertices + 3 * mesh->triangles[c];
        cr_assert(epsilon_eq(dbl, (double)mesh->uv[2 * c], 2.0 * p[0] + 1.0, 1e-6));
        cr_assert(epsilon_eq(dbl, (double)mesh->uv[2 * c + 1], 3.0 * p[1], 1e-6));
    }
}

Test(mesh_file, obj_texture_coordinates)
{
    // A quadrilateral, a concave pentagon, numbers that count back, corners in another order.
    write_text("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0.5 0.25 0\n"
               "vt 1 3\nvt 1 0\nvt 3 0 0\nvt 3 3\nvt 2 0.75 # middle\n"
               "f 1/2/9 2/3 3/4/1 4/1\nf -5/-4 2/-3 3/4 -1/-1 4/1\nf 1/2 2/3 5/5\n");
    sherd_mesh *mesh = read_good(1.0);
    cr_assert(eq(int, mesh->triangle_count, 2 + 3 + 1));
    expect_uv_of_position(mesh);
    sherd_mesh_destroy(mesh);
    // Corners without get zeros; without any vt there are none.
    write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 5\nf 1 2/1 3//2\n");
    mesh = read_good(1.0);
    cr_assert(mesh->uv[0] == 0.0f && mesh->uv[2] == 5.0f && mesh->uv[3] == 0.0f);
    sherd_mesh_destroy(mesh);
    write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1/7 2/8 3/9\n");
    mesh = read_good(1.0);
    cr_assert(mesh->uv == NULL && mesh->color == NULL);
    sherd_mesh_destroy(mesh);
    write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 0\nf 1/1 2/2 3/1\n");
    expect_bad(":5", "texture coordinate 2, but there are 1");
    write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0 nan\nf 1/1 2/1 3/1\n");
    expect_bad(":4", "texture coordinate");
}

Test(mesh_file, ply_texture_coordinates)
{
    write_text(
        "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\n"
        "property float z\nproperty float s\nproperty float t\nproperty uchar red\n"
        "property uchar green\nproperty uchar blue\nelement face 1\n"
        "property list uchar int vertex_indices\nend_header\n"
        "0 0 0 1 0 255 0 51\n1 0 0 3 0 0 0 0\n1 1 0 3 3 0 0 0\n0 1 0 1 3 0 0 0\n4 0 1 2 3\n");
    sherd_mesh *mesh = read_good(1.0);
    expect_uv_of_position(mesh);
    cr_assert(mesh->color[0] == 1.0f && mesh->color[1] == 0.0f && mesh->color[2] == 0.2f);
    sherd_mesh_destroy(mesh);
    write_text("ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
               "property float z\nelement face 1\nproperty list uchar int vertex_indices\n"
               "property list uchar float texcoord\nend_header\n"
               "0 0 0\n1 0 0\n1 1 0\n3 0 1 2 6 1 0 3 0 3 3\n");
    mesh = read_good(1.0);
    expect_uv_of_position(mesh);
    // Written and read again.
    cr_assert(eq(int, sherd_mesh_write_ply(mesh, path, NULL), SHERD_OK));
    sherd_mesh_destroy(mesh);
    mesh = read_good(1.0);
    expect_uv_of_position(mesh);
    sherd_mesh_destroy(mesh);
}

Test(mesh_file, stl_round_trip_and_repair)
{
    sherd_mesh *mesh = ball();
    cr_assert(eq(int, sherd_mesh_write_stl(mesh, path, NULL), SHERD_OK));
    sherd_mesh *read = read_good(1.0);
    expect_same(mesh, read);
    cr_assert(eq(int, read->vertex_count, 3 * mesh->triangle_count));
    cr_assert(eq(int, sherd_mesh_repair(read, NULL, NULL, NULL), SHERD_OK));
    cr_assert(eq(int, read->vertex_count, mesh->vertex_count));
    sherd_mesh_destroy(read);
    sherd_mesh_destroy(mesh);
}

Test(mesh_file, scale_multiplies_lengths)
{
    write_text("v 1000 0 0\nv 0 2000 0\nv 0 0 -3e3\nf 1 2 3\n");
    sherd_mesh *mesh = read_good(1e-3);
    cr_assert(epsilon_eq(dbl, mesh->vertices[0], 1.0, 1e-15));
    cr_assert(epsilon_eq(dbl, mesh->vertices[4], 2.0, 1e-15));
    cr_assert(epsilon_eq(dbl, mesh->vertices[8], -3.0, 1e-15));
    sherd_mesh_destroy(mesh);
    sherd_error error = {0};
    cr_assert(sherd_mesh_read(path, -1.0, &error) == NULL);
    cr_assert(strstr(error.what, "got -1") != NULL);
}

Test(mesh_file, stl_text_with_two_solids_in_capitals)
{
    write_text("SOLID a b\r\nFACET NORMAL nan nan nan\r\nOUTER LOOP\r\nVERTEX 0 0 0\r\n"
               "VERTEX 1 0 0\r\nVERTEX 0 1 .5E1\r\nENDLOOP\r\nENDFACET\r\nENDSOLID a b\r\n"
               "solid\nfacet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0 "
               "endloop endfacet\nendsolid\n");
    sherd_mesh *mesh = read_good(1.0);
    cr_assert(eq(int, mesh->triangle_count, 2));
    cr_assert(eq(dbl, mesh->vertices[8], 5.0));
    sherd_mesh_destroy(mesh);
}

Test(mesh_file, obj_polygons_of_every_notation)
{
    // A cube: quads, a concave L split over two lines, negative numbers, texture and normal numbers.
    write_text("# made by hand\nmtllib none.mtl\no cube\nv 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\n"
               "v 1 2 0\nv 0 2 0\nvt 0 0\nvn 0 0 1\ng top\nusemtl red\ns off\n"
               "f 1/1/1 2//1 3/1 \\\n 4 5 -1 # the L\n");
    sherd_mesh *mesh = read_good(1.0);
    cr_assert(eq(int, mesh->triangle_count, 4));
    double area2 = 0.0;
    for (int32_t t = 0; t < 4; ++t) {
        sherd_vec3 v = mesh_area_vector(mesh, t);
        cr_assert(v.z > 0.0); // a fan from the first corner would fold over
        area2 += v.z;
    }
    cr_assert(epsilon_eq(dbl, area2, 6.0, 1e-15));
    sherd_mesh_destroy(mesh);
}

static void write_beside(const char *name, const char *text)
{
    FILE *file = fopen(name, "wb");
    cr_assert(file != NULL);
    fputs(text, file);
    fclose(file);
}

Test(mesh_file, obj_groups_have_the_colours_of_their_library)
{
    char library[300], text[1200];
    snprintf(library, sizeof library, "%sx two.mtl", path); // a name with a blank
    snprintf(text, sizeof text,
             "mtllib %s\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl red clay  \nf 1 2 3\nusemtl iron # old\n"
             "f 1 2 3\nusemtl lost\nf 1 2 3\n",
             strrchr(library, '/') + 1);
    write_text(text);
    write_beside(library,
                 "newmtl red clay\nKd 0.5 0.25 0\nNs 250\nd 0.5\n"
                 "newmtl iron\r\nKd 0.1 0.1 0.1\r\nPr 0.2\r\nNs 0\r\nPm 1\r\nmap_Kd -s 2 2 2 "
                 "no such.png\r\nnewmtl unused\nKd 1 1 x\n");
    sherd_mesh *mesh = read_good(1.0);
    remove(library);
    cr_assert(eq(int, mesh->group_count, 3));
    cr_assert_str_eq(sherd_mesh_group_name(mesh, 0), "red clay");
    cr_assert_str_eq(sherd_mesh_group_name(mesh, 1), "iron");
    const sherd_mesh_material *m = mesh->materials;
    cr_assert(m != NULL);
    cr_assert(m[0].color[0] == 0.5f && m[0].color[1] == 0.25f && m[0].color[2] == 0.0f);
    cr_assert(m[0].roughness == 0.5f && m[0].opacity == 0.5f && isnan(m[0].metal));
    cr_assert(m[1].roughness == 0.2f && m[1].metal == 1.0f && m[1].picture == -1);
    cr_assert(isnan(m[2].color[0]) && isnan(m[2].roughness));
    // The picture that is missing is told of, with its line.
    cr_assert(eq(int, mesh->note_count, 1));
    cr_assert(strstr(sherd_mesh_note(mesh, 0), "two.mtl:10: there is no picture 'no such.png'") !=
                  NULL,
              "%s", sherd_mesh_note(mesh, 0));
    sherd_mesh *copy = sherd_mesh_copy(mesh, NULL);
    cr_assert(copy->materials[1].metal == 1.0f && copy->note_count == 1);
    sherd_mesh_destroy(copy);
    sherd_mesh_destroy(mesh);

    mesh = read_good(1.0); // the library is gone: a note, no error
    cr_assert(mesh->materials == NULL && mesh->group_count == 3);
    cr_assert(eq(int, mesh->note_count, 2)); // the words of its name, one after the other
    cr_assert(strstr(sherd_mesh_note(mesh, 1), ":1: there is no material library 'two.mtl'") !=
                  NULL,
              "%s", sherd_mesh_note(mesh, 1));
    sherd_mesh_destroy(mesh);
}

// Groups and objects are no material groups, which is told of where nothing else is.
Test(mesh_file, obj_parts_without_materials_are_told_of)
{
    static const char *const FACES[] = {
        "g lid\nf 1 2 3\ng rest\nf 1 2 3\n", "f 1 2 3\no rest # all\nf 1 2 3\n", // told of
        "usemtl red\ng lid\nf 1 2 3\ng rest\nf 1 2 3\n",                         // they have looks
        "g lid\nf 1 2 3\ng lid # on\nf 1 2 3\n", "g lid\ng rest\nf 1 2 3\n"};    // one of them
    for (int k = 0; k < 5; ++k) {
        char text[200];
        snprintf(text, sizeof text, "v 0 0 0\nv 1 0 0\nv 0 1 0\n%s", FACES[k]);
        write_text(text);
        sherd_mesh *mesh = read_good(1.0);
        cr_expect(eq(int, mesh->note_count, k < 2), "%d", k);
        if (k < 2)
            cr_expect(strstr(sherd_mesh_note(mesh, 0), "give each a material (usemtl)") != NULL);
        sherd_mesh_destroy(mesh);
    }
}

// A PLY tetrahedron with extra properties and elements, binary in either byte order.
static size_t put(unsigned char *to, uint64_t bits, size_t size, sherd_byte_order order)
{
    for (size_t k = 0; k < size; ++k)
        to[order == SHERD_BIG_ENDIAN ? size - 1 - k : k] = (unsigned char)(bits >> 8 * k);
    return size;
}

static size_t make_binary_ply(unsigned char *to, sherd_byte_order order)
{
    size_t n = (size_t)sprintf(
        (char *)to,
        "ply\nformat binary_%s_endian 1.0\ncomment extra\nelement vertex 4\nproperty uchar red\n"
        "property double x\nproperty short y\nproperty float z\nelement junk 2\n"
        "property list ushort float weights\nelement face 4\nproperty float quality\n"
        "property list uchar uint vertex_index\nproperty list uchar uchar more\n"
        "property uchar inner\nend_header\n",
        order == SHERD_BIG_ENDIAN ? "big" : "little");
    for (uint64_t v = 0; v < 4; ++v) {
        double x = v == 1;
        float z = v == 3;
        uint64_t x_bits;
        uint32_t z_bits;
        memcpy(&x_bits, &x, 8);
        memcpy(&z_bits, &z, 4);
        n += put(to + n, 200, 1, order), n += put(to + n, x_bits, 8, order);
        n += put(to + n, v == 2 ? 0xffff : 0, 2, order); // -1
        n += put(to + n, z_bits, 4, order);
    }
    for (int k = 0; k < 2; ++k) {
        n += put(to + n, 3, 2, order);
        for (int m = 0; m < 3; ++m)
            n += put(to + n, 0x3f800000, 4, order);
    }
    static const uint64_t faces[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {0, 2, 3}};
    for (int t = 0; t < 4; ++t) {
        n += put(to + n, 0, 4, order), n += put(to + n, 3, 1, order);
        for (int k = 0; k < 3; ++k)
            n += put(to + n, faces[t][k], 4, order);
        n += put(to + n, 2, 1, order), n += put(to + n, 7, 2, order);
        n += put(to + n, t == 2, 1, order);
    }
    return n;
}

Test(mesh_file, binary_ply_of_either_byte_order)
{
    for (int order = SHERD_LITTLE_ENDIAN; order <= SHERD_BIG_ENDIAN; ++order) {
        unsigned char bytes[2048];
        write_bytes(bytes, make_binary_ply(bytes, (sherd_byte_order)order));
        sherd_mesh *mesh = read_good(1.0);
        cr_assert(eq(int, mesh->triangle_count, 4));
        cr_assert(eq(dbl, mesh->vertices[7], -1.0));
        cr_assert(mesh->face_kind != NULL && mesh->face_kind[2] == SHERD_FACE_INNER &&
                  mesh->face_kind[1] == SHERD_FACE_OUTER);
        cr_assert(epsilon_eq(dbl, sherd_mesh_volume(mesh), 1.0 / 6.0, 1e-15));
        sherd_mesh_destroy(mesh);
    }
}

// A file cut off anywhere is refused, never misread.
Test(mesh_file, binary_ply_cut_off_anywhere)
{
    unsigned char bytes[2048];
    size_t size = make_binary_ply(bytes, SHERD_LITTLE_ENDIAN);
    for (size_t cut = 0; cut < size; ++cut) {
        write_bytes(bytes, cut);
        sherd_error error = {0};
        cr_assert(sherd_mesh_read(path, 1.0, &error) == NULL, "cut at %zu", cut);
        cr_assert(eq(int, error.status, SHERD_ERROR_INPUT));
    }
    write_bytes(bytes, size - 1);
    expect_bad(": byte ", "the file ends within face 3 of 4");
}

// Any byte may be wrong: that is refused or read, but never a crash (run with sanitizers).
Test(mesh_file, any_byte_of_a_file_may_be_damaged)
{
    unsigned char bytes[2048], damaged[2048];
    size_t size = make_binary_ply(bytes, SHERD_LITTLE_ENDIAN);
    for (size_t k = 0; k < size; ++k) {
        memcpy(damaged, bytes, size);
        damaged[k] = (unsigned char)(255 - damaged[k]);
        write_bytes(damaged, size);
        sherd_mesh *mesh = sherd_mesh_read(path, 1.0, NULL);
        if (mesh != NULL) sherd_mesh_repair(mesh, NULL, NULL, NULL);
        sherd_mesh_destroy(mesh);
    }
}

Test(mesh_file, binary_stl_damaged)
{
    sherd_mesh *mesh = ball();
    cr_assert(eq(int, sherd_mesh_write_stl(mesh, path, NULL), SHERD_OK));
    size_t size = 84 + 50 * (size_t)mesh->triangle_count;
    unsigned char *bytes = calloc(1, size + 50);
    FILE *file = fopen(path, "rb");
    cr_assert(eq(sz, fread(bytes, 1, size, file), size));
    fclose(file);

    // Half of the binary files in the world begin with "solid".
    memcpy(bytes, "solid ball", 10);
    write_bytes(bytes, size);
    sherd_mesh *read = read_good(1.0);
    expect_same(mesh, read);
    sherd_mesh_destroy(read);

    write_bytes(bytes, size - 70);
    expect_bad(": byte 80", "as a binary STL file it announces");
    // A few bytes more are common; a triangle more is one that the count would lose.
    write_bytes(bytes, size + 49);
    read = read_good(1.0);
    expect_same(mesh, read);
    sherd_mesh_destroy(read);
    write_bytes(bytes, size + 50);
    expect_bad(": byte 80", "as a binary STL file it has 50 bytes more than the ");
    sherd_store_f32(bytes + 84 + 50 * 7 + 12, NAN);
    write_bytes(bytes, size);
    expect_bad(": byte 446", "a corner of triangle 7 is not finite: nan");
    free(bytes);
    sherd_mesh_destroy(mesh);
}

Test(mesh_file, what_is_no_file)
{
    sherd_error error = {0};
    cr_assert(sherd_mesh_read("/no/such/mesh.stl", 1.0, &error) == NULL);
    cr_assert(eq(int, error.status, SHERD_ERROR_IO));
    cr_assert(sherd_mesh_read("/dev/zero", 1.0, &error) == NULL); // would never end
    cr_assert(strstr(error.what, "not a regular file") != NULL);
    cr_assert(sherd_mesh_read("/", 1.0, &error) == NULL);
    sherd_mesh *mesh = ball();
    cr_assert(ne(int, sherd_mesh_write_ply(mesh, "/no/such/folder/a.ply", &error), SHERD_OK));
    cr_assert(ne(int, sherd_mesh_write_stl(mesh, "/no/such/folder/a.stl", &error), SHERD_OK));
    sherd_mesh_destroy(mesh);
}

// Cuts a line into four fields at tabs.
static void split(char *line, char *fields[4])
{
    line[strcspn(line, "\n")] = '\0';
    for (int k = 0; k < 4; ++k) {
        cr_assert(line != NULL);
        fields[k] = line;
        line = strchr(line, '\t');
        if (line != NULL) *line++ = '\0';
    }
}

Test(mesh_file, bad_meshes_say_what_is_expected)
{
    FILE *expected = fopen(SHERD_TEST_SOURCE_DIR "/bad/meshes/expected.tsv", "r");
    cr_assert(expected != NULL);
    char line[2048], where[4096], *fields[4];
    int files = 0;
    while (fgets(line, sizeof line, expected) != NULL) {
        if (line[0] == '#') continue;
        split(line, fields);
        char file[1024];
        snprintf(file, sizeof file, SHERD_TEST_SOURCE_DIR "/bad/meshes/%.255s", fields[0]);
        snprintf(where, sizeof where, "%s%s", file, fields[1]);
        sherd_error error = {0};
        sherd_mesh *mesh = sherd_mesh_read(file, 1.0, &error);
        if (mesh != NULL) sherd_mesh_repair(mesh, file, NULL, &error);
        sherd_mesh_destroy(mesh);
        cr_assert(eq(str, error.where, where));
        cr_assert(eq(str, error.what, fields[2]), "%s", fields[0]);
        cr_assert(eq(str, error.hint, fields[3]), "%s", fields[0]);
        ++files;
    }
    fclose(expected);
    cr_assert(ge(int, files, 40));
}

// ---------------------------------------------------------------- line ends

// Lines of old Macs end with \r.
static void write_with_returns(const char *text, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    cr_assert(file != NULL);
    for (const char *c = text; *c != '\0'; ++c)
        fputc(*c == '\n' ? '\r' : *c, file);
    cr_assert(eq(sz, fwrite(bytes, 1, size, file), size));
    fclose(file);
}

static void expect_one_triangle(double x)
{
    sherd_mesh *mesh = read_good(1.0);
    cr_assert(eq(int, mesh->triangle_count, 1));
    cr_assert(eq(dbl, mesh_corner(mesh, 0, 1).x, x));
    sherd_mesh_destroy(mesh);
}

Test(mesh_file, lines_may_end_with_a_return_alone)
{
    write_with_returns("# old\nv 0 0 0\nv 2 0 \\\n0\nv 0 1 0 # last\n\nf 1 2 3\n", "", 0);
    expect_one_triangle(2.0);
    write_with_returns("v 0 0 0\nv 1 0 0\nv 0 1 x\n", "", 0);
    expect_bad(":3", "must be a number, got 'x'");
    write_with_returns("solid of one\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 2 0 0\n"
                       "vertex 0 1 0\nendloop\nendfacet\nendsolid of one\n",
                       "", 0);
    expect_one_triangle(2.0);
    // \r\n as ever, and lines counted once.
    write_text("v 0 0 0\r\nv 1 0 \\\r\n0\r\nv 0 1 x\r\n");
    expect_bad(":4", "must be a number, got 'x'");
}

// The data's first byte is that of \n.
Test(mesh_file, binary_data_behind_a_return_alone)
{
    unsigned char data[9 * 4 + 13] = {0};
    const float x[9] = {0.0F, 0.0F, 0.0F, 2.0F, 0.0F, 0.0F, 0.0F, 1.0F, 0.0F};
    for (size_t k = 0; k < 9; ++k)
        sherd_store_f32(data + 4 * k, x[k]);
    data[0] = '\n';
    data[36] = 3, data[41] = 1, data[45] = 2;
    write_with_returns("ply\nformat binary_little_endian 1.0\nelement vertex 3\nproperty float x\n"
                       "property float y\nproperty float z\nelement face 1\n"
                       "property list uchar int vertex_indices\nend_header\n",
                       data, sizeof data);
    expect_one_triangle(2.0);
}

// ---------------------------------------------------------------- colours

static void check_colors(const float expected[9])
{
    sherd_mesh *mesh = read_good(1.0);
    cr_assert(eq(int, mesh->vertex_count, 3));
    cr_assert(mesh->color != NULL);
    for (int k = 0; k < 9; ++k) // bytes to 1/255, rounded
        cr_assert(epsilon_eq(flt, mesh->color[k], expected[k], 1e-6F), "number %d", k);
    sherd_mesh_destroy(mesh);
}

Test(mesh_file, obj_vertex_colors)
{
    write_text("v 0 0 0 1 0.5 0\nv 1 0 0 # none\nv 0 1 0 0.25 1 0\nf 1 2 3\n");
    check_colors((float[9]){1.0F, 0.5F, 0.0F, 0.0F, 0.0F, 0.0F, 0.25F, 1.0F, 0.0F});
    write_text("v 0 0 0 1 1 1\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"); // only the first
    check_colors((float[9]){1.0F, 1.0F, 1.0F});
}

// Weights, and normals behind the coordinates, are passed over.
Test(mesh_file, obj_numbers_that_are_no_colors)
{
    const char *const texts[] = {"v 0 0 0 1\nv 1 0 0 1\nv 0 1 0 1\nf 1 2 3\n",
                                 "v 0 0 0 0 0 1\nv 1 0 0 0 0 -1\nv 0 1 0 0 0 1\nf 1 2 3\n",
                                 "v 0 0 0 255 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"};
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; ++k) {
        write_text(texts[k]);
        sherd_mesh *mesh = read_good(1.0);
        cr_assert(mesh->color == NULL);
        sherd_mesh_destroy(mesh);
    }
}

static const char PLY_COLORS[] = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\n"
                                 "property float y\nproperty float z\nproperty %s red\n"
                                 "property %s green\nproperty %s blue\nelement face 1\n"
                                 "property list uchar int vertex_indices\nend_header\n"
                                 "0 0 0 %s\n1 0 0 %s\n0 1 0 %s\n3 0 1 2\n";

Test(mesh_file, ply_vertex_colors)
{
    const float expected[9] = {1.0F, 0.0F, 0.0F, 0.0F, 0.2F, 1.0F, 0.4F, 0.0F, 0.0F};
    char text[1024];
    snprintf(text, sizeof text, PLY_COLORS, "uchar", "uchar", "uchar", "255 0 0", "0 51 255",
             "102 0 0");
    write_text(text);
    check_colors(expected);
    snprintf(text, sizeof text, PLY_COLORS, "float", "float", "float", "1 0 0", "0 0.2 1",
             "0.4 0 0");
    write_text(text);
    check_colors(expected);
    snprintf(text, sizeof text, PLY_COLORS, "float", "float", "float", "255 0 0", "0 0 0", "0 0 0");
    write_text(text);
    sherd_mesh *mesh = read_good(1.0); // no colours, then
    cr_assert(mesh->color == NULL);
    sherd_mesh_destroy(mesh);
}

// tetra_msh: Gmsh's .msh in all its kinds, whole and damaged; tetra_gmsh: a program that may be
// missing, fail or hang.
#include <sherd/packing.h>
#include <sherd/tetra.h>

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

// Two tetrahedra of volume 1/6 sharing a face, the second one inside out; a triangle, a point.
#define NODES_22 "$Nodes\n5\n1 0 0 0\n2 1 0 0\n30 0 1 0\n4 0 0 1\n5 0 0 -1\n$EndNodes\n"
#define TEXT_22                                                                                    \
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 1 "                                \
    "\"solid\"\n$EndPhysicalNames\n" NODES_22                                                      \
    "$Elements\n4\n1 15 2 0 1 1\n2 2 2 0 1 1 2 30\n3 4 2 1 1 1 2 30 4\n"                           \
    "4 4 2 1 1 1 2 30 5\n$EndElements\n"
#define TEXT_41                                                                                    \
    "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 0 1\n1 0 0 0 1 1 1 0 0\n$EndEntities\n"  \
    "$Nodes\n2 5 1 30\n2 1 1 2\n1\n2\n0 0 0 0.5 0.5\n1 0 0 0.1 0.1\n3 1 0 3\n30\n4\n5\n0 1 0\n"    \
    "0 0 1\n0 0 -1\n$EndNodes\n$Elements\n2 3 1 4\n2 1 2 1\n1 1 2 30\n3 1 4 2\n2 1 2 30 4\n"       \
    "3 1 2 30 5\n$EndElements\n"

static char *path_of(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "/tmp/sherd-test-msh-%d-%s", (int)getpid(), name);
    return path;
}

static char *write_bytes(const char *name, const void *bytes, size_t size)
{
    char *path = path_of(name);
    FILE *file = fopen(path, "wb");
    cr_assert(file != NULL);
    cr_assert_eq(fwrite(bytes, 1, size, file), size);
    fclose(file);
    return path;
}

static void check_two_tetrahedra(const char *path, int64_t others)
{
    sherd_error error;
    sherd_tetra_report report;
    sherd_tetra_mesh *mesh = sherd_tetra_mesh_read(path, 0.1, &report, &error);
    cr_assert(mesh != NULL, "%s: %s", error.where, error.what);
    cr_assert(eq(int, mesh->tetra_count, 2));
    cr_assert(eq(int, mesh->vertex_count, 5));
    cr_assert(eq(int, report.turned, 1));
    cr_assert(eq(i64, report.other_elements, others));
    cr_assert(epsilon_eq(dbl, sherd_tetra_mesh_volume(mesh), 1e-3 / 3.0, 1e-18));
    sherd_mesh *boundary = sherd_tetra_mesh_boundary(mesh, &error);
    cr_assert(boundary != NULL && boundary->triangle_count == 6 && boundary->vertex_count == 5);
    sherd_mesh_destroy(boundary);
    sherd_tetra_mesh_destroy(mesh);
    unlink(path);
}

Test(tetra_msh, text)
{
    check_two_tetrahedra(write_bytes("a", TEXT_22, strlen(TEXT_22)), 2);
    check_two_tetrahedra(write_bytes("b", TEXT_41, strlen(TEXT_41)), 1);
}

// ---------------------------------------------------------------- groups

static sherd_tetra_report report_of(const char *names, int first, int second)
{
    char text[1024];
    sherd_error error;
    sherd_tetra_report report;
    int size = snprintf(text, sizeof text,
                        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n%s" NODES_22
                        "$Elements\n3\n2 2 2 7 1 1 2 30\n3 4 2 %d 1 1 2 30 4\n4 4 2 %d 1 1 2 30 5\n"
                        "$EndElements\n",
                        names, first, second);
    const char *path = write_bytes("g", text, (size_t)size);
    sherd_tetra_mesh *mesh = sherd_tetra_mesh_read(path, 1.0, &report, &error);
    cr_assert(mesh != NULL, "%s: %s", error.where, error.what);
    sherd_tetra_mesh_destroy(mesh);
    unlink(path);
    return report;
}

// Those of volumes, by name; without names those that tetrahedra belong to, by number.
Test(tetra_msh, physical_groups_are_told)
{
    sherd_tetra_report r =
        report_of("$PhysicalNames\n3\n2 7 \"skin\"\n3 1 \"soft\"\n3 2 \"hard \"\n"
                  "$EndPhysicalNames\n",
                  1, 2);
    cr_expect(eq(int, r.groups, 2));
    cr_expect(eq(str, r.group_names, "soft, hard "));
    r = report_of("", 4, 9);
    cr_expect(eq(int, r.groups, 2));
    cr_expect(eq(str, r.group_names, "4, 9"));
    cr_expect(eq(int, report_of("", 3, 3).groups, 1));
    cr_expect(eq(int, report_of("", 0, 0).groups, 0));
    // Damaged lines are passed over.
    cr_expect(eq(
        int, report_of("$PhysicalNames\n2\n3 1 \"soft\n3\n$EndPhysicalNames\n", 1, 1).groups, 1));
}

// ---------------------------------------------------------------- binary

typedef struct bytes {
    unsigned char data[4096];
    size_t size;
    bool big_endian;
} bytes;

static void put_text(bytes *b, const char *text)
{
    memcpy(b->data + b->size, text, strlen(text));
    b->size += strlen(text);
}

static void put_word(bytes *b, uint64_t value, int size)
{
    for (int k = 0; k < size; ++k)
        b->data[b->size++] = (unsigned char)(value >> 8 * (b->big_endian ? size - 1 - k : k));
}

static void put_real(bytes *b, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_word(b, bits, 8);
}

static const double POINT[5][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, -1}};
static const int ID[5] = {1, 2, 30, 4, 5};
static const int TETRA[2][4] = {{1, 2, 30, 4}, {1, 2, 30, 5}};

static void put_coordinates(bytes *b, int node)
{
    for (int k = 0; k < 3; ++k)
        put_real(b, POINT[node][k]);
}

static bytes binary_22(bool big_endian)
{
    bytes b = {.big_endian = big_endian};
    put_text(&b, "$MeshFormat\n2.2 1 8\n");
    put_word(&b, 1, 4);
    put_text(&b, "\n$EndMeshFormat\n$Nodes\n5\n");
    for (int n = 0; n < 5; ++n) {
        put_word(&b, (uint64_t)ID[n], 4);
        put_coordinates(&b, n);
    }
    put_text(&b, "\n$EndNodes\n$Elements\n3\n");
    const int triangle[] = {2, 1, 2, 7, 0, 1, 1, 2, 30}, head[] = {4, 2, 2};
    for (int k = 0; k < 9; ++k)
        put_word(&b, (uint64_t)triangle[k], 4);
    for (int k = 0; k < 3; ++k)
        put_word(&b, (uint64_t)head[k], 4);
    for (int t = 0; t < 2; ++t) {
        put_word(&b, (uint64_t)(8 + t), 4);
        put_word(&b, 1, 4);
        put_word(&b, 1, 4);
        for (int k = 0; k < 4; ++k)
            put_word(&b, (uint64_t)TETRA[t][k], 4);
    }
    put_text(&b, "\n$EndElements\n");
    return b;
}

static bytes binary_41(bool big_endian)
{
    bytes b = {.big_endian = big_endian};
    put_text(&b, "$MeshFormat\n4.1 1 8\n");
    put_word(&b, 1, 4);
    put_text(&b, "\n$EndMeshFormat\n$Nodes\n");
    const uint64_t nodes[] = {1, 5, 1, 30};
    for (int k = 0; k < 4; ++k)
        put_word(&b, nodes[k], 8);
    put_word(&b, 3, 4), put_word(&b, 1, 4), put_word(&b, 0, 4), put_word(&b, 5, 8);
    for (int n = 0; n < 5; ++n)
        put_word(&b, (uint64_t)ID[n], 8);
    for (int n = 0; n < 5; ++n)
        put_coordinates(&b, n);
    put_text(&b, "\n$EndNodes\n$Elements\n");
    const uint64_t elements[] = {1, 2, 1, 2};
    for (int k = 0; k < 4; ++k)
        put_word(&b, elements[k], 8);
    put_word(&b, 3, 4), put_word(&b, 1, 4), put_word(&b, 4, 4), put_word(&b, 2, 8);
    for (int t = 0; t < 2; ++t) {
        put_word(&b, (uint64_t)(1 + t), 8);
        for (int k = 0; k < 4; ++k)
            put_word(&b, (uint64_t)TETRA[t][k], 8);
    }
    put_text(&b, "\n$EndElements\n");
    return b;
}

Test(tetra_msh, binary_of_both_byte_orders)
{
    for (int order = 0; order < 2; ++order) {
        bytes b = binary_22(order == 1);
        check_two_tetrahedra(write_bytes("c", b.data, b.size), 1);
        b = binary_41(order == 1);
        check_two_tetrahedra(write_bytes("d", b.data, b.size), 0);
    }
}

// ---------------------------------------------------------------- damage

static void expect_error(const char *text, const char *where, const char *what)
{
    sherd_error error = {0};
    char *path = write_bytes("bad", text, strlen(text));
    cr_expect(sherd_tetra_mesh_read(path, 1.0, NULL, &error) == NULL, "%s", what);
    cr_expect_eq(error.status, SHERD_ERROR_INPUT);
    cr_expect(strstr(error.what, what) != NULL, "'%s' is not in '%s'", what, error.what);
    cr_expect(strstr(error.where, where) != NULL, "'%s' is not in '%s'", where, error.where);
    unlink(path);
}

#define HEAD "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"

Test(tetra_msh, damaged_files_are_refused_with_their_lines)
{
    expect_error("", "", "this is no .msh file");
    expect_error("solid cube\n", ":1", "this is no .msh file");
    expect_error("$MeshFormat\n1 0 8\n$EndMeshFormat\n", ":2", "can't read version 1");
    expect_error("$MeshFormat\n2.2 0 4\n$EndMeshFormat\n", ":2", "data size 8, got 0 and 4");
    expect_error(HEAD, "", "has no tetrahedra (0 nodes");
    expect_error(HEAD "nonsense\n", ":4", "expected a section, got 'nonsense'");
    expect_error(HEAD "$Nodes\n1\n1 0 zero 0\n$EndNodes\n", ":6", "must be a number, got 'zero'");
    expect_error(HEAD "$Nodes\n1\n1 0 nan 0\n$EndNodes\n", ":6", "must be finite");
    expect_error(HEAD "$Nodes\n1\n1.5 0 0 0\n$EndNodes\n", ":6", "must be a whole number, got 1.5");
    expect_error(HEAD "$Nodes\n1000000\n1 0 0 0\n$EndNodes\n", ":5", "announces 1000000 nodes");
    expect_error(HEAD "$Nodes\n-1\n$EndNodes\n", ":5", "announces -1 nodes");
    expect_error(HEAD "$Nodes\n2\n1 0 0 0\n$EndNodes\n", ":7", "a node's number is missing");
    expect_error(HEAD "$Nodes\n2\n7 0 0 0\n7 1 0 0\n$EndNodes\n", "", "node 7 is there twice");
    expect_error(HEAD "$Nodes\n1\n1 0 0 0\n", "", "$EndNodes is missing");
    expect_error(HEAD "$Elements\n1\n1 4 0 1 2 3 4\n$EndElements\n", ":4", "before the nodes");
    expect_error(HEAD NODES_22 "$Elements\n1\n1 4 0 1 2 3 4\n$EndElements\n", ":14",
                 "element 1 uses node 3, which is not there");
    expect_error(HEAD NODES_22 "$Elements\n1\n9 4 0 1 2 2 4\n$EndElements\n", ":14",
                 "tetrahedron 9 has node 2 twice");
    expect_error(HEAD NODES_22 "$Elements\n1\n1 99 0 1 2 3 4\n$EndElements\n", ":14",
                 "unknown element type 99");
    expect_error(HEAD NODES_22 "$Elements\n1\n1 2 0 1 2 4\n$EndElements\n", "",
                 "has no tetrahedra (5 nodes, 1 other");
}

// No prefix and no changed byte crashes; a shorter file is never read as if whole.
Test(tetra_msh, cut_and_garbled_files)
{
    sherd_error error;
    bytes whole[4] = {binary_22(false), binary_41(false), {.size = 0}, {.size = 0}};
    put_text(&whole[2], TEXT_22);
    put_text(&whole[3], TEXT_41);
    for (int kind = 0; kind < 4; ++kind) {
        size_t last = whole[kind].size - 2; // the line's end after the last section
        for (size_t size = 0; size < last; ++size) {
            char *path = write_bytes("cut", whole[kind].data, size);
            cr_assert(sherd_tetra_mesh_read(path, 1.0, NULL, &error) == NULL);
        }
        for (size_t at = 0; at < last; ++at) {
            bytes b = whole[kind];
            b.data[at] = (unsigned char)(b.data[at] ^ (at % 2 ? 0x80 : 0x11));
            char *path = write_bytes("cut", b.data, b.size);
            sherd_tetra_mesh_destroy(sherd_tetra_mesh_read(path, 1.0, NULL, &error));
        }
    }
    unlink(path_of("cut"));
}

Test(tetra_msh, missing_files_and_bad_scales)
{
    sherd_error error;
    cr_expect(sherd_tetra_mesh_read("/no/such/file.msh", 1.0, NULL, &error) == NULL);
    cr_expect_eq(error.status, SHERD_ERROR_IO);
    cr_expect(sherd_tetra_mesh_read("/tmp", 1.0, NULL, &error) == NULL);
    const double scales[] = {0.0, -1.0, NAN, INFINITY};
    for (int k = 0; k < 4; ++k) {
        cr_expect(sherd_tetra_mesh_read("/no/such/file.msh", scales[k], NULL, &error) == NULL);
        cr_expect_eq(error.status, SHERD_ERROR_INPUT);
    }
}

// A flat tetrahedron is left out.
Test(tetra_msh, flat_tetrahedra_are_left_out)
{
    static const char TEXT[] =
        HEAD "$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 1 1 0\n$EndNodes\n"
             "$Elements\n2\n1 4 0 1 2 3 4\n2 4 0 1 2 3 5\n$EndElements\n";
    sherd_error error;
    sherd_tetra_report report;
    char *path = write_bytes("flat", TEXT, strlen(TEXT));
    sherd_tetra_mesh *mesh = sherd_tetra_mesh_read(path, 1.0, &report, &error);
    cr_assert(mesh != NULL && mesh->tetra_count == 1 && report.flat == 1 && report.unused == 1);
    sherd_tetra_mesh_destroy(mesh);
    unlink(path);
}

// ---------------------------------------------------------------- gmsh

// A program called gmsh in a folder that is searched first.
static void pretend_gmsh(const char *script)
{
    char *folder = path_of("bin"), program[300], search[600];
    mkdir(folder, 0700);
    snprintf(program, sizeof program, "%s/gmsh", folder);
    FILE *file = fopen(program, "w");
    cr_assert(file != NULL);
    fputs(script, file);
    fclose(file);
    chmod(program, 0700);
    snprintf(search, sizeof search, "%s:/usr/bin:/bin", folder);
    setenv("PATH", search, 1);
}

static sherd_packing *pack_with_gmsh(double time_limit, sherd_error *error)
{
    sherd_shape *shape = sherd_shape_box((sherd_vec3){1.0, 1.0, 1.0}, error);
    sherd_packing_def def = sherd_packing_def_default();
    def.kind = SHERD_PACKING_TETRA;
    def.tetra.generator = SHERD_TETRA_GMSH;
    def.tetra.size = 0.5;
    def.tetra.time_limit = time_limit;
    sherd_packing *packing = sherd_packing_create(shape, &def, error);
    sherd_shape_destroy(shape);
    return packing;
}

Test(tetra_msh, gmsh_is_not_needed_but_said_to_be_missing)
{
    sherd_error error;
    setenv("PATH", "/nowhere", 1);
    cr_assert(pack_with_gmsh(1.0, &error) == NULL);
    cr_assert_eq(error.status, SHERD_ERROR_UNSUPPORTED);
    cr_assert(strstr(error.hint, "install gmsh, or use generator: lattice") != NULL);
}

Test(tetra_msh, gmsh_that_hangs_is_stopped)
{
    sherd_error error;
    pretend_gmsh("#!/bin/sh\nsleep 60\n");
    time_t start = time(NULL);
    cr_assert(pack_with_gmsh(0.2, &error) == NULL);
    cr_assert(strstr(error.what, "stopped after 0.2 s") != NULL, "%s", error.what);
    cr_assert_lt(time(NULL) - start, 20);
}

Test(tetra_msh, gmsh_that_fails_is_quoted)
{
    sherd_error error;
    pretend_gmsh("#!/bin/sh\necho 'Error : no volume'\nexit 3\n");
    cr_assert(pack_with_gmsh(20.0, &error) == NULL);
    cr_assert(strstr(error.what, "exit status 3") != NULL, "%s", error.what);
    cr_assert(strstr(error.what, "Error : no volume") != NULL, "%s", error.what);
}

// Lengths are in units of `size` inside; the answer is a cube of six tetrahedra.
Test(tetra_msh, gmsh_mesh_comes_back)
{
    sherd_error error;
    pretend_gmsh("#!/bin/sh\ncat > \"$7\" <<END\n$(printf '$')MeshFormat\n2.2 0 8\n"
                 "\\$EndMeshFormat\n\\$Nodes\n8\n1 -1 -1 -1\n2 1 -1 -1\n3 -1 1 -1\n4 1 1 -1\n"
                 "5 -1 -1 1\n6 1 -1 1\n7 -1 1 1\n8 1 1 1\n\\$EndNodes\n\\$Elements\n6\n"
                 "1 4 0 1 2 4 8\n2 4 0 1 4 3 8\n3 4 0 1 3 7 8\n4 4 0 1 7 5 8\n5 4 0 1 5 6 8\n"
                 "6 4 0 1 6 2 8\n\\$EndElements\nEND\n");
    sherd_packing *packing = pack_with_gmsh(20.0, &error);
    cr_assert(packing != NULL, "%s: %s", error.where, error.what);
    cr_assert(eq(int, packing->count, 6));
    cr_assert(epsilon_eq(dbl, packing->cell_volume_match, 1.0, 1e-12));
    cr_assert(eq(i64, packing->bond_count, 6));
    sherd_packing_destroy(packing);
}

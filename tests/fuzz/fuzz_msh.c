// Gmsh's files of tetrahedra: read, and asked for their boundary and how well shaped they are.
#include "fuzz.h"

#include <sherd/tetra.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    sherd_error error;
    sherd_tetra_report report;
    sherd_tetra_mesh *mesh = sherd_tetra_mesh_read(fuzz_file(data, size), 1e-3, &report, &error);
    if (mesh == NULL) return 0;
    sherd_tetra_mesh_volume(mesh);
    sherd_tetra_mesh_quality(mesh);
    sherd_mesh_destroy(sherd_tetra_mesh_boundary(mesh, &error));
    sherd_tetra_mesh_destroy(mesh);
    return 0;
}

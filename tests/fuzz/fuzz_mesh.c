// STL, OBJ, PLY and glTF files: read, repaired, made a shape and asked for distances.
#include "fuzz.h"

#include <sherd/shape.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    sherd_error error;
    sherd_mesh *mesh = sherd_mesh_read(fuzz_file(data, size), 1e-3, &error);
    if (mesh == NULL) return 0;
    sherd_mesh_report report;
    if (sherd_mesh_repair(mesh, "mesh", &report, &error) == SHERD_OK) {
        sherd_shape *shape = sherd_shape_mesh(mesh, &error);
        if (shape != NULL) {
            sherd_shape_distance(shape, report.bounds.low);
            sherd_shape_volume(shape);
        }
        sherd_shape_destroy(shape);
    }
    sherd_mesh_destroy(mesh);
    return 0;
}

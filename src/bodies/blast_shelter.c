#include "bodies/blast_shelter.h"

#include "math/vec3.h"

#include <math.h>

// Width of a cell, in diameters of the elements that are nearest to the charge.
static const double CELL = 2.2;

// The cell of a direction on a cube of 6 times rows^2 of them.
static int cell_of(sherd_vec3 d, int rows)
{
    double x[3] = {d.x, d.y, d.z};
    int axis = 0;
    for (int a = 1; a < 3; ++a)
        if (fabs(x[a]) > fabs(x[axis])) axis = a;
    double size = fabs(x[axis]);
    if (!(size > 0.0)) return 0;
    int place[2];
    for (int a = 0; a < 2; ++a) {
        // Angles, so that cells are alike.
        double angle = atan(x[(axis + 1 + a) % 3] / size) * (4.0 / 3.14159265358979323846);
        int at = (int)(0.5 * (angle + 1.0) * rows);
        place[a] = at < rows ? at : rows - 1;
    }
    return ((2 * axis + (x[axis] < 0.0)) * rows + place[0]) * rows + place[1];
}

static int choose_rows(sherd_vec3 charge, const sherd_moving_face *faces, const double *radius,
                       size_t count)
{
    double widest = 0.0; // angle of an element, seen from the charge
    for (size_t f = 0; f < count; ++f) {
        double distance = vec3_distance(faces[f].position, charge);
        widest = fmax(widest, 2.0 * radius[f] / fmax(distance, radius[f]));
    }
    double rows = 0.5 * 3.14159265358979323846 / (CELL * fmax(widest, 1e-6));
    return (int)fmin(fmax(rows, 4.0), SHERD_SHELTER_ROWS);
}

void sherd_find_sheltered(sherd_vec3 charge, const sherd_moving_face *faces, const double *radius,
                          size_t count, float *cells, uint8_t *hidden)
{
    int rows = choose_rows(charge, faces, radius, count);
    for (int c = 0; c < 6 * rows * rows; ++c)
        cells[c] = INFINITY;
    for (size_t f = 0; f < count; ++f) {
        sherd_vec3 way = vec3_sub(faces[f].position, charge);
        float *cell = &cells[cell_of(way, rows)];
        *cell = fminf(*cell, (float)vec3_length(way));
    }
    // A face behind the nearest one of its cell by more than the cell's faces may differ.
    double width = 0.5 * 3.14159265358979323846 / rows;
    for (size_t f = 0; f < count; ++f) {
        sherd_vec3 way = vec3_sub(faces[f].position, charge);
        double distance = vec3_length(way);
        double cosine = fabs(vec3_dot(way, faces[f].normal)) / fmax(distance, 1e-300);
        cosine = fmin(fmax(cosine, 0.1), 1.0);
        double slope = 1.0 + sqrt(1.0 - cosine * cosine) / cosine;
        double depth = 6.0 * radius[f] + slope * width * distance;
        hidden[f] = distance > (double)cells[cell_of(way, rows)] + depth;
    }
}

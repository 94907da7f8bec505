#include "bodies/blast_shelter.h"

#include "math/vec3.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

// Width of a cell, in diameters of the elements that are nearest to the charge.
static const double CELL = 0.5;
// A face covers the cells of places on a disc of this radius, in its element's: neighbours leave no
// gaps between them.
static const double DISC = 1.1;

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
        double angle = atan(x[(axis + 1 + a) % 3] / size) * (4.0 / PI);
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
    double rows = 0.5 * PI / (CELL * fmax(widest, 1e-6));
    return (int)fmin(fmax(rows, 4.0), SHERD_SHELTER_ROWS);
}

// Two unit vectors at right angles to `way` and each other.
static void find_axes(sherd_vec3 way, sherd_vec3 axes[2])
{
    sherd_vec3 other = fabs(way.x) < fabs(way.y) ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0);
    axes[0] = vec3_normalize(vec3_cross(way, other));
    axes[1] = vec3_normalize(vec3_cross(way, axes[0]));
}

// The nearest face of each cell: in the middle of the disc, on its half and on its whole radius.
static void cover(sherd_vec3 way, double radius, int rows, float *cells)
{
    static const int PLACES[] = {1, 6, 12};
    float distance = (float)vec3_length(way);
    sherd_vec3 axes[2];
    find_axes(way, axes);
    for (int ring = 0; ring < 3; ++ring)
        for (int k = 0; k < PLACES[ring]; ++k) {
            double r = 0.5 * ring * DISC * radius, angle = 2.0 * PI * k / PLACES[ring];
            sherd_vec3 at = vec3_add_scaled(way, r * cos(angle), axes[0]);
            float *cell = &cells[cell_of(vec3_add_scaled(at, r * sin(angle), axes[1]), rows)];
            *cell = fminf(*cell, distance);
        }
}

void sherd_find_sheltered(sherd_vec3 charge, const sherd_moving_face *faces, const double *radius,
                          size_t count, float *cells, uint8_t *hidden)
{
    int rows = choose_rows(charge, faces, radius, count);
    for (int c = 0; c < 6 * rows * rows; ++c)
        cells[c] = INFINITY;
    for (size_t f = 0; f < count; ++f)
        cover(vec3_sub(faces[f].position, charge), radius[f], rows, cells);
    // A face behind the nearest one of its cell by more than those that share a cell may differ.
    double width = 0.5 * PI / rows;
    for (size_t f = 0; f < count; ++f) {
        sherd_vec3 way = vec3_sub(faces[f].position, charge);
        double distance = vec3_length(way);
        double cosine = fabs(vec3_dot(way, faces[f].normal)) / fmax(distance, 1e-300);
        cosine = fmin(fmax(cosine, 0.1), 1.0);
        double slope = 1.0 + sqrt(1.0 - cosine * cosine) / cosine;
        double depth = 6.0 * radius[f] + slope * (width * distance + DISC * radius[f]);
        hidden[f] = distance > (double)cells[cell_of(way, rows)] + depth;
    }
}

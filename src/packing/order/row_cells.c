// Recursive bisection of rows. A cell's rows are halved in number or in length, whichever makes the
// halves less elongated, and again each half, until one piece of a row is left. The half nearer to
// the row placed last comes first.
//
//      ------------           ------   ------           1 ------   4 ------
//      ------------    =>     ------   ------    =>     2 ------   3 ------
//
// With a common cutting plane, elements of neighbouring rows stay next to each other.
#include "packing/order/row_cells.h"

#include "base/memory.h"
#include "math/vec3.h"
#include "packing/principal_axes.h"

#include <string.h>

// Rows are cut while the cell has this length, in spacings: a cut divides the vectors of all
// adjacent rows, and blocks of some thousand elements are about as long.
static const double LENGTH = 64.0;
// Pieces shorter than this are not made: most of a vector of 16 is used.
enum { SHORTEST = 12 };

// Rows have a common direction if the distance between their ends is at least this fraction of
// their length.
static const double COHERENT = 0.5;

typedef struct piece {
    uint32_t begin, end; // in the array of chains
} piece;

typedef struct plane {
    sherd_vec3 normal;
    double offset;
    bool cuts; // across rows
} plane;

typedef struct halver {
    const sherd_row_chains *chains;
    const sherd_vec3 *point;
    double spacing;
    piece *piece; // of all cells that are waiting, those of the next cell last
    size_t count, capacity;
    size_t *cell; // where the pieces of each cell begin
    size_t cells, cell_capacity;
    sherd_vec3 placed; // position of the last piece placed
} halver;

static sherd_vec3 at(const halver *h, uint32_t k)
{
    return h->point[h->chains->line[k]];
}

static uint32_t length(piece p)
{
    return p.end - p.begin;
}

static sherd_vec3 middle(const halver *h, piece p)
{
    return at(h, p.begin + length(p) / 2);
}

// ---------------------------------------------------------------- where to halve

// Sum over rows of the vectors from first to last elements, and of lengths.
typedef struct cell_rows {
    sherd_vec3 way;
    double length;
} cell_rows;

static sherd_vec3 cell_centre(const halver *h, size_t begin, cell_rows *rows)
{
    sherd_vec3 sum = {0};
    double weight = 0.0;
    for (size_t k = begin; k < h->count; ++k) {
        piece p = h->piece[k];
        weight += length(p);
        sum = vec3_add_scaled(sum, length(p), middle(h, p));
        rows->way = vec3_add(rows->way, vec3_sub(at(h, p.end - 1), at(h, p.begin)));
        rows->length += (length(p) - 1) * h->spacing;
    }
    return vec3_scale(1.0 / weight, sum);
}

// Covariance of positions of elements [m^2], from four samples of each piece.
static void cell_covariance(const halver *h, size_t begin, sherd_vec3 centre, double c[3][3])
{
    double weight = 0.0, sum[6] = {0};
    for (size_t k = begin; k < h->count; ++k) {
        piece p = h->piece[k];
        for (uint32_t m = 1; m < 8; m += 2) {
            sherd_vec3 d =
                vec3_sub(at(h, p.begin + (uint32_t)((uint64_t)length(p) * m / 8)), centre);
            double n = length(p);
            sum[0] += n * d.x * d.x, sum[1] += n * d.y * d.y, sum[2] += n * d.z * d.z;
            sum[3] += n * d.x * d.y, sum[4] += n * d.x * d.z, sum[5] += n * d.y * d.z;
            weight += n;
        }
    }
    for (int k = 0; k < 3; ++k)
        c[k][k] = sum[k] / weight;
    c[0][1] = c[1][0] = sum[3] / weight;
    c[0][2] = c[2][0] = sum[4] / weight;
    c[1][2] = c[2][1] = sum[5] / weight;
}

// The axis along which points are most spread out; overwrites c.
static sherd_vec3 longest_axis(double c[3][3], double *variance)
{
    sherd_vec3 axis[3];
    sherd_principal_axes(c, axis);
    int k = c[1][1] > c[0][0] ? 1 : 0;
    if (c[2][2] > c[k][k]) k = 2;
    *variance = c[k][k];
    return axis[k];
}

// Removes the component along u from a covariance, and returns its variance.
static double take_out(double c[3][3], sherd_vec3 u)
{
    const double e[3] = {u.x, u.y, u.z};
    double ce[3], all = 0.0;
    for (int k = 0; k < 3; ++k) {
        ce[k] = c[k][0] * e[0] + c[k][1] * e[1] + c[k][2] * e[2];
        all += e[k] * ce[k];
    }
    for (int k = 0; k < 3; ++k)
        for (int m = 0; m < 3; ++m)
            c[k][m] += e[k] * e[m] * all - e[k] * ce[m] - ce[k] * e[m];
    return all;
}

// Through the middle, with the side nearer to the row placed last below.
static plane choose_plane(const halver *h, size_t begin)
{
    cell_rows rows = {0};
    double c[3][3], along2 = 0.0, side2;
    sherd_vec3 centre = cell_centre(h, begin, &rows);
    cell_covariance(h, begin, centre, c);
    // Where rows are curved none of their directions is the cell's.
    bool curled = vec3_length(rows.way) < COHERENT * rows.length;
    sherd_vec3 along = vec3_normalize(rows.way);
    if (!curled) along2 = take_out(c, along);
    sherd_vec3 side = longest_axis(c, &side2);
    bool cuts = (curled || along2 > side2) &&
                // Length of a uniform distribution.
                sqrt(12.0 * fmax(along2, side2)) >= LENGTH * h->spacing;
    sherd_vec3 normal = cuts && !curled ? along : side;
    double offset = vec3_dot(normal, centre);
    if (vec3_dot(normal, h->placed) <= offset) return (plane){normal, offset, cuts};
    return (plane){vec3_scale(-1.0, normal), -offset, cuts};
}

// ---------------------------------------------------------------- halving

static bool is_below(const halver *h, const plane *q, uint32_t k)
{
    return vec3_dot(at(h, k), q->normal) < q->offset;
}

// The end of the elements on the same side as k.
static uint32_t side_end(const halver *h, const plane *q, uint32_t k, uint32_t end)
{
    bool below = is_below(h, q, k);
    while (k < end && is_below(h, q, k) == below)
        ++k;
    return k;
}

// The first part of a piece: up to where it crosses the plane, unless one of the parts would be too
// short.
static piece first_part(const halver *h, const plane *q, piece p)
{
    if (!q->cuts) return p;
    uint32_t cut = side_end(h, q, p.begin, p.end);
    while (cut < p.end) {
        uint32_t next = side_end(h, q, cut, p.end);
        if (cut - p.begin >= SHORTEST && next - cut >= SHORTEST) break;
        cut = next;
    }
    return (piece){p.begin, cut};
}

static bool add_piece(halver *h, piece p)
{
    if (!sherd_grow((void **)&h->piece, &h->capacity, h->count + 1, sizeof *h->piece)) return false;
    h->piece[h->count++] = p;
    return true;
}

// Adds those parts of the pieces from `begin` to `end` whose midpoints are below, or above.
static bool add_parts(halver *h, const plane *q, size_t begin, size_t end, bool below)
{
    for (size_t k = begin; k < end; ++k)
        for (piece rest = h->piece[k], p; length(rest) > 0; rest.begin = p.end) {
            p = first_part(h, q, rest);
            if (is_below(h, q, p.begin + length(p) / 2) == below && !add_piece(h, p)) return false;
        }
    return true;
}

// Replaces the last cell by its upper half and, to come next, its lower half. If everything is on
// one side, the cell is halved in its present order.
static bool halve(halver *h)
{
    size_t begin = h->cell[h->cells - 1], end = h->count;
    plane q = choose_plane(h, begin);
    if (!sherd_grow((void **)&h->cell, &h->cell_capacity, h->cells + 1, sizeof *h->cell) ||
        !add_parts(h, &q, begin, end, false))
        return false;
    size_t above = h->count - end;
    if (!add_parts(h, &q, begin, end, true)) return false;
    size_t all = h->count - end;
    memmove(h->piece + begin, h->piece + end, all * sizeof *h->piece);
    h->count = begin + all;
    h->cell[h->cells++] = begin + (above == 0 || above == all ? all / 2 : above);
    return true;
}

static void place(halver *h, uint32_t *order, size_t *placed)
{
    piece p = h->piece[--h->count];
    --h->cells;
    for (uint32_t k = p.begin; k < p.end; ++k)
        order[(*placed)++] = h->chains->line[k];
    h->placed = middle(h, p);
}

static bool start(halver *h)
{
    size_t count = h->chains->count;
    if (!sherd_grow((void **)&h->piece, &h->capacity, count, sizeof *h->piece) ||
        !sherd_grow((void **)&h->cell, &h->cell_capacity, 1, sizeof *h->cell))
        return false;
    for (size_t k = 0; k < count; ++k)
        h->piece[k] = (piece){h->chains->begin[k], h->chains->begin[k + 1]};
    h->count = count;
    h->cells = count > 0 ? 1 : 0;
    if (count > 0) h->placed = at(h, 0);
    return true;
}

bool sherd_row_cells(const sherd_row_chains *chains, const sherd_centres *centres, double radius,
                     uint32_t *order)
{
    halver h = {.chains = chains, .point = centres->point, .spacing = 2.0 * radius};
    size_t placed = 0;
    bool done = start(&h);
    while (done && h.cells > 0) {
        if (h.count - h.cell[h.cells - 1] == 1)
            place(&h, order, &placed);
        else
            done = halve(&h);
    }
    sherd_free(h.piece);
    sherd_free(h.cell);
    return done;
}

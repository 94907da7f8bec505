#include "points/point_hash.h"

#include "base/hash.h"

uint64_t sherd_points_hash(const sherd_points *p, uint64_t hash)
{
    const double *columns[] = {p->px, p->py, p->pz, p->qx, p->qy, p->qz, p->qw,
                               p->vx, p->vy, p->vz, p->wx, p->wy, p->wz};
    for (size_t c = 0; c < sizeof columns / sizeof columns[0]; ++c)
        hash = sherd_hash_bytes(hash, columns[c], (size_t)p->count * sizeof(double));
    return hash;
}

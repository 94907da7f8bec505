// Pairs of single-precision numbers in the memory of a double, as they are adjacent in structures.
#pragma once

#include "math/lane.h"

#if defined(SHERD_SINGLE)
#error "lanes of doubles only"
#endif

#if SHERD_LANES == 1

typedef struct lane_two_singles {
    float first, second;
} lane_two_singles;

LANE_INLINE void lane_split_singles(lane both, lane *first, lane *second)
{
    lane_two_singles two;
    memcpy(&two, &both, sizeof two);
    *first = (lane)two.first, *second = (lane)two.second;
}

LANE_INLINE lane lane_join_singles(lane first, lane second)
{
    lane_two_singles two = {(float)first, (float)second};
    lane both;
    memcpy(&both, &two, sizeof both);
    return both;
}

#else

#if SHERD_LANES == 8
#define LANE_FIRST_SINGLES 0, 2, 4, 6, 8, 10, 12, 14
#define LANE_SECOND_SINGLES 1, 3, 5, 7, 9, 11, 13, 15
#define LANE_BOTH_SINGLES 0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15
#elif SHERD_LANES == 4
#define LANE_FIRST_SINGLES 0, 2, 4, 6
#define LANE_SECOND_SINGLES 1, 3, 5, 7
#define LANE_BOTH_SINGLES 0, 4, 1, 5, 2, 6, 3, 7
#else
#define LANE_FIRST_SINGLES 0, 2
#define LANE_SECOND_SINGLES 1, 3
#define LANE_BOTH_SINGLES 0, 2, 1, 3
#endif

typedef float lane_all_singles __attribute__((vector_size(LANE_BYTES)));

LANE_INLINE void lane_split_singles(lane both, lane *first, lane *second)
{
    lane_all_singles all = (lane_all_singles)both;
    *first = (lane)dlane_of_singles(__builtin_shufflevector(all, all, LANE_FIRST_SINGLES));
    *second = (lane)dlane_of_singles(__builtin_shufflevector(all, all, LANE_SECOND_SINGLES));
}

LANE_INLINE lane lane_join_singles(lane first, lane second)
{
    dlane_singles a = singles_of_dlane((dlane)first), b = singles_of_dlane((dlane)second);
    return (lane)__builtin_shufflevector(a, b, LANE_BOTH_SINGLES);
}

#endif

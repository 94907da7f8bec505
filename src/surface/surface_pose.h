// Moving the vertices of fragments' meshes with their elements, and keeping nothing but the meshes.
#pragma once

#include <sherd/surface.h>

// Lets the vertices of all pieces follow the fragments of an earlier frame, in which several pieces
// may still have been one fragment. Vertices of one fragment then move together, so both sides of a
// later crack coincide exactly. Meshes don't change. Holds until the next update.
sherd_status sherd_surface_follow(sherd_surface *surface, const sherd_fragment_view *fragments,
                                  sherd_error *error);

// Frees everything but the pieces' meshes, which are often a small part: for who only reads them. The
// surface can't be updated or followed any more.
void sherd_surface_keep_meshes(sherd_surface *surface);

// As sherd_surface_pose_all, for one piece: `vertices` and `normals` are (vertex_count x 3);
// `normals` may be NULL.
void sherd_surface_pose_piece(const sherd_surface *surface, int index,
                              const sherd_surface_pose *pose, double *vertices, double *normals);

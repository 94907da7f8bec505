// Groups of a mesh: names, materials and pictures; and notes about ignored parts of the file.
#include "output/mesh_file/mesh_builder.h"

#include "base/hash.h"
#include "base/memory.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Limit of groups; further groups are merged with the last one.
enum { MAX_GROUPS = 4096, SLOTS = 4 * MAX_GROUPS };

static size_t slot_of(const char *name, size_t size)
{
    uint64_t hash = sherd_hash_bytes(SHERD_HASH_START, name, size);
    return (size_t)(hash ^ hash >> 32) % SLOTS;
}

// The number of the named group, from 1; 0: there is none.
static int32_t find_group(const sherd_mesh_builder *builder, const char *name, size_t size,
                          size_t slot)
{
    for (; builder->group_slots != NULL && builder->group_slots[slot] != 0;
         slot = (slot + 1) % SLOTS) {
        int32_t group = builder->group_slots[slot];
        size_t begin = builder->group_begin[group - 1];
        size_t end =
            group < builder->group_count ? builder->group_begin[group] : builder->names_size;
        if (end - begin - 1 == size && memcmp(builder->group_names + begin, name, size) == 0)
            return group;
    }
    return 0;
}

static bool make_room_for_group(sherd_mesh_builder *builder, size_t names_size)
{
    if (builder->group_slots == NULL)
        builder->group_slots = sherd_alloc(SLOTS, sizeof *builder->group_slots);
    return builder->group_slots != NULL &&
           sherd_grow((void **)&builder->group_names, &builder->names_capacity, names_size, 1) &&
           sherd_grow((void **)&builder->group_begin, &builder->group_begin_capacity,
                      (size_t)builder->group_count + 1, sizeof *builder->group_begin);
}

bool sherd_mesh_builder_use_group(sherd_mesh_builder *builder, const char *name, size_t size)
{
    builder->present_group = 0;
    if (size == 0) return true;
    size_t slot = slot_of(name, size);
    builder->present_group = find_group(builder, name, size, slot);
    if (builder->present_group > 0) return true;
    builder->present_group = builder->group_count;
    if (builder->group_count == MAX_GROUPS) return true;
    size_t begin = builder->names_size, room = begin + size + 1;
    if (!make_room_for_group(builder, room)) return false;
    memcpy(builder->group_names + begin, name, size);
    builder->group_names[room - 1] = '\0';
    builder->group_begin[builder->group_count] = begin;
    builder->names_size = room;
    builder->present_group = ++builder->group_count;
    while (builder->group_slots[slot] != 0)
        slot = (slot + 1) % SLOTS;
    builder->group_slots[slot] = (uint16_t)builder->present_group;
    return true;
}

// ---------------------------------------------------------------- what groups look like

static const sherd_mesh_material NOTHING_KNOWN = {{NAN, NAN, NAN}, NAN, NAN, NAN, -1};

// Groups that are added later have a material, too.
bool sherd_mesh_builder_reach_materials(sherd_mesh_builder *builder)
{
    size_t count = (size_t)builder->group_count;
    if (!sherd_grow((void **)&builder->materials, &builder->material_capacity, count,
                    sizeof *builder->materials))
        return false;
    while (builder->material_count < count)
        builder->materials[builder->material_count++] = NOTHING_KNOWN;
    return true;
}

sherd_mesh_material *sherd_mesh_builder_material(sherd_mesh_builder *builder, const char *name,
                                                 size_t size)
{
    int32_t group = find_group(builder, name, size, slot_of(name, size));
    if (group == 0 || !sherd_mesh_builder_reach_materials(builder)) return NULL;
    return &builder->materials[group - 1];
}

// A linear search suffices: a file has few pictures.
int32_t sherd_mesh_builder_find_picture(const sherd_mesh_builder *builder,
                                        sherd_picture_source source)
{
    for (size_t k = 0; k < builder->picture_count; ++k)
        if (builder->picture_sources[k].device == source.device &&
            builder->picture_sources[k].number == source.number)
            return (int32_t)k;
    return -1;
}

int32_t sherd_mesh_builder_add_picture(sherd_mesh_builder *builder, const char *name,
                                       sherd_picture_source source, uint8_t *bytes, size_t size)
{
    char *copy = sherd_string_copy(name);
    size_t room = builder->picture_count + 1;
    if (copy == NULL ||
        !sherd_grow((void **)&builder->pictures, &builder->picture_capacity, room,
                    sizeof *builder->pictures) ||
        !sherd_grow((void **)&builder->picture_sources, &builder->picture_sources_capacity, room,
                    sizeof *builder->picture_sources)) {
        sherd_free(copy);
        sherd_free(bytes);
        return -1;
    }
    builder->picture_sources[builder->picture_count] = source;
    builder->pictures[builder->picture_count] = (sherd_mesh_picture){copy, bytes, size};
    return (int32_t)builder->picture_count++;
}

// Limit of notes, for files that refer to many missing files.
enum { MAX_NOTES = 8 };

void sherd_mesh_builder_note(sherd_mesh_builder *builder, const char *where, const char *format,
                             ...)
{
    if (builder->note_count >= MAX_NOTES) return;
    char what[SHERD_ERROR_TEXT_SIZE], note[2 * SHERD_ERROR_TEXT_SIZE + 4];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    int length = snprintf(note, sizeof note, "%s: %s", where, what);
    size_t size = builder->notes_size, room = size + (size_t)length + 1;
    if (!sherd_grow((void **)&builder->notes, &builder->notes_capacity, room, 1)) return;
    memcpy(builder->notes + size, note, room - size);
    builder->notes_size = room;
    ++builder->note_count;
}

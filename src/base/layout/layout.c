// The fingerprint of the public headers' memory layout, for bindings in other languages.
#include "base/hash.h"
#include "base/layout/layout_rows.h"

#include <sherd/version.h>

#include <stddef.h>

#define STRUCT(name) sizeof(name),
#define MEMBER(name, member) offsetof(name, member), sizeof(((name *)NULL)->member),
#define VALUE(name) (uint64_t)(name),

// The same list as scripts/make-python and python/sherd/_library.py use.
static const uint64_t LAYOUT[] = {SHERD_LAYOUT_TEXT, SHERD_LAYOUT_ROWS(STRUCT, MEMBER, VALUE)};

uint64_t sherd_layout_hash(void)
{
    return sherd_hash_bytes(SHERD_HASH_START, LAYOUT, sizeof LAYOUT);
}

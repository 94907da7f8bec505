// The viewer's files (viewer/) and three.js (third_party/three), embedded in the library by the
// assembler.
#pragma once

#include <stddef.h>

// Hash of viewer/boot.js in the page; after a change tests/cli/viewer.py prints the new one.
#define SHERD_PAGE_BOOT_HASH "sha256-ZlYR6+fduUg6bzdwXJmKSvU/u9/YbxvkeraJ0V1+wFA="

typedef enum sherd_page_asset_kind {
    SHERD_PAGE_STYLE,
    SHERD_PAGE_MARKUP,
    SHERD_PAGE_MODULE, // an ES module, which others import as './NAME', and three.js as 'three'
    SHERD_PAGE_BOOT,   // the script that starts the modules
} sherd_page_asset_kind;

typedef struct sherd_page_asset {
    sherd_page_asset_kind kind;
    const char *name; // of modules
    const unsigned char *bytes;
    size_t size;
} sherd_page_asset;

// Modules precede those that import them.
int sherd_page_asset_count(void);
sherd_page_asset sherd_page_asset_get(int index);

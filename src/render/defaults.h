// Marks scenes that began as sherd_render_scene_default().
#pragma once

#define SHERD_RENDER_SCENE_COOKIE 0x52454e44u // "REND"

/*
 * docs/settings.md, made of the tables; a test keeps the file equal to it.
 */
#ifndef CLI_SETTINGS_PAGE_H
#define CLI_SETTINGS_PAGE_H

#include "base/arena.h"

struct slice settings_page(struct arena *a);

#endif

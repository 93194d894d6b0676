/*
 * A table's dictionary: attribute names by number, so that stored items do not repeat them.
 *
 * Numbers start at 1 and never change or go away.  A dictionary holds at most LIMIT_NAME_IDS names
 * of at most NAMES_TEXT_MAX bytes; longer and later names are stored in full.  A name that is
 * offered to names_add before it is first stored therefore always has the same stored form.  One
 * thread adds (the writer); any thread reads at the same time without locks.
 */
#ifndef ITEM_NAMES_H
#define ITEM_NAMES_H

#include "base/error.h"

struct names;

/* Bounds a dictionary's memory: what is longer gains little from a number. */
enum { NAMES_TEXT_MAX = 255 };

struct names *names_create(void);
void names_destroy(struct names *n); /* takes NULL */

/* 0 when the name has no number. */
uint32_t names_find(const struct names *n, struct slice name);

/* The name of a number; false when there is none.  Lives as long as the dictionary. */
bool names_get(const struct names *n, uint32_t id, struct slice *out);

uint32_t names_count(const struct names *n);

/* The number of `name`, which is copied and numbered when it is new; 0 when it is new and too long
 * or the dictionary is full.  `*added` says whether it was numbered now (the caller then stores
 * it).
 */
uint32_t names_add(struct names *n, struct slice name, bool *added);

#endif

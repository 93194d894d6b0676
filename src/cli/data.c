#include "cli/data.h"

#include <errno.h>
#include <sys/stat.h>

struct error *data_open(struct arena *a, const char *path, const struct engine_options *options,
                        struct engine **out) {
    struct engine_options with_store = *options;
    const struct store_options store = {.path = path};
    TRY(store_open_rocks(a, &store, &with_store.store));
    struct error *error = engine_open(a, &with_store, out);
    if (error)
        store_close(with_store.store);
    return error;
}

struct error *data_must_exist(struct arena *a, const char *path) {
    struct stat about;
    if (stat(path, &about) != 0)
        return error_new(a, ERR_LOCAL, "cannot open the folder %s: %s", path, strerror(errno));
    if (!S_ISDIR(about.st_mode))
        return error_new(a, ERR_LOCAL, "%s is not a folder", path);
    if (stat(arena_printf(a, "%s/FORMAT", path).ptr, &about) != 0)
        return error_new(a, ERR_LOCAL, "the folder %s is not a Stator folder: it has no FORMAT",
                         path);
    return NULL;
}

/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * dlopen_test FOLDER: each mca_FRAMEWORK_COMPONENT.so there must load by itself with all its symbols
 * (RTLD_NOW), and hold the struct under which MCA looks it up, with the component's own name in it.
 */
#include "ompi_config.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opal/mca/mca.h"

/* What is wrong with FOLDER/FILE, or NULL. */
static const char *why_not(const char *folder, const char *file)
{
    char path[4096], symbol[256];
    const int length = (int) (strlen(file) - strlen(".so"));
    snprintf(path, sizeof path, "%s/%s", folder, file);
    snprintf(symbol, sizeof symbol, "%.*s_component", length, file);

    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) {
        return dlerror();
    }
    const mca_base_component_t *component = dlsym(handle, symbol);
    if (component == NULL) {
        return "it does not export its component struct";
    }
    snprintf(symbol, sizeof symbol, "mca_%s_%s.so", component->mca_type_name, component->mca_component_name);
    if (strcmp(symbol, file) != 0) {
        return "its struct names another component";
    }
    return dlclose(handle) == 0 ? NULL : dlerror();
}

static int is_component(const struct dirent *entry)
{
    const char *suffix = strrchr(entry->d_name, '.');
    return strncmp(entry->d_name, "mca_", 4) == 0 && suffix != NULL && strcmp(suffix, ".so") == 0;
}

int main(int argc, char **argv)
{
    struct dirent **entries;
    const int num_entries = argc == 2 ? scandir(argv[1], &entries, is_component, alphasort) : -1;
    int num_failed = 0;
    if (num_entries <= 0) {
        fprintf(stderr, "usage: dlopen_test FOLDER-WITH-COMPONENTS\n");
        return 2;
    }
    for (int i = 0; i < num_entries; ++i) {
        const char *why = why_not(argv[1], entries[i]->d_name);
        printf("%s %s%s%s\n", why == NULL ? "ok -" : "not ok -", entries[i]->d_name, why == NULL ? "" : ": ",
               why == NULL ? "" : why);
        num_failed += why != NULL;
        free(entries[i]);
    }
    free(entries);
    return num_failed != 0;
}

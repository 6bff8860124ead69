/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Prints messages for people, while the framework is registered.
 */
#include "ompi_config.h"

#include <stdlib.h>

#include "opal/util/output.h"

#include "ompi/mca/hitopo/base/framework/hitopo_base_glue.h"

#ifndef HITOPO_HELP_DIR
#error "HITOPO_HELP_DIR must name the folder of the help files"
#endif

static int output = -1;

/* Like the framework's own output, but without the prefix that would break a message's frame. */
void hitopo_glue_open_output(void)
{
    opal_output_stream_t stream;

    OBJ_CONSTRUCT(&stream, opal_output_stream_t);
    stream.lds_want_stderr = true;
    output = opal_output_open(&stream);
    OBJ_DESTRUCT(&stream);
}

void hitopo_glue_close_output(void)
{
    opal_output_close(output);
}

/* Avoids opal_show_help: mpirun 4.1 loses messages that processes send it (docs/upstream.md). */
bool hitopo_glue_print(char *text)
{
    if (NULL == text) {
        return false;
    }
    opal_output(output, "%s", text);
    free(text);
    return true;
}

bool hitopo_glue_help(const char *topic, const char *first, const char *second, const char *third)
{
    return hitopo_glue_print(
        ompi_hitopo_base_help_text(HITOPO_HELP_DIR "/help-hitopo-base.txt", topic, first, second, third));
}

void ompi_hitopo_base_help_from(const char *path, const char *topic, const char *first, const char *second,
                                const char *third)
{
    (void) hitopo_glue_print(ompi_hitopo_base_help_text(path, topic, first, second, third));
}

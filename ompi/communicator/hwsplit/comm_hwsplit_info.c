/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Info objects: reading and writing them, and the hints in them that a new communicator keeps.
 */
#include "ompi_config.h"

#include "mpi.h"

#include "opal/util/info.h"
#include "opal/util/info_subscriber.h"
#if OMPI_MAJOR_VERSION >= 5
#include "opal/util/string_copy.h"
#endif

#include "ompi/communicator/communicator.h"
#include "ompi/info/info.h"
#if OMPI_MAJOR_VERSION >= 6
#include "ompi/info/info_memkind.h"
#include "ompi/instance/instance.h"
#endif

#include "ompi/communicator/hwsplit/comm_hwsplit_glue.h"

struct opal_info_t *hitopo_glue_hints_within(struct opal_info_t *info)
{
    return info == &ompi_mpi_info_null.info.super ? NULL : info;
}

struct opal_info_t *hitopo_glue_hints(struct ompi_info_t *info)
{
    return NULL == info || ompi_info_is_freed(info) ? NULL : hitopo_glue_hints_within(&info->super);
}

bool hitopo_glue_has_early_info(void)
{
    return OMPI_MAJOR_VERSION >= 5;
}

bool hitopo_glue_is_guided_by_own(int split_type)
{
    return OMPI_MAJOR_VERSION >= (HITOPO_COMM_TYPE_HW_GUIDED == split_type ? 5 : 6);
}

bool hitopo_glue_info_get(struct opal_info_t *hints, const char *key, char *value, int capacity)
{
    int is_there = 0;

#if OMPI_MAJOR_VERSION < 5
    return OPAL_SUCCESS == opal_info_get(hints, key, capacity - 1, value, &is_there) && is_there;
#else
    opal_cstring_t *found = NULL;

    if (OPAL_SUCCESS != opal_info_get(hints, key, &found, &is_there) || !is_there) {
        return false;
    }
    opal_string_copy(value, found->string, (size_t) capacity);
    OBJ_RELEASE(found);
    return true;
#endif
}

void hitopo_glue_info_set(struct opal_info_t *hints, const char *key, const char *value)
{
    (void) opal_info_set(hints, key, value);
}

struct ompi_info_t *hitopo_glue_info_create(void)
{
#if OMPI_MAJOR_VERSION < 5
    return OBJ_NEW(ompi_info_t);
#else
    return ompi_info_allocate();
#endif
}

/* ---- hints: the keys of info that Open MPI's MPI_Comm_split_type keeps ---- */

#if OMPI_MAJOR_VERSION < 5

/* All keys, but for those that its own split does not know. The caller gets a reference; NULL if memory is short. */
static opal_info_t *kept_of(opal_info_t *hints)
{
    static const char *const own_keys[] = {HITOPO_KEY_RESOURCE, HITOPO_KEY_SET, HITOPO_KEY_DOMAIN};
    opal_info_t *kept = OBJ_NEW(opal_info_t);

    if (NULL != kept && NULL != hints) {
        (void) opal_info_dup(hints, &kept);
        for (size_t i = 0; i < sizeof(own_keys) / sizeof(own_keys[0]); ++i) {
            (void) opal_info_delete(kept, own_keys[i]);
        }
    }
    return kept;
}

void hitopo_glue_keep_hints(struct ompi_communicator_t *made, opal_info_t *hints)
{
    made->super.s_info = kept_of(hints);
}

static int split_with_hints(struct ompi_communicator_t *comm, int color, int key, opal_info_t *hints,
                            struct ompi_communicator_t **made)
{
    opal_info_t *kept = kept_of(hints);
    int rc = ompi_comm_split_with_info(comm, color, key, kept, made, false);

    if (NULL != kept) {
        OBJ_RELEASE(kept);
    }
    return rc;
}

#else

#if OMPI_MAJOR_VERSION >= 6
static void keep_kinds_of_memory(struct ompi_communicator_t *made, opal_info_t *hints)
{
    ompi_info_memkind_assert_type type = OMPI_INFO_MEMKIND_ASSERT_UNDEFINED;

    if (NULL != made->instance && NULL != made->instance->super.s_info) {
        (void) ompi_info_memkind_copy_or_set(&made->instance->super, &made->super, hints, &type);
    }
    if (OMPI_INFO_MEMKIND_ASSERT_NO_ACCEL == type) {
        made->c_assertions |= OMPI_COMM_ASSERT_NO_ACCEL_BUF;
    }
}
#endif

/* It keeps hints with a subscriber, now or when the PML sees the communicator; others are out of sight. */
void hitopo_glue_keep_hints(struct ompi_communicator_t *made, opal_info_t *hints)
{
    ompi_comm_assert_subscribe(made, OMPI_COMM_ASSERT_LAZY_BARRIER);
    ompi_comm_assert_subscribe(made, OMPI_COMM_ASSERT_ACTIVE_POLL);
    if (NULL != hints) {
        (void) opal_infosubscribe_change_info(&made->super, hints);
    }
#if OMPI_MAJOR_VERSION >= 6
    keep_kinds_of_memory(made, hints);
#endif
}

static int split_with_hints(struct ompi_communicator_t *comm, int color, int key, opal_info_t *hints,
                            struct ompi_communicator_t **made)
{
    return ompi_comm_split_with_info(comm, color, key, hints, made, false);
}

#endif

int hitopo_glue_split(struct ompi_communicator_t *comm, int color, int key, opal_info_t *hints,
                      struct ompi_communicator_t **made)
{
    *made = MPI_COMM_NULL;
    return split_with_hints(comm, color < 0 ? MPI_UNDEFINED : color, key, hints, made);
}

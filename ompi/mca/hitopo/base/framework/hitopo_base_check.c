/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * Compares with Open MPI's headers what C++ has to repeat because it cannot include them: values, and the functions of
 * hitopo.h, which hitopo_base_api.h declares again.
 */
#include "ompi_config.h"

#include "ompi/constants.h"
#include "ompi/mca/hitopo/base/hitopo_base_api.h"
#include "ompi/mca/hitopo/hitopo.h"

/* core/text/guard.h */
_Static_assert(OMPI_SUCCESS == 0, "kSuccess");
_Static_assert(OMPI_ERROR == -1, "kErrorGeneric");
_Static_assert(OMPI_ERR_OUT_OF_RESOURCE == -2, "kErrorOutOfResource");
_Static_assert(OMPI_ERR_BAD_PARAM == -5, "kErrorBadParam");
_Static_assert(OMPI_ERR_NOT_SUPPORTED == -8, "kErrorNotSupported");
_Static_assert(OMPI_ERR_NOT_AVAILABLE == -16, "kErrorNotAvailable");

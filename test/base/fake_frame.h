/* Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
 *
 * The framework without the MCA: hitopo_glue_* as base/answers.cc calls them, over two real components.
 */
#ifndef TEST_BASE_FAKE_FRAME_H
#define TEST_BASE_FAKE_FRAME_H

#ifdef __cplusplus
extern "C" {
#endif

/* Registers the components hwloc and openib, the latter with that hitopo_openib_fabric_file, and has them
 * prepare themselves. */
void fake_frame_open(const char *fabric_file);

void fake_frame_close(void);

#ifdef __cplusplus
}
#endif

#endif

# Copyright (c) 2026 The HiTopo developers. SPDX-License-Identifier: BSD-3-Clause
#
# Included by the root's Makefile.am: the Fortran interfaces. Their functions are C and in libmpi_hitopo;
# the modules hold no code, so only what the compiler says of them is installed, and their sources, for
# another compiler than ours.
mpiext = ompi/mpiext/hitopo

ompi_libmpi_hitopo_la_SOURCES += ompi/mpiext/hitopo/mpif-h/mpiext_hitopo_mpifh.c

# The makefiles there are for Open MPI's own tree.
EXTRA_DIST += \
    $(mpiext)/Makefile.am \
    $(mpiext)/c/Makefile.am \
    $(mpiext)/configure.m4 \
    $(mpiext)/mpif-h/Makefile.am \
    $(mpiext)/use-mpi-f08/Makefile.am \
    $(mpiext)/use-mpi/Makefile.am \
    $(mpiext)/mpif-h/before_ompi5_mpifh.h \
    $(mpiext)/mpif-h/before_ompi6_mpifh.h \
    $(mpiext)/mpif-h/mpiext_hitopo_mpifh.h \
    $(mpiext)/use-mpi/before_ompi5_usempi.h \
    $(mpiext)/use-mpi/before_ompi6_usempi.h \
    $(mpiext)/use-mpi/mpiext_hitopo_usempi.h \
    $(mpiext)/use-mpi-f08/before_ompi5_usempif08.h \
    $(mpiext)/use-mpi-f08/before_ompi6_usempif08.h \
    $(mpiext)/use-mpi-f08/mpiext_hitopo_usempif08.h \
    hitopo-fortran.pc.in

mpif_headers = \
    fortran/hitopo-usempi.h \
    fortran/hitopo-usempif08.h \
    fortran/mpif-hitopo.h

fortrandir = $(includedir)/hitopo
nodist_fortran_DATA = $(mpif_headers)
dist_fortran_DATA = \
    ompi/mpiext/hitopo/use-mpi-f08/hitopo_f08.f90 \
    ompi/mpiext/hitopo/use-mpi/hitopo.f90

nodist_pkgconfig_DATA += hitopo-fortran.pc

# What this extension has, and what this Open MPI lacks.
fortran/mpif-hitopo.h: Makefile $(mpiext)/mpif-h/mpiext_hitopo_mpifh.h
	$(AM_V_GEN)$(MKDIR_P) fortran && cd $(srcdir)/$(mpiext)/mpif-h && \
	    cat mpiext_hitopo_mpifh.h $(HITOPO_FORTRAN_LACKS:%=%_mpifh.h) >$(abs_builddir)/$@
fortran/hitopo-usempi.h: Makefile $(mpiext)/use-mpi/mpiext_hitopo_usempi.h
	$(AM_V_GEN)$(MKDIR_P) fortran && cd $(srcdir)/$(mpiext)/use-mpi && \
	    cat mpiext_hitopo_usempi.h $(HITOPO_FORTRAN_LACKS:%=%_usempi.h) >$(abs_builddir)/$@
fortran/hitopo-usempif08.h: Makefile $(mpiext)/use-mpi-f08/mpiext_hitopo_usempif08.h
	$(AM_V_GEN)$(MKDIR_P) fortran && cd $(srcdir)/$(mpiext)/use-mpi-f08 && \
	    cat mpiext_hitopo_usempif08.h $(HITOPO_FORTRAN_LACKS:%=%_usempif08.h) >$(abs_builddir)/$@

CLEANFILES += $(mpif_headers) fortran/hitopo.mod fortran/hitopo_f08.mod fortran/hitopo.o fortran/hitopo_f08.o

# The compiler writes its .mod file where it runs.
if HITOPO_HAVE_FORTRAN
nodist_fortranmod_DATA = \
    fortran/hitopo.mod \
    fortran/hitopo_f08.mod

fortran/hitopo.mod: ompi/mpiext/hitopo/use-mpi/hitopo.f90 $(mpif_headers)
	$(AM_V_GEN)source=`cd $(srcdir) && pwd`/$(mpiext)/use-mpi/hitopo.f90 && cd fortran && \
	    $(MPIFORT) $(FCFLAGS) -I. -c $$source && touch hitopo.mod
fortran/hitopo_f08.mod: ompi/mpiext/hitopo/use-mpi-f08/hitopo_f08.f90 $(mpif_headers)
	$(AM_V_GEN)source=`cd $(srcdir) && pwd`/$(mpiext)/use-mpi-f08/hitopo_f08.f90 && cd fortran && \
	    $(MPIFORT) $(FCFLAGS) -I. -c $$source && touch hitopo_f08.mod
endif

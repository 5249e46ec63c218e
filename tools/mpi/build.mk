# The plug-in of `jitreduce --mpi`: `make mpi` builds it beside the command, where an mpicc is.
# Invariant: nothing else is linked with an MPI; without one everything else is built.

# The compiler of the MPI: mpicc, mpicc.openmpi, mpicc.mpich
MPICC ?= mpicc

MPI_THERE := $(shell command -v $(MPICC))
MPI_SO := $(B)/libjitreduce_mpi.so

.PHONY: mpi
## mpi: build the plug-in of `jitreduce --mpi` with MPICC, for the ranks that mpirun starts
mpi: $(if $(MPI_THERE),all $(MPI_SO))
	$(if $(MPI_THERE),,@echo '$(MPICC) is missing: `make deps` installs libopenmpi-dev' && exit 1)

$(MPI_SO): tools/mpi/plugin.c tools/jitreduce/io/mpi_plugin.h $(PUBLIC)
	@mkdir -p $(@D)
	$(call step,mpicc,$<) $(MPICC) -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -fPIC -shared -fvisibility=hidden -Iinclude -Itools/jitreduce \
		$(CFLAGS) -o $@.tmp.$$$$ $< $(LDFLAGS) && mv $@.tmp.$$$$ $@

check-build: $(if $(findstring tests/mpi/run.sh,$(WANTED)),$(if $(MPI_THERE),mpi))

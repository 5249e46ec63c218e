# The Python package: `make python` builds it below $(B)/python, ready for PYTHONPATH=build/current/python.
# Invariant: without Python's headers nothing of it is built, and everything else is.

PYTHON_INCLUDE := $(shell tools/dev/python_headers.sh)

PYTHON_DIR := $(B)/python/jitreduce
PYTHON_SO  := $(PYTHON_DIR)/_jitreduce.abi3.so
PYTHON_OBJ := $(call objects,$(sort $(wildcard tools/python/*.c)))
PYTHON_SRC := $(sort $(wildcard $(addprefix tools/python/jitreduce/,*.py *.pyi py.typed)))
PYTHON_COPY := $(patsubst tools/python/%,$(B)/python/%,$(PYTHON_SRC))

.PHONY: python
## python: build the Python package (limited API) in build/current/python
python: $(if $(PYTHON_INCLUDE),all $(PYTHON_SO) $(PYTHON_COPY))
	$(if $(PYTHON_INCLUDE),,@echo 'Python.h is missing: `make deps` installs python3-dev' && exit 1)

$(B)/obj/tools/python/%.o: PART_FLAGS = -Iinclude -isystem $(PYTHON_INCLUDE) -fvisibility=hidden

# Symbols of Python stay open: they are the interpreter's.
$(PYTHON_SO): $(PYTHON_OBJ) $(LIB_SO) $(B)/sources
	@mkdir -p $(@D)
	$(call link,-shared -Wl$(,)-z$(,)undefs -Wl$(,)-rpath$(,)'$$ORIGIN',$(PYTHON_OBJ) -L$(B) -ljitreduce)
	$(Q)for file in libjitreduce.so.$(MAJOR) libjrsim.so jitreduce; do ln -sfn ../../$$file $(@D)/$$file; done

$(PYTHON_COPY): $(B)/python/%: tools/python/%
	@mkdir -p $(@D)
	$(Q)cp $< $@

check-build: $(if $(filter tests/python/run.sh %/test_python_bench.sh,$(WANTED)),$(if $(PYTHON_INCLUDE),python))

# The wheel's own libraries and command: with libmd, zlib and zstd inside, which other systems need not have.
WHEEL := $(B)/wheel
WHEEL_LIBS := $(WHEEL)/libjitreduce.so.$(MAJOR) $(WHEEL)/libjrsim.so
$(WHEEL)/libjitreduce.so.$(MAJOR): $(LIB_OBJ) $(B)/jitreduce.map
$(WHEEL)/libjrsim.so: $(SIM_OBJ) $(BASE_OBJ) $(B)/jrsim.map
$(WHEEL_LIBS):
	@mkdir -p $(@D)
	$(call link,-shared -Wl$(,)-soname$(,)$(@F) -Wl$(,)--version-script=$(filter %.map,$^) -Wl$(,)--exclude-libs$(,)ALL,$(filter %.o,$^) $(LIBS:-lmd=-l:libmd.a))
$(WHEEL)/jitreduce: $(filter %/main.o,$(CMD_OBJ)) $(COMMAND_A) $(WHEEL_LIBS)
	$(call link,-Wl$(,)-rpath$(,)'$$ORIGIN',$(filter %.o %.a,$^) $(filter %.so.$(MAJOR),$^) -l:libz.a -l:libzstd.a -lm -ldl)

.PHONY: wheel
## wheel: build the Python package as a wheel (abi3, manylinux) in build/current/wheel
wheel: python $(WHEEL)/jitreduce
	$(Q)tools/python/wheel.py $(VERSION) $(PYTHON_DIR) $(WHEEL)
check-build: $(if $(findstring tests/house/test_wheel.sh,$(WANTED)),$(if $(PYTHON_INCLUDE),wheel))

.PHONY: sdist
## sdist: build/jitreduce-VERSION.tar.gz, the source of the Python package, which pip builds and installs
sdist:
	@mkdir -p $(BUILD_ROOT)
	$(Q)PYTHONDONTWRITEBYTECODE=1 python3 tools/python/backend.py $(BUILD_ROOT)

.PHONY: check-python-suites
## check-python-suites: run the array API's and NumPy's own tests of reductions with the Python package (minutes)
check-python-suites: python
	$(Q)JR_TEST_BUILD=$(B) tests/python/suites/suites.sh

# Installing and packages: included by the Makefile, whose knobs and variables it uses. The version of all of them is the one
# in include/jitreduce/types.h.
.PHONY: install uninstall docs dist check-dist deb check-deb pack

## install: install headers, libraries, command, manual, jitreduce.pc and the CMake package below DESTDIR and prefix
install: all
install uninstall:
	@DESTDIR='$(DESTDIR)' bindir='$(bindir)' libdir='$(libdir)' includedir='$(includedir)' prefix='$(prefix)' \
		version='$(VERSION)' tools/dev/install.sh $@ $(B)
## uninstall: remove exactly what install put there
## pack: build/builtin.jrpack: all operators of all types for PACK_ARCHITECTURES, which install then puts beside the library
PACK_ARCHITECTURES ?= sm_75,sm_80,sm_86,sm_89,sm_90,sm_100,sm_103,sm_120
pack: all
	@$(B)/jitreduce pack --arch $(PACK_ARCHITECTURES) -o $(BUILD_ROOT)/builtin.jrpack
## docs: pages of the public headers in build/docs, by Doxygen, without a warning
docs:
	@tools/dev/docs.sh $(BUILD_ROOT)/docs $(VERSION)
## dist: build/jitreduce-VERSION.tar.xz, of what the commit that is checked out has
dist:
	@tools/dev/dist.sh $(BUILD_ROOT) $(VERSION)
## check-dist: unpack that tarball elsewhere, build and install it there, and run a part of the tests (T=word: these)
check-dist: dist
	+@T='$(T)' tools/dev/check_dist.sh $(BUILD_ROOT)/jitreduce-$(VERSION).tar.xz
## deb: Debian packages in build/deb: the library, what programs are built with, the command, the simulator
deb:
	+@tools/dev/deb.sh $(BUILD_ROOT) $(VERSION)
## check-deb: unpack those packages, and run the command, its pages and completions, and programs built by them
check-deb: deb
	@tools/dev/check_deb.sh $(BUILD_ROOT)/deb $(VERSION)

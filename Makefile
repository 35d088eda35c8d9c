# SPDX-License-Identifier: MIT
# Front door. The work is done by meson (user space, worker, firmware) and scripts/ (QEMU, kernel module, guest).

.PHONY: help setup build run check check-host check-device check-guest check-debug-kernel check-kernels check-packages conformance-igt \
	 coverage bench fuzz soak analyse deb clean

help:
	@echo 'make run           build everything, boot the guest, run the demonstration'
	@echo 'make check         everything there is to check; closes with the counts'
	@echo 'make check-host    unit and loopback tests under ASan and UBSan (no guest)'
	@echo 'make check-device  register tests on QEMU through qtest'
	@echo 'make check-guest   the tests in the booted guest'
	@echo 'make check-debug-kernel  the guest tests under a kernel with KASAN, lockdep, kmemleak (builds it)'
	@echo 'make check-kernels       the guest tests on newer kernels of the distribution (fetches them)'
	@echo 'make check-packages      installs the Debian packages (in an overlay), uses and removes them (builds them)'
	@echo 'make conformance-igt     IGT'"'"'s generic DRM tests, against a list of what is expected'
	@echo 'make coverage      line coverage of core, firmware, shader compiler and encoder'
	@echo 'make bench         measurements on the host and in the guest, as a table'
	@echo 'make fuzz          searches with every fuzz target (TARGET=name SECONDS=60)'
	@echo 'make analyse       static analysis of core, renderer, firmware and kernel module'
	@echo 'make deb           Debian packages for guest (DKMS module, Direct3D) and host (QEMU), in build/deb/'
	@echo 'make soak          everything at random in the guest (SECONDS=600)'
	@echo 'make setup|build   packages and QEMU source | everything, without running it'
	@echo 'make clean         remove build folders and logs (the QEMU cache stays)'

setup:
	@scripts/setup

build: setup
	@scripts/build

run: build
	@scripts/vm demo

check: setup
	@scripts/check layers host device guest

check-host: setup
	@scripts/check layers host

check-device: setup
	@scripts/check device

check-guest: setup
	@scripts/check guest

check-debug-kernel: setup
	@scripts/check-debug-kernel

check-kernels: setup
	@scripts/check-kernels

conformance-igt: build
	@scripts/conformance-igt

coverage: setup
	@scripts/coverage

bench: setup
	@scripts/bench

fuzz: setup
	@scripts/fuzz $(or $(TARGET),all) $(or $(SECONDS),60)

soak: build
	@scripts/vm --properties vram=64M --append iomem=relaxed --timeout $$(($(or $(SECONDS),600) + 600)) --program-timeout $$(($(or $(SECONDS),600) + 300)) \
		run 'tests/soak/soak $(or $(SECONDS),600)'

analyse: setup
	@scripts/analyse

deb:
	@scripts/setup packaging/packages.txt
	@scripts/make-deb

check-packages: deb
	@scripts/check-packages

clean:
	rm -rf build build-asan build-coverage build-fuzz out

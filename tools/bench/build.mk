# The benchmarks in this folder, and the pages of figures that are made from what they measured.
## bench: run `jitreduce bench` and the benchmarks in tools/bench, on the simulator where there is no GPU
$(B)/bench/%: $(B)/obj/tools/bench/%.o $(BENCH_OBJ) $(PARTS_A)
	@mkdir -p $(@D)
	$(call link,,$< $(BENCH_OBJ) $(PARTS_A) $(LIBS))
# It answers in the library's place which number is tuned.
$(B)/bench/tuned_bench: LDFLAGS += -Wl,--wrap=jr_tuned_number_of
bench: all $(BENCH_BIN)
	@tools/dev/bench.sh $(B) $(BENCH_BIN)
## bench-sim: CPU seconds of one thread that the simulator takes for kernels of everyday shapes and for our own calls, as CSV
.PHONY: bench-sim
bench-sim: all $(B)/bench/sim_bench
	@JRSIM_THREADS=1 JITREDUCE_SIM=$(B)/libjrsim.so $(B)/bench/sim_bench
## results: make tools/bench/RESULTS.md and every page's tables of figures from the CSV files in tools/bench
results:
	@tools/bench/results.py && tools/bench/plot_csv.sh tools/bench/h100/sizes.csv sum f32 tools/bench/h100.svg

// The test suites, one per file.
#pragma once

void test_latencies();
void test_deadlocks();
void test_traffic();
void test_random_simulations();
void test_packets();
void test_rates();
void test_ways();
void test_paths();

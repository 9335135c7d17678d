// The test suites, one per file.
#pragma once

void test_laws();
void test_deadlocks();
void test_traffic();
void test_anything();
void test_packets();
void test_rates();
void test_ways();

// The native tests of the models, one function per file.
#pragma once

void test_balancer();
void test_rack_search();
void test_rerouter();
void test_routing_cache();

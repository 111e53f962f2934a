// What:    The part `check` of the mesh suite: an assembly of many parts, which pairs clash.
#pragma once

namespace sudar_bench {

class Session;

void bench_assembly(Session& session);

}  // namespace sudar_bench

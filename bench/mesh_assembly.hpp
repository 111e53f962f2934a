// What:    The part `check` of the mesh suite: an assembly of many parts, which pairs clash.
#pragma once

#include <sudar/geom/mesh.hpp>

#include <cstdint>
#include <vector>

namespace sudar_bench {

class Session;

void bench_assembly(Session& session);

// A lattice of bumpy balls whose boxes overlap; every tenth holds a small one
std::vector<sudar::Mesh> assembly_parts(std::uint32_t count, std::uint32_t triangles, std::uint64_t seed);

}  // namespace sudar_bench

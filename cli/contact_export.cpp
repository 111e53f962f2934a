#include "cli/contact_export.hpp"

#include "cli/leave.hpp"
#include <sudar/io/file_bytes.hpp>

#include <algorithm>
#include <sstream>

namespace sudar_cli {

namespace {

struct PlyVertex {
  sudar::Vec3d p;
  int red, green, blue;
};
// Pairs of triangles, and triangles, of one file
constexpr std::size_t kMostExported = 4'000'000;
// Colours that are told apart by the colour-blind as well: blue, orange, black
constexpr int kColours[3][3] = {{0, 114, 178}, {230, 159, 0}, {0, 0, 0}};

class ContactMesh {
 public:
  void add(const sudar::Triangle<3, double>& t, int side) {
    std::array<std::size_t, 3> face;
    for (int k = 0; k < 3; ++k) face[static_cast<std::size_t>(k)] = add(t[k], side);
    faces_.push_back(face);
  }
  void add(const sudar::Vec3d& p, const sudar::Vec3d& q) {
    const std::size_t from = add(p, 2);
    edges_.push_back({from, add(q, 2)});
  }
  std::size_t size() const { return faces_.size(); }
  std::string ply() const {
    std::ostringstream out;
    out.precision(17);
    out << "ply\nformat ascii 1.0\ncomment where parts meet, metres\nelement vertex " << vertices_.size()
        << "\nproperty double x\nproperty double y\nproperty double z\nproperty uchar red\nproperty uchar green\n"
        << "property uchar blue\nelement face " << faces_.size()
        << "\nproperty list uchar int vertex_indices\nelement edge " << edges_.size()
        << "\nproperty int vertex1\nproperty int vertex2\nend_header\n";
    for (const PlyVertex& v : vertices_)
      out << v.p.x << ' ' << v.p.y << ' ' << v.p.z << ' ' << v.red << ' ' << v.green << ' ' << v.blue << '\n';
    for (const auto& f : faces_) out << "3 " << f[0] << ' ' << f[1] << ' ' << f[2] << '\n';
    for (const auto& e : edges_) out << e[0] << ' ' << e[1] << '\n';
    return out.str();
  }

 private:
  std::size_t add(const sudar::Vec3d& p, int side) {
    vertices_.push_back({p, kColours[side][0], kColours[side][1], kColours[side][2]});
    return vertices_.size() - 1;
  }

  std::vector<PlyVertex> vertices_;
  std::vector<std::array<std::size_t, 3>> faces_;
  std::vector<std::array<std::size_t, 2>> edges_;
};

sudar::Result<std::string> contacts_ply(const CheckReport& report) {
  return sudar::guarded([&]() -> sudar::Result<std::string> {
    ContactMesh out;
    for (const Clash& clash : report.search.clashes) {
      const CheckPart &a = report.input.parts[clash.a], &b = report.input.parts[clash.b];
      if (clash.type == ClashType::clearance && clash.distance) {
        // No triangles meet: the shortest way between the two
        const sudar::Vec3d half = clash.direction * (*clash.distance / 2);
        out.add(clash.point - half, clash.point + half);
        continue;
      }
      const auto meet = contact_of(a, b, clash.type == ClashType::self, kMostExported);
      if (!meet) return meet.error();
      if (meet->pairs.size() >= kMostExported || out.size() >= kMostExported)
        return sudar::Error{sudar::ErrorCode::too_large, sudar::Error::kNoElement,
                            "more pairs of triangles meet than a file of contacts may have"};
      std::vector<std::uint32_t> of_a, of_b;
      for (const sudar::MeshPair& pair : meet->pairs) {
        of_a.push_back(pair.a);
        of_b.push_back(pair.b);
        for (std::uint32_t i = 1; i < pair.count; ++i)
          out.add(meet->points[pair.first + i - 1], meet->points[pair.first + i]);
        // Around what two triangles of one plane have in common
        if (pair.count > 2) out.add(meet->points[pair.first + pair.count - 1], meet->points[pair.first]);
      }
      for (auto [triangles, part, side] : {std::tuple(&of_a, &a, 0), std::tuple(&of_b, &b, 1)}) {
        std::sort(triangles->begin(), triangles->end());
        triangles->erase(std::unique(triangles->begin(), triangles->end()), triangles->end());
        for (const std::uint32_t t : *triangles) out.add(part->mesh->triangle(t), side);
      }
    }
    return out.ply();
  });
}

}  // namespace

ContactExport export_or_leave(std::shared_ptr<const CheckReport> report, const std::string& path,
                              const std::atomic<bool>& stop) {
  if (!path.ends_with(".ply"))
    return {false, sudar::Error{sudar::ErrorCode::unsupported, sudar::Error::kNoElement, "the name must end in .ply"}};
  // Its own, for as long as the work may go on
  const auto text = std::make_shared<sudar::Result<std::string>>(std::string());
  if (!run_or_leave([report, text] { *text = contacts_ply(*report); }, stop)) return {true, {}};
  if (!*text) return {false, text->error()};
  return {false, sudar::write_whole_file(path, **text)};
}

}  // namespace sudar_cli

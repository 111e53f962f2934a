#include "tests/support/temp_file.hpp"
#include <sudar/geom/mesh_check.hpp>
#include <sudar/geom/mesh_makers.hpp>
#include <sudar/io/mesh_file.hpp>
#include <sudar/io/obj_file.hpp>
#include <sudar/io/off_file.hpp>
#include <sudar/io/ply_file.hpp>
#include <sudar/io/stl_file.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace sudar;

namespace {

Result<MeshFile> mesh_of(std::string_view text, std::string_view name) {
  return parse_mesh_file(std::as_bytes(std::span(text)), name);
}

Error mesh_error(std::string_view text, std::string_view name) {
  const auto file = mesh_of(text, name);
  EXPECT_FALSE(file.ok()) << name << ":\n" << text.substr(0, 200);
  return file.ok() ? Error{ErrorCode::unknown_id} : file.error();
}

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// A tetrahedron whose coordinates need all digits of a double, in two parts of two triangles each
MeshPart odd_part(const char* name, double shift) {
  return {name,
          {{{0.1 + shift, 0, 0}, {1 / 3.0, -2e-300, 0}, {0, 1e200, 7}, {-0.7, 1e-5, 3}},
           {{{0, 2, 1}}, {{0, 1, 3}}, {{1, 2, 3}}, {{2, 0, 3}}}}};
}

Mesh cube() {
  Mesh mesh;
  for (int i = 0; i < 8; ++i) mesh.vertices.push_back({double(i & 1), double(i >> 1 & 1), double(i >> 2)});
  mesh.triangles = {{{0, 2, 3}}, {{0, 3, 1}}, {{4, 5, 7}}, {{4, 7, 6}}, {{0, 1, 5}}, {{0, 5, 4}},
                    {{2, 6, 7}}, {{2, 7, 3}}, {{0, 4, 6}}, {{0, 6, 2}}, {{1, 3, 7}}, {{1, 7, 5}}};
  return mesh;
}

template <class T>
void put(std::string& out, T value, bool big) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  for (std::size_t i = 0; i < sizeof(T); ++i) out.push_back(bytes[big ? sizeof(T) - 1 - i : i]);
}

std::string binary_stl(const Mesh& mesh, std::string header = "solid whatever") {
  header.resize(80);
  put(header, static_cast<std::uint32_t>(mesh.triangles.size()), false);
  for (const MeshTriangle& t : mesh.triangles) {
    for (int k = 0; k < 3; ++k) put(header, std::bit_cast<float>(0x7fc00000u), false);  // normals are not looked at
    for (const std::uint32_t c : t)
      for (int k = 0; k < 3; ++k) put(header, static_cast<float>(mesh.vertices[c][k]), false);
    put(header, std::uint16_t{7}, false);
  }
  return header;
}

std::string ascii_stl(const Mesh& mesh, const std::string& name) {
  std::ostringstream out;
  out.precision(17);
  out << "solid " << name << "\n";
  for (const MeshTriangle& t : mesh.triangles) {
    out << "  facet normal 0 0 0\n    outer loop\n";
    for (const std::uint32_t c : t)
      out << "      vertex " << mesh.vertices[c].x << ' ' << mesh.vertices[c].y << ' ' << mesh.vertices[c].z << "\n";
    out << "    endloop\n  endfacet\n";
  }
  out << "endsolid " << name << "\n";
  return out.str();
}

std::string ascii_off(const Mesh& mesh) {
  std::ostringstream out;
  out.precision(17);
  out << "OFF\n# a comment\n" << mesh.vertices.size() << ' ' << mesh.triangles.size() << " 0\n\n";
  for (const Vec3d& v : mesh.vertices) out << v.x << ' ' << v.y << ' ' << v.z << " # a vertex\n";
  for (const MeshTriangle& t : mesh.triangles) out << "3 " << t[0] << ' ' << t[1] << ' ' << t[2] << " 255 0 0\n";
  return out.str();
}

// With elements and properties that are of no use in between
std::string ply(const Mesh& mesh, const std::string& format) {
  std::ostringstream head;
  head.precision(17);
  head << "ply\nformat " << format << " 1.0\ncomment made by hand\nobj_info nothing\nelement material 1\n"
       << "property uchar red\nproperty list uchar short names\nelement vertex " << mesh.vertices.size()
       << "\nproperty float quality\nproperty double x\nproperty double y\nproperty double z\nelement face "
       << mesh.triangles.size() << "\nproperty list uint8 int32 vertex_index\nproperty list int float st\nend_header\n";
  const bool big = format == "binary_big_endian";
  if (format == "ascii") {
    head << "255 2 -1 7\n";
    for (const Vec3d& v : mesh.vertices) head << "0.5 " << v.x << ' ' << v.y << ' ' << v.z << '\n';
    for (const MeshTriangle& t : mesh.triangles) head << "3 " << t[0] << ' ' << t[1] << ' ' << t[2] << " 1 0.25\n";
    return head.str();
  }
  std::string out = head.str();
  put(out, std::uint8_t{255}, big), put(out, std::uint8_t{2}, big);
  put(out, std::int16_t{-1}, big), put(out, std::int16_t{7}, big);
  for (const Vec3d& v : mesh.vertices) {
    put(out, 0.5f, big);
    for (int k = 0; k < 3; ++k) put(out, v[k], big);
  }
  for (const MeshTriangle& t : mesh.triangles) {
    put(out, std::uint8_t{3}, big);
    for (const std::uint32_t c : t) put(out, static_cast<std::int32_t>(c), big);
    put(out, std::int32_t{1}, big), put(out, 0.25f, big);
  }
  return out;
}

struct Sample {
  std::string name, bytes;
};
std::vector<Sample> samples(const Mesh& mesh) {
  std::ostringstream obj;
  obj.precision(17);
  for (const Vec3d& v : mesh.vertices) obj << "v " << v.x << ' ' << v.y << ' ' << v.z << "\n";
  for (const MeshTriangle& t : mesh.triangles) obj << "f " << t[0] + 1 << ' ' << t[1] + 1 << ' ' << t[2] + 1 << "\n";
  return {{"b.stl", binary_stl(mesh)},
          {"a.stl", ascii_stl(mesh, "cube")},
          {"a.off", ascii_off(mesh)},
          {"a.ply", ply(mesh, "ascii")},
          {"l.ply", ply(mesh, "binary_little_endian")},
          {"b.ply", ply(mesh, "binary_big_endian")},
          {"a.obj", obj.str()}};
}

// The corners of the triangles, which all formats keep
std::vector<Vec3d> corners_of(const Mesh& mesh) {
  std::vector<Vec3d> out;
  for (const MeshTriangle& t : mesh.triangles)
    for (const std::uint32_t c : t) out.push_back(mesh.vertices[c]);
  return out;
}

}  // namespace

TEST(MeshFile, EveryFormatHasTheSameTriangles) {
  for (const Sample& sample : samples(cube())) {
    const auto file = mesh_of(sample.bytes, sample.name);
    ASSERT_TRUE(file.ok()) << sample.name << ": " << file.error().message();
    ASSERT_EQ(file->parts.size(), 1u) << sample.name;
    EXPECT_EQ(corners_of(file->parts[0].mesh), corners_of(cube())) << sample.name;
    EXPECT_EQ(file->parts[0].mesh.vertices.size(), 8u) << sample.name;
    EXPECT_TRUE(check_solid(file->parts[0].mesh).ok()) << sample.name;
    EXPECT_EQ(file->parts[0].name, sample.name == "a.stl" ? "cube" : "") << sample.name;
    // What a file begins with decides, its name only where that says nothing
    if (sample.name == "a.obj") {
      EXPECT_EQ(mesh_error(sample.bytes, "mesh.dat").code, ErrorCode::unsupported);
    } else {
      EXPECT_TRUE(mesh_of(sample.bytes, "mesh.dat").ok()) << sample.name;
    }
  }
}

TEST(MeshFile, WhatIsWrittenReadsBackAsTheSameDoubles) {
  const std::vector<MeshPart> parts = {odd_part("first", 0), odd_part("", 5), odd_part("first", 7),
                                       odd_part("a\nb", 9)};
  const std::string obj = sudar_test::temp_path("odd.obj"), ply_path = sudar_test::temp_path("odd.PLY");
  ASSERT_TRUE(save_mesh_file(obj, parts).ok());
  auto back = load_mesh_file(obj);
  ASSERT_TRUE(back.ok()) << back.error().message();
  ASSERT_EQ(back->parts.size(), parts.size());
  for (std::size_t i = 0; i < parts.size(); ++i) EXPECT_EQ(back->parts[i].mesh, parts[i].mesh);
  EXPECT_EQ(back->parts[0].name, "first_1");
  EXPECT_EQ(back->parts[1].name, "part_2");
  EXPECT_EQ(back->parts[3].name, "a_b");

  ASSERT_TRUE(save_mesh_file(ply_path, parts).ok());
  back = load_mesh_file(ply_path);
  ASSERT_TRUE(back.ok()) << back.error().message();
  EXPECT_EQ(back->parts[0].mesh, *join_parts(parts));

  // Over what is there, floats, and nothing else left behind
  const std::string stl = sudar_test::temp_path("cube.stl");
  std::ofstream(stl) << "old";
  const std::vector<MeshPart> body = {{"cube", cube()}};
  ASSERT_TRUE(save_mesh_file(stl, body).ok());
  back = load_mesh_file(stl);
  ASSERT_TRUE(back.ok()) << back.error().message();
  EXPECT_EQ(corners_of(back->parts[0].mesh), corners_of(cube()));
  EXPECT_EQ(contents(stl).size(), 84u + 12 * 50);
  EXPECT_FALSE(std::filesystem::exists(stl + ".part0"));
  for (const std::string& path : {obj, ply_path, stl}) std::remove(path.c_str());
}

TEST(MeshFile, WhatCannotBeWrittenLeavesTheOldFile) {
  const std::string path = sudar_test::temp_path("kept.stl");
  std::ofstream(path) << "old";
  const std::vector<MeshPart> huge = {odd_part("huge", 0)};
  EXPECT_EQ(save_mesh_file(path, huge).error().code, ErrorCode::too_large);
  EXPECT_EQ(save_mesh_file(path, {}).error().code, ErrorCode::empty_input);
  EXPECT_EQ(contents(path), "old");
  std::remove(path.c_str());
  const std::vector<MeshPart> body = {{"cube", cube()}};
  EXPECT_EQ(save_mesh_file("cube.step", body).error().code, ErrorCode::unsupported);
  EXPECT_EQ(save_mesh_file("/no/such/folder/cube.ply", body).error().code, ErrorCode::io_failure);
  EXPECT_EQ(save_mesh_file(testing::TempDir(), body).error().code, ErrorCode::unsupported);
}

TEST(MeshFile, FilesThatCannotBeRead) {
  EXPECT_EQ(load_mesh_file("/no/such/mesh.stl").error().code, ErrorCode::io_failure);
  EXPECT_EQ(load_mesh_file(testing::TempDir()).error().code, ErrorCode::io_failure);
  EXPECT_EQ(load_mesh_file("/dev/zero").error().code, ErrorCode::io_failure);
  const std::string path = sudar_test::temp_path("empty.ply");
  std::ofstream(path).close();
  EXPECT_EQ(load_mesh_file(path).error().code, ErrorCode::empty_input);
  std::remove(path.c_str());
  EXPECT_EQ(mesh_file_message("a.obj", {ErrorCode::bad_format, 12, "line: it is bad"}), "a.obj: line 12: it is bad");
  EXPECT_EQ(mesh_file_message("a.stl", {ErrorCode::bad_format, 84, "byte: it ends"}), "a.stl: byte 84: it ends");
  EXPECT_EQ(mesh_file_message("a", {ErrorCode::io_failure, Error::kNoElement, "gone"}), "a: gone");
}

// Cut anywhere, a file is refused, or it is one that someone could have written; it never crashes
TEST(MeshFile, CutAtEveryByte) {
  for (const Sample& sample : samples(cube()))
    for (std::size_t size = 0; size < sample.bytes.size(); ++size) {
      const auto file = mesh_of(std::string_view(sample.bytes).substr(0, size), sample.name);
      const bool binary = sample.name[0] != 'a';
      const bool only_the_end = sample.bytes.size() - size <= 16;  // of the last line
      if (binary || (sample.name != "a.obj" && !only_the_end)) {
        EXPECT_FALSE(file.ok()) << sample.name << " cut at " << size;
      }
    }
}

TEST(MeshFile, DamagedBytesAreAnsweredNotTrusted) {
  for (const Sample& sample : samples(cube()))
    for (std::size_t at = 0; at < sample.bytes.size(); ++at)
      for (const char c : {'\0', '\xff', '\n', '-', '9', ' '}) {
        std::string bad = sample.bytes;
        bad[at] = c;
        const auto file = mesh_of(bad, sample.name);
        if (!file.ok()) continue;
        for (const MeshPart& part : file->parts) EXPECT_TRUE(check_mesh(part.mesh).ok());
      }
}

TEST(MeshFile, HostileFilesAreRefusedWithTheirPlace) {
  const std::string v = "v 0 0 0\nv 1 0 0\nv 0 1 0\n", zeros(80, '\0');
  const std::string ply_head = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n";
  const std::string ply_xyz = ply_head + "property float z\nelement face 1\nproperty list uchar int vertex_indices\n";
  const std::string ply_good = ply_xyz + "end_header\n0 0 0\n1 0 0\n0 1 0\n";
  std::string nan_corner = binary_stl(cube());
  nan_corner.replace(84 + 50 + 12, 4, "\x00\x00\xc0\x7f", 4);
  const auto stl_of = [](const char* facet) { return std::string("solid x\n") + facet + "\nendsolid x\n"; };
  struct Case {
    const char* name;
    std::string text;
    Error expected;
  };
  using enum ErrorCode;
  const Case cases[] = {
      {"nan.obj", v + "v nan 0 0\nf 1 2 3\n", {non_finite, 4}},
      {"inf.obj", v + "v 0 1e999 0\nf 1 2 3\n", {non_finite, 4}},
      {"past.obj", v + "f 1 2 4\n", {index_out_of_range, 4}},
      {"before.obj", v + "f 1 2 -4\n", {index_out_of_range, 4}},
      {"zero.obj", v + "f 1 2 0\n", {bad_format, 4}},
      {"huge.obj", v + "f 1 2 4294967295\n", {index_out_of_range, 4}},
      {"huger.obj", v + "f 1 2 99999999999999999999\n", {bad_format, 4}},
      {"two.obj", v + "f 1 2\n", {bad_format, 4}},
      {"slash.obj", v + "f 1/ 2 3\n", {bad_format, 4}},
      {"slashes.obj", v + "f 1/1/1/1 2 3\n", {bad_format, 4}},
      {"word.obj", v + "f a b c\n", {bad_format, 4}},
      {"fraction.obj", v + "f 1.5 2 3\n", {bad_format, 4}},
      {"short.obj", "v 0 0\n", {bad_format, 1}},
      {"long.obj", "v 0 0 0 0 0 0 0 0\n", {bad_format, 1}},
      {"unknown.obj", "hello world\n", {bad_format, 1}},
      {"surface.obj", v + "surf 0 1 0 1 1 2 3\n", {unsupported, 4}},
      {"points.obj", v, {empty_input}},
      {"blank.obj", "\n \n", {empty_input}},
      {"counts.stl", zeros + "\xff\xff\xff\xff", {bad_format, 84}},
      {"cut.stl", zeros + std::string("\x01\0\0\0", 4) + std::string(49, '\0'), {bad_format, 133}},
      {"more.stl", zeros + std::string("\x01\0\0\0", 4) + std::string(51, '\0'), {bad_format, 134}},
      {"none.stl", zeros + std::string(4, '\0'), {empty_input}},
      {"tiny.stl", "xyz", {bad_format, 3}},
      {"nan.stl", nan_corner, {non_finite, 84 + 50 + 12}},
      {"nofacet.stl", "solid x\nendsolid x\n", {empty_input}},
      {"open.stl", "solid x\n", {bad_format, 2}},
      {"word.stl", stl_of("face"), {bad_format, 2}},
      {"numbers.stl", stl_of("facet normal 0 0 1\nouter loop\nvertex 0 0 a\n"), {bad_format, 4}},
      {"infinite.stl", stl_of("facet normal 0 0 1\nouter loop\nvertex 0 0 inf\n"), {non_finite, 4}},
      {"corners.stl", stl_of("facet normal 0 0 1\nouter loop\nvertex 0 0 1\nvertex 1 1 1\nendloop"), {bad_format, 6}},
      {"four.stl",
       stl_of("facet normal 0 0 1\nouter loop\nvertex 0 0 1\nvertex 1 1 1\nvertex 2 1 1\nvertex 3 1 1"),
       {bad_format, 7}},
      {"counts.off", "OFF\n1000000000 1 0\n0 0 0\n", {bad_format, 2}},
      {"negative.off", "OFF\n3 -1 0\n0 0 0\n1 0 0\n0 1 0\n", {bad_format, 2}},
      {"faces.off", "OFF\n3 99999 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", {bad_format, 2}},
      {"past.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", {index_out_of_range, 6}},
      {"minus.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 -1\n", {index_out_of_range, 6}},
      {"count.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n4 0 1 2\n", {bad_format, 6}},
      {"edge.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n2 0 1 77\n", {bad_format, 6}},
      {"nan.off", "OFF\n3 1 0\n0 0 0\n1 nan 0\n0 1 0\n3 0 1 2\n", {non_finite, 4}},
      {"more.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n3 0 1 2\n", {bad_format, 7}},
      {"four.off", "4OFF\n3 1 0\n", {unsupported, 1}},
      {"binary.off", "OFF BINARY\n3 1 0\n", {unsupported, 1}},
      {"nohead.off", "3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", {bad_format, 1}},
      {"head.ply", "ply\nformat ascii 2.0\n", {unsupported, 2}},
      {"format.ply", "ply\nformat text 1.0\n", {bad_format, 2}},
      {"open.ply", "ply\nformat ascii 1.0\nelement vertex 3\n", {bad_format, 3}},
      {"noformat.ply", "ply\nelement vertex 3\nproperty float x\nend_header\n", {bad_format, 4}},
      {"negative.ply", "ply\nformat ascii 1.0\nelement vertex -3\n", {bad_format, 3}},
      {"type.ply", "ply\nformat ascii 1.0\nelement vertex 3\nproperty real x\n", {bad_format, 4}},
      {"empty.ply", "ply\nformat ascii 1.0\nelement vertex 3\nend_header\n", {bad_format, 3}},
      {"flat.ply", ply_head + "end_header\n0 0\n1 0\n0 1\n", {bad_format, 3}},
      {"listcount.ply", ply_head + "property list float int z\n", {bad_format, 6}},
      {"counts.ply",
       "ply\nformat binary_little_endian 1.0\nelement vertex 99999999999\nproperty char x\nproperty char "
       "y\nproperty char z\nend_header\nabc",
       {bad_format, 3}},
      {"rows.ply", ply_xyz + "end_header\n0 0 0\n1 0 0\n", {bad_format, 3}},
      {"short.ply", ply_good + "3 0 1", {bad_format, 13}},
      {"long.ply", ply_good + "3 0 1 2 7", {bad_format, 13}},
      {"past.ply", ply_good + "3 0 1 3\n", {index_out_of_range, 13}},
      {"minus.ply", ply_good + "3 0 1 -1\n", {index_out_of_range, 13}},
      {"few.ply", ply_good + "2 0 1\n", {bad_format, 13}},
      {"lessthannone.ply", ply_good + "-1 0 1 2\n", {bad_format, 13}},
      {"more.ply", ply_good + "3 0 1 2\n3 0 1 2\n", {bad_format, 14}},
      {"nan.ply", ply_xyz + "end_header\n0 0 0\n1 nan 0\n0 1 0\n3 0 1 2\n", {non_finite, 11}},
      {"scene.glb", "glTF\x02", {unsupported}},
      {"scene.gltf", "{}", {unsupported}},
      {"what.txt", "what is this", {unsupported}},
  };
  for (const Case& c : cases) {
    const Error error = mesh_error(c.text, c.name);
    EXPECT_EQ(error, c.expected) << c.name << ": " << error.message();
    EXPECT_EQ(error.element != Error::kNoElement, mesh_file_message("", error).find(':', 2) != std::string::npos)
        << c.name << ": " << error.message();
  }
}

TEST(MeshFile, ObjectsAndGroupsAreParts) {
  const std::string text =
      "# two boxes\r\nmtllib x.mtl\r\nv 0 0 0\r\nv 1 0 0 # right\r\nv 0 1 0 1.0\r\nv 0 0 1 0.5 0.5 0.5\r\n"
      "f 1 2 3\r\no Gear wheel\r\nf 1//1 2//1 3//1\r\ng teeth\r\nusemtl red\r\nf -4/1 -3/2 -1/3\r\ns off\r\n"
      "o Bolt\r\ng default\r\nf 2 3 \\\r\n 4\r\no Gear wheel\r\ng teeth\r\nf 1/1/1 2/2/2 3/3/3 \r\nl 1 2\r\n";
  const auto file = mesh_of(text, "a.obj");
  ASSERT_TRUE(file.ok()) << file.error().message();
  ASSERT_EQ(file->parts.size(), 4u);
  EXPECT_EQ(file->parts[0].name, "");
  EXPECT_EQ(file->parts[1].name, "Gear wheel");
  EXPECT_EQ(file->parts[2].name, "Gear wheel/teeth");
  EXPECT_EQ(file->parts[3].name, "Bolt");
  // A part has the vertices it uses, in their order
  EXPECT_EQ(file->parts[2].mesh, (Mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{{0, 1, 3}}, {{0, 1, 2}}}}));
  EXPECT_EQ(file->parts[3].mesh, (Mesh{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{{0, 1, 2}}}}));
  EXPECT_EQ(join_parts(file->parts)->triangles.size(), 5u);
  // Long names are cut between characters
  std::string name;
  for (int i = 0; i < 200; ++i) name += "\xc3\xa9";
  const auto cut = mesh_of("o x" + name + "\nf -1 -2 -3\nf 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n", "a.obj");
  EXPECT_EQ(cut.error().code, ErrorCode::index_out_of_range);
  const auto long_name = mesh_of("o x" + name + "\nf 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n", "a.obj");
  ASSERT_TRUE(long_name.ok());
  EXPECT_EQ(long_name->parts[0].name, "x" + name.substr(0, 254));
}

TEST(MeshFile, SolidsOfATextFileAreParts) {
  const auto file = mesh_of(ascii_stl(cube(), "one") + ascii_stl({}, "none") + ascii_stl(cube(), "two words"), "a.stl");
  ASSERT_TRUE(file.ok()) << file.error().message();
  ASSERT_EQ(file->parts.size(), 2u);
  EXPECT_EQ(file->parts[0].name, "one");
  EXPECT_EQ(file->parts[1].name, "two words");
  EXPECT_EQ(file->parts[1].mesh.vertices.size(), 8u);
}

// Areas are the oracle: triangles with the normal of the face add up to it, others would add more
TEST(MeshFile, FacesWithManyCornersAreCutInside) {
  const auto total = [](const Mesh& mesh) {
    double sum = 0;
    for (const MeshTriangle& t : mesh.triangles)
      sum += length(cross(mesh.vertices[t[1]] - mesh.vertices[t[0]], mesh.vertices[t[2]] - mesh.vertices[t[0]])) / 2;
    return sum;
  };
  // An L whose first corner sees too little for a fan, in each plane and both ways round
  const int l[6][2] = {{0, 3}, {0, 0}, {3, 0}, {3, 1}, {1, 1}, {1, 3}};
  for (int axis = 0; axis < 3; ++axis)
    for (const bool backwards : {false, true})
      for (int first = 0; first < 6; ++first) {
        std::ostringstream text;
        text << "OFF 6 1 0\n";
        for (int i = 0; i < 6; ++i) {
          Vec3d p{};
          p[axis] = 7;
          p[(axis + 1) % 3] = l[i][0];
          p[(axis + 2) % 3] = l[i][1];
          text << p.x << ' ' << p.y << ' ' << p.z << '\n';
        }
        text << 6;
        for (int i = 0; i < 6; ++i) text << ' ' << (first + (backwards ? 6 - i : i)) % 6;
        const auto file = mesh_of(text.str(), "l.off");
        ASSERT_TRUE(file.ok()) << file.error().message();
        const Mesh& mesh = file->parts[0].mesh;
        EXPECT_EQ(mesh.triangles.size(), 4u);
        EXPECT_DOUBLE_EQ(total(mesh), 5);
        for (std::size_t t = 0; t < 4; ++t) {
          const Vec3d n = cross(mesh.corners(t).b - mesh.corners(t).a, mesh.corners(t).c - mesh.corners(t).a);
          EXPECT_EQ(n[axis] > 0, !backwards);
        }
      }
  // Convex ones are fans; what crosses itself or has no area still gives its n - 2
  const auto quad = mesh_of("OFF\n4 2 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n4 0 1 2 3\n4 0 2 1 3\n", "q.off");
  ASSERT_TRUE(quad.ok());
  EXPECT_EQ(quad->parts[0].mesh.triangles,
            (std::vector<MeshTriangle>{{{0, 1, 2}}, {{0, 2, 3}}, {{0, 2, 1}}, {{0, 1, 3}}}));
  EXPECT_EQ(mesh_of("OFF\n1 1 0\n5 5 5\n5 0 0 0 0 0\n", "p.off")->parts[0].mesh.triangles.size(), 3u);
  const auto far =
      mesh_of("OFF\n4 1 0\n-1e308 -1e308 0\n1e308 -1e308 0\n-9e307 -9e307 0\n-1e308 1e308 0\n4 1 2 3 0\n", "f");
  ASSERT_TRUE(far.ok());
  EXPECT_EQ(far->parts[0].mesh.triangles, (std::vector<MeshTriangle>{{{1, 2, 0}}, {{2, 3, 0}}}));
}

// A comb of so many teeth that cutting it would take hours is refused; a fan of as many corners is no work
TEST(MeshFile, FacesWithAbsurdlyManyCorners) {
  const int n = 60000;
  for (const bool comb : {false, true}) {
    std::ostringstream text;
    text.precision(17);
    text << "OFF " << n << " 1 0\n";
    for (int i = 0; i < n; ++i) {
      const double x = i - n / 2;
      text << x << ' ' << (comb && i > 0 && i < n - 1 ? n - (i % 2) * n / 2 : -x * x) << " 0\n";
    }
    text << n;
    for (int i = 0; i < n; ++i) text << ' ' << n - 1 - i;
    const auto file = mesh_of(text.str(), "comb.off");
    EXPECT_EQ(file.ok(), !comb);
    if (comb && !file.ok()) {
      EXPECT_EQ(file.error().code, ErrorCode::too_large);
    }
  }
}

TEST(MeshFile, EqualVerticesBecomeOne) {
  const Mesh mesh{{{0, 0, 0}, {1, 0, 0}, {-0.0, 0, 0}, {0, 1, 0}}, {{{0, 1, 3}}, {{2, 3, 0}}}};
  const auto merged = merge_equal_vertices(mesh);
  ASSERT_TRUE(merged.ok());
  EXPECT_EQ(*merged, (Mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{{0, 1, 2}}, {{0, 2, 0}}}}));
  const std::string soup = binary_stl(*icosphere_mesh(1, 4));
  const auto ball = mesh_of(soup, "ball.stl");
  ASSERT_TRUE(ball.ok());
  const auto report = check_surface(ball->parts[0].mesh);
  ASSERT_TRUE(report.ok());
  EXPECT_TRUE(report->solid() && report->manifold());
  EXPECT_EQ(report->euler_characteristic, 2);
}

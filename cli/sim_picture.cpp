#include "cli/sim_picture.hpp"

#if SUDAR_HAVE_LAB
#include "lab/lab.hpp"
#endif

namespace sudar_cli {

#if SUDAR_HAVE_LAB

namespace {

namespace lab = sudar::lab;
constexpr int kPictureWidth = 1280, kPictureHeight = 720;

}  // namespace

bool SimPicture::available() { return true; }

template <int D>
void SimPicture::take(const sudar::World<D>& world) {
  list_ = std::make_shared<lab::DrawList>();
  list_->flat = D == 2;
  for (std::uint32_t i = 0; i < world.bodies().size(); ++i) {
    const auto& body = world.bodies()[i];
    if (!body.used) continue;
    const auto& object = world.scene()[i];
    // One looks into rooms through their walls
    const bool fixed = body.kind == sudar::BodyKind::fixed;
    list_->shape(object.shape, object.pose,
                 fixed ? lab::color_of(lab::Ink::ground, D == 3 ? 0.3f : 1.f) : lab::series(i));
  }
}

template <int D>
void SimPicture::take(std::span<const sudar::scenes::Body<D>> bodies) {
  list_ = std::make_shared<lab::DrawList>();
  list_->flat = D == 2;
  std::vector<sudar::Aabb<D, float>> boxes;
  std::vector<lab::Color> colors;
  for (const sudar::scenes::Body<D>& body : bodies) {
    boxes.push_back({sudar::vec_cast<float>(body.center - body.half), sudar::vec_cast<float>(body.center + body.half)});
    colors.push_back(lab::series(colors.size()));
  }
  list_->boxes(boxes, colors);
}

bool SimPicture::write(const std::string& path, std::string& why_not) const {
  if (list_ == nullptr) return true;
  return lab::write_picture(*list_, path, kPictureWidth, kPictureHeight, why_not);
}

#else

bool SimPicture::available() { return false; }
template <int D>
void SimPicture::take(const sudar::World<D>&) {}
template <int D>
void SimPicture::take(std::span<const sudar::scenes::Body<D>>) {}
bool SimPicture::write(const std::string&, std::string& why_not) const {
  why_not = "this build makes no pictures: it has no lab";
  return false;
}

#endif

template void SimPicture::take<2>(const sudar::World<2>&);
template void SimPicture::take<3>(const sudar::World<3>&);
template void SimPicture::take<2>(std::span<const sudar::scenes::Body<2>>);
template void SimPicture::take<3>(std::span<const sudar::scenes::Body<3>>);

}  // namespace sudar_cli

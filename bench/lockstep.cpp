#include "bench/lockstep.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>

namespace sudar_bench {

double processor_ms() {
#if defined(CLOCK_THREAD_CPUTIME_ID)
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
#else
  return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
#endif
}

Summary Follower::summary() const {
  if (ms.size() <= kWarmUpSteps) return summarize(ms);
  return summarize({ms.begin() + static_cast<std::ptrdiff_t>(kWarmUpSteps), ms.end()});
}

void Lockstep::add(std::string_view algorithm, const std::string& title, const Settings& settings) {
  auto made = sudar::make_broadphase<3>(algorithm);
  if (!made) return;
  for (const auto& [name, value] : settings) (void)(*made)->set_parameter(name, value).ok();
  Follower follower;
  follower.name = title.empty() ? std::string(algorithm) : title;
  follower.algorithm = *std::move(made);
  followers_.push_back(std::move(follower));
  order_.push_back(order_.size());
}

void Lockstep::step(const sudar::BoxStore<3>& store) {
  for (std::size_t i = order_.size(); i > 1; --i) std::swap(order_[i - 1], order_[random_.below(i)]);
  std::size_t least = std::numeric_limits<std::size_t>::max(), most = 0;
  for (const std::size_t i : order_) {
    Follower& follower = followers_[i];
    if (follower.out) continue;
    const double begin = processor_ms();
    follower.pairs = 0;
    if (follower.algorithm->update(store).ok())
      if (const auto pairs = follower.algorithm->pairs(store, sudar::PairOrder::any); pairs)
        follower.pairs = pairs->size();
    follower.ms.push_back(processor_ms() - begin);
    least = std::min(least, follower.pairs), most = std::max(most, follower.pairs);
  }
  disagreements_ += least < most ? 1 : 0;
}

const Follower* Lockstep::find(std::string_view name) const {
  for (const Follower& follower : followers_)
    if (follower.name == name) return &follower;
  return nullptr;
}

std::unique_ptr<sudar::scenes::Scene<3>> make_scene3(const std::string& text) {
  const auto spec = sudar::scenes::parse(text);
  if (!spec) return nullptr;
  auto scene = sudar::scenes::make<3>(*spec);
  return scene ? *std::move(scene) : nullptr;
}

std::string about(double count) {
  if (!(count > 0)) return "0";
  const double unit = std::pow(10, std::floor(std::log10(count)) - 1);
  const auto rounded =
      static_cast<long long>(count < 10 ? std::llround(count) : std::llround(std::round(count / unit) * unit));
  std::string digits = std::to_string(rounded);
  // A gap between thousands, from ten thousand on
  if (digits.size() > 4)
    for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, " ");
  return digits;
}

}  // namespace sudar_bench

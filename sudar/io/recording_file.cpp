// What:    See recording_file.hpp.
#include <sudar/io/little_endian.hpp>
#include <sudar/io/recording_file.hpp>

namespace sudar {

namespace {

constexpr std::string_view kRecordingMagic = "SUDARREC";
constexpr std::uint32_t kRecordingVersion = 1;

Error no_recording(std::uint64_t step, const char* reason) {
  return {ErrorCode::bad_format, static_cast<std::size_t>(step), reason};
}

// The numbers of for_each_number, in its order
void set_numbers(RigidState2& s, const double* x) {
  s.position = {x[0], x[1]};
  s.rotation.c = x[2], s.rotation.s = x[3];
  s.momentum = {x[4], x[5]};
  s.angular_momentum = x[6];
}
void set_numbers(RigidState3& s, const double* x) {
  s.position = {x[0], x[1], x[2]};
  s.rotation = {x[3], x[4], x[5], x[6]};
  s.momentum = {x[7], x[8], x[9]};
  s.angular_momentum = {x[10], x[11], x[12]};
}
template <int D>
constexpr std::size_t kStateNumbers = D == 2 ? 7 : 13;

}  // namespace

template <int D>
Result<RecordingWriter<D>> RecordingWriter<D>::make(const std::string& path, std::string_view text) {
  return guarded([&]() -> Result<RecordingWriter> {
    Result<PartFile> file = PartFile::make(path);
    if (!file) return file.error();
    RecordingWriter out(*std::move(file));
    out.bytes_ = kRecordingMagic;
    detail::append_bytes(out.bytes_, kRecordingVersion);
    detail::append_bytes(out.bytes_, std::uint32_t{D});
    detail::append_bytes(out.bytes_, std::uint64_t{text.size()});
    out.bytes_ += text;
    if (const Result<void> written = out.file_.write(out.bytes_); !written) return written.error();
    return out;
  });
}

template <int D>
Result<void> RecordingWriter<D>::add(const World<D>& world) {
  return guarded([&]() -> Result<void> {
    std::uint32_t count = 0;
    for (const WorldBody<D>& body : world.bodies()) count += body.used;
    // What a call before this one could not finish for want of memory is not half a step
    bytes_.clear();
    bytes_ += '\1';
    detail::append_bytes(bytes_, world.state_hash());
    detail::append_bytes(bytes_, count);
    for (std::uint32_t i = 0; i < world.bodies().size(); ++i) {
      const WorldBody<D>& body = world.bodies()[i];
      if (!body.used) continue;
      detail::append_bytes(bytes_, i);
      detail::append_bytes(bytes_, static_cast<std::uint8_t>(body.asleep));
      for_each_number(body.state, [&](BodyField, double x) { detail::append_bytes(bytes_, x); });
    }
    ++steps_;
    return file_.write(bytes_);
  });
}

template <int D>
Result<void> RecordingWriter<D>::finish() {
  return guarded([&]() -> Result<void> {
    bytes_.clear();
    bytes_ += '\0';
    detail::append_bytes(bytes_, steps_);
    if (const Result<void> written = file_.write(bytes_); !written) return written;
    return file_.finish();
  });
}

Result<RecordingReader> RecordingReader::make(const std::string& path) {
  return guarded([&]() -> Result<RecordingReader> {
    Result<OpenedFile> opened = open_file(path);
    if (!opened) return opened.error();
    RecordingReader out(*std::move(opened));
    if (!out.take(kRecordingMagic.size() + 16) || !out.bytes_.starts_with(kRecordingMagic))
      return no_recording(0, "not a recording of a world");
    const std::size_t at = kRecordingMagic.size();
    if (detail::read_bytes<std::uint32_t>(out.bytes_, at) != kRecordingVersion)
      return no_recording(0, "a recording of another version");
    const auto dim = detail::read_bytes<std::uint32_t>(out.bytes_, at + 4);
    const auto length = detail::read_bytes<std::uint64_t>(out.bytes_, at + 8);
    if ((dim != 2 && dim != 3) || length > out.left_ || !out.take(static_cast<std::size_t>(length)))
      return no_recording(0, "the recording has no beginning");
    out.dim_ = static_cast<int>(dim);
    out.text_ = out.bytes_;
    return out;
  });
}

bool RecordingReader::take(std::size_t count) {
  if (count > left_) return false;
  bytes_.resize(count);
  left_ -= count;
  return file_.read(bytes_.data(), count);
}

template <int D>
Result<bool> RecordingReader::next(RecordedStep<D>& out) {
  return guarded([&]() -> Result<bool> {
    if (D != dim_) return Error{ErrorCode::invalid_argument, Error::kNoElement, "the recording has another dimension"};
    if (!take(1)) return no_recording(steps_, "the recording breaks off");
    if (bytes_[0] == '\0') {
      if (!take(8) || detail::read_bytes<std::uint64_t>(bytes_, 0) != steps_ || left_ != 0)
        return no_recording(steps_, "the end of the recording does not fit");
      return false;
    }
    if (bytes_[0] != '\1' || !take(12)) return no_recording(steps_, "the recording breaks off");
    constexpr std::size_t kBodyBytes = 5 + 8 * kStateNumbers<D>;
    out.hash = detail::read_bytes<std::uint64_t>(bytes_, 0);
    const std::size_t count = detail::read_bytes<std::uint32_t>(bytes_, 8);
    if (count > left_ / kBodyBytes || !take(count * kBodyBytes))
      return no_recording(steps_, "the recording breaks off");
    out.bodies.clear();
    out.bodies.reserve(count);
    for (std::size_t i = 0, at = 0; i < count; ++i) {
      RecordedBody<D> body;
      body.index = detail::read_bytes<std::uint32_t>(bytes_, at);
      const auto asleep = detail::read_bytes<std::uint8_t>(bytes_, at + 4);
      body.asleep = asleep != 0;
      if (asleep > 1 || (i > 0 && !(out.bodies.back().index < body.index)))
        return no_recording(steps_, "bodies are not in order");
      double numbers[kStateNumbers<D>];
      at += 5;
      for (double& x : numbers) x = detail::read_bytes<double>(bytes_, at), at += 8;
      set_numbers(body.state, numbers);
      out.bodies.push_back(body);
    }
    ++steps_;
    return true;
  });
}

template class SUDAR_API RecordingWriter<2>;
template class SUDAR_API RecordingWriter<3>;
template SUDAR_API Result<bool> RecordingReader::next(RecordedStep<2>&);
template SUDAR_API Result<bool> RecordingReader::next(RecordedStep<3>&);

}  // namespace sudar

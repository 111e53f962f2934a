// What:    The plots of the evaluation: every table of a results.json as curves or bars, with the bars of the project; without a
//          file, a small measurement of broad phases over the number of boxes, made while one looks.
#include "lab/chart.hpp"
#include "lab/field_exhibits.hpp"
#include "lab/results_file.hpp"
#include "lab/still_exhibit.hpp"
#include "scenes/registry.hpp"
#include <sudar/broadphase/registry.hpp>
#include <sudar/core/info.hpp>

#include <algorithm>
#include <chrono>

namespace sudar::lab {

namespace {

class Evaluation final : public StillExhibit {
 public:
  Evaluation() {
    using P = Parameter;
    parameters_ = {P::text("file", "results.json of sudar bench", ""),
                   P::choice("scene", "scene that is measured", {"uniform", "cluster", "power_law", "plane"}),
                   P::whole("most", "most boxes", 8000, 1000, 64000, true)};
    parameters_[0].help = "empty: broad phases are measured here and now";
  }

  // One broad phase on one number of boxes a frame, until all are measured
  void advance(double) override {
    if (!measuring_ || next_ >= jobs_.size()) return;
    (void)guarded([this]() -> Result<void> {
      measure(jobs_[next_]);
      return {};
    });
    ++next_;
  }

  void draw(DrawList& list) const override {
    list.flat = true;
    frame(list, {-3.2, -2.95}, {3.2, 2.85});
    if (measuring_) {
      const Plot plot = live_plot();
      draw_plot(list, plot, chart_of(plot, kLo, kHi));
      title(list, "all pairs of " + chosen("scene") + " boxes: time over number");
      return;
    }
    if (step_ >= results_.tables.size()) {
      draw_bars(list);
      return;
    }
    const Table& table = results_.tables[step_];
    title(list, results_.suite + ": " + table.title);
    if (const std::vector<RaceBar> race = race_of(table); !race.empty()) {
      draw_race(list, race);
    } else if (const Plot plot = plot_of(table); !plot.series.empty()) {
      draw_plot(list, plot, chart_of(plot, kLo, kHi), plot.series.size() <= 16);
    } else {
      list.label(drawn_at(Vec2d{-1, 0}), "no numbers to draw; the table is beside");
    }
  }

  void tell(Panel& panel) const override {
    tell_trouble(panel);
    const auto info = build_info();
    panel.notes.push_back("This machine: " + std::string(instruction_set()) + ", " + std::string(info.compiler) + ", " +
                          std::string(info.threads) + ".");
    if (measuring_) {
      panel.badges.push_back({next_ >= jobs_.size()
                                  ? "measured"
                                  : "measuring " + std::to_string(next_) + " of " + std::to_string(jobs_.size()),
                              next_ >= jobs_.size() ? Ink::good : Ink::highlight});
      panel.badges.push_back(disagreements_ == 0 ? Badge{"all find the same pairs", Ink::good}
                                                 : Badge{std::to_string(disagreements_) + " disagree", Ink::bad});
      panel.decision =
          "Every algorithm finds the pairs of the same boxes, from nothing; the least of three times counts.";
      panel.plots.push_back(live_plot());
      Table table{"milliseconds", {"algorithm"}, {}, -1};
      for (const std::size_t n : sizes_) table.columns.push_back(std::to_string(n));
      for (std::size_t a = 0; a < names_.size(); ++a) {
        std::vector<std::string> row{std::string(names_[a])};
        for (const std::size_t n : sizes_) {
          const auto found =
              std::find_if(done_.begin(), done_.end(), [&](const Done& d) { return d.n == n && d.algorithm == a; });
          row.push_back(found == done_.end() ? "" : shown(found->ms, 2));
        }
        table.rows.push_back(std::move(row));
      }
      panel.tables.push_back(std::move(table));
      panel.hints.push_back("Times here are taken between frames; `sudar bench` interleaves and repeats.");
      return;
    }
    std::size_t passed = 0;
    for (const MeasuredBar& bar : results_.bars) passed += bar.passed;
    panel.badges.push_back({std::to_string(passed) + " of " + std::to_string(results_.bars.size()) + " bars met",
                            passed == results_.bars.size() ? Ink::good : Ink::bad});
    panel.notes.push_back("Measured by: " + results_.build + ".");
    if (step_ < results_.tables.size()) {
      const Table& table = results_.tables[step_];
      panel.decision = "Table " + std::to_string(step_ + 1) + " of " + std::to_string(results_.tables.size()) + ": " +
                       table.title + ".";
      if (race_of(table).empty())
        if (Plot plot = plot_of(table); !plot.series.empty()) panel.plots.push_back(std::move(plot));
      panel.tables.push_back(table);
    } else {
      panel.decision = "What was asked of the library, and what was seen.";
    }
    panel.tables.push_back(bars_table());
  }

  std::string as_query() const override {
    return measuring_ ? "sudar bench --suite broadphase --quick" : "sudar bench --suite " + results_.suite;
  }

 protected:
  Result<void> make() override {
    const std::string& file = named("file").content;
    if (!file.empty()) {
      Result<BenchResults> read = read_results(file);
      if (!read) return read.error();
      results_ = *std::move(read);
      measuring_ = false;
      steps_ = results_.tables.size() + 1;
      return {};
    }
    measuring_ = true;
    steps_ = 0;
    results_ = {};
    jobs_.clear(), done_.clear(), sizes_.clear(), names_.clear();
    next_ = 0, disagreements_ = 0;
    for (const std::string_view wanted :
         {"adaptive", "columns", "grid", "dynamic_tree", "octree", "sap", "sort_sweep", "brute_force"})
      for (const BroadphaseEntry& entry : broadphases())
        if (entry.name == wanted) names_.push_back(entry.name);
    for (double n = 250; n <= value("most"); n *= 2) sizes_.push_back(static_cast<std::size_t>(n));
    for (const std::size_t n : sizes_)
      for (std::size_t a = 0; a < names_.size(); ++a) jobs_.push_back({n, a});
    // The first two numbers at once, so that there is something to see
    for (; next_ < jobs_.size() && next_ < 2 * names_.size(); ++next_) measure(jobs_[next_]);
    return {};
  }

 private:
  static constexpr Vec2d kLo{-2.7, -2.4}, kHi{2.1, 2.2};
  struct Job {
    std::size_t n, algorithm;
  };
  struct Done {
    std::size_t n, algorithm, pairs;
    double ms;
  };

  void measure(const Job& job) {
    using Clock = std::chrono::steady_clock;
    const auto spec = scenes::parse(chosen("scene") + " n=" + std::to_string(job.n));
    if (!spec) return;
    auto scene = scenes::make<3>(*spec);
    auto search = make_broadphase<3>(names_[job.algorithm]);
    if (!scene || !search) return;
    Done out{job.n, job.algorithm, 0, std::numeric_limits<double>::infinity()};
    for (int i = 0; i < 3; ++i) {
      const auto begin = Clock::now();
      if (!(*search)->build((*scene)->boxes())) return;
      const auto pairs = (*search)->pairs((*scene)->boxes(), PairOrder::any);
      if (!pairs) return;
      out.ms = std::min(out.ms, std::chrono::duration<double, std::milli>(Clock::now() - begin).count());
      out.pairs = pairs->size();
    }
    for (const Done& other : done_)
      if (other.n == out.n && other.pairs != out.pairs) {
        ++disagreements_;
        break;
      }
    done_.push_back(out);
  }
  Plot live_plot() const {
    Plot plot{"time of all pairs", "boxes", "ms", {}};
    plot.log_x = plot.log_y = true;
    for (std::size_t a = 0; a < names_.size(); ++a) {
      PlotSeries curve{std::string(names_[a]), {}, {}, false};
      for (const Done& d : done_)
        if (d.algorithm == a) curve.x.push_back(static_cast<double>(d.n)), curve.y.push_back(d.ms);
      plot.series.push_back(std::move(curve));
    }
    return plot;
  }

  static void title(DrawList& list, const std::string& text) {
    list.label(drawn_at(Vec2d{-3.1, 2.65}), text, color_of(Ink::text));
  }
  static void quad(DrawList& list, double x0, double x1, double y, double height, Color c) {
    const Vec3d corners[] = {drawn_at(Vec2d{x0, y - height / 2}, 1), drawn_at(Vec2d{x1, y - height / 2}, 1),
                             drawn_at(Vec2d{x1, y + height / 2}, 1), drawn_at(Vec2d{x0, y + height / 2}, 1)};
    list.polygon(corners, c);
  }
  // Workloads one below the other; the longest bar of each is the slowest
  static void draw_race(DrawList& list, const std::vector<RaceBar>& race) {
    std::vector<std::string> workloads;
    for (const RaceBar& bar : race)
      if (std::find(workloads.begin(), workloads.end(), bar.workload) == workloads.end())
        workloads.push_back(bar.workload);
    constexpr std::size_t kMostRows = 34;
    std::size_t rows = 0, drawn = 0;
    for (const std::string& workload : workloads) {
      const auto count = static_cast<std::size_t>(
          std::count_if(race.begin(), race.end(), [&](const RaceBar& b) { return b.workload == workload; }));
      if (rows + count + 1 > kMostRows && drawn > 0) break;
      rows += count + 1, ++drawn;
    }
    const double height = std::min(0.24, 4.8 / static_cast<double>(std::max<std::size_t>(1, rows)));
    double y = 2.25;
    for (std::size_t w = 0; w < drawn; ++w) {
      double longest = 0;
      for (const RaceBar& bar : race)
        if (bar.workload == workloads[w]) longest = std::max(longest, bar.ms);
      list.label(drawn_at(Vec2d{-3.1, y}), workloads[w], color_of(Ink::text));
      y -= height;
      for (const RaceBar& bar : race) {
        if (bar.workload != workloads[w]) continue;
        list.label(drawn_at(Vec2d{-3, y}), bar.contestant, color_of(Ink::text, 0.85f));
        const double x1 = -0.8 + std::max(0.01, 3 * bar.ms / (longest > 0 ? longest : 1));
        quad(list, -0.8, x1, y, 0.7 * height, color_of(bar.peer ? Ink::b : Ink::a, 0.9f));
        list.label(drawn_at(Vec2d{x1 + 0.05, y}), shown(bar.ms, 3) + " ms", color_of(Ink::text));
        y -= height;
      }
    }
    if (drawn < workloads.size())
      list.label(drawn_at(Vec2d{-3.1, y}), std::to_string(workloads.size() - drawn) + " more in the table beside");
  }
  // Each bar as a share of what was asked; where it ends says how far it is
  void draw_bars(DrawList& list) const {
    title(list, results_.suite + ": bars");
    const std::size_t most = std::min<std::size_t>(results_.bars.size(), 34);
    double y = 2.25;
    // Those that were missed come first
    std::vector<const MeasuredBar*> order;
    for (const bool passed : {false, true})
      for (const MeasuredBar& bar : results_.bars)
        if (bar.passed == passed) order.push_back(&bar);
    const double height = std::min(0.24, 4.8 / static_cast<double>(std::max<std::size_t>(1, most)));
    for (std::size_t i = 0; i < most; ++i) {
      const MeasuredBar& bar = *order[i];
      const double share = bar.required != 0 ? std::clamp(bar.seen / bar.required, 0.0, 2.0) : bar.passed ? 0.0 : 2.0;
      quad(list, 1.2, 1.21 + 0.6 * share, y, 0.7 * height, color_of(bar.passed ? Ink::good : Ink::bad, 0.9f));
      list.label(drawn_at(Vec2d{-3.1, y}), bar.what.substr(0, 62), color_of(Ink::text, 0.9f));
      list.label(drawn_at(Vec2d{2.5, y}), shown(bar.seen, 3) + " / " + shown(bar.required, 3));
      y -= height;
    }
    list.line(drawn_at(Vec2d{1.8, 2.4}, 2), drawn_at(Vec2d{1.8, y}, 2), color_of(Ink::text, 0.6f), 1);
    list.label(drawn_at(Vec2d{1.55, 2.5}), "as asked");
    if (results_.bars.empty()) list.label(drawn_at(Vec2d{-1, 0}), "this suite has no bars");
  }
  Table bars_table() const {
    Table table{"bars", {"verdict", "what was asked for", "asked", "seen"}, {}, -1};
    for (const bool passed : {false, true})
      for (const MeasuredBar& bar : results_.bars)
        if (bar.passed == passed)
          table.rows.push_back({bar.passed ? "met" : "missed", bar.what, shown(bar.required, 4), shown(bar.seen, 4)});
    return table;
  }

  bool measuring_ = true;
  BenchResults results_;
  std::vector<std::string_view> names_;
  std::vector<std::size_t> sizes_;
  std::vector<Job> jobs_;
  std::vector<Done> done_;
  std::size_t next_ = 0, disagreements_ = 0;
};

}  // namespace

std::unique_ptr<Exhibit> make_evaluation(std::string_view parameters, std::string& why_not) {
  return make_still<Evaluation>(parameters, why_not);
}

}  // namespace sudar::lab

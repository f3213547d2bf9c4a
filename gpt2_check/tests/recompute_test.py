#!/usr/bin/env python3
"""Recomputes the numbers of two reports, from report.json and the CSV files alone: recompute_test.py GPT2_CHECK.

It runs the small model and a recording that the project ships, and shares no code with the program.
"""

import csv
import html
import json
import math
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SHIPPED = Path(__file__).resolve().parent.parent
RUNS = {
    "tiny": ["--model", "tiny", "--text", str(SHIPPED / "tiny" / "sample.txt"), "--rows", "stride:32"],
    "recording": ["--activations", str(SHIPPED / "recordings" / "smollm2_135m_64tok.safetensors")],
}


def beta_fraction(a, b, x):
    """The continued fraction of the incomplete beta function, by Lentz."""
    tiny = 1e-300
    c, d = 1.0, 1 / max(1 - (a + b) * x / (a + 1), tiny)
    product = d
    for m in range(1, 400):
        for numerator in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 + numerator * d
            c = 1 + numerator / c
            d = 1 / (d if abs(d) > tiny else tiny)
            c = c if abs(c) > tiny else tiny
            product *= d * c
        if abs(d * c - 1) < 1e-15:
            break
    return product


def t_tail(t, freedom):
    """P(|T| > t)."""
    a, b, x = freedom / 2, 0.5, freedom / (freedom + t * t)
    log_front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    if x < (a + 1) / (a + b + 2):
        return math.exp(log_front) * beta_fraction(a, b, x) / a
    return 1 - math.exp(log_front) * beta_fraction(b, a, 1 - x) / b


def t_quantile(freedom):
    """The t that 95 % lie within."""
    low, high = 0.0, 1e4
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if t_tail(middle, freedom) > 0.05 else (low, middle)
    return low


def mean(values):
    return math.fsum(values) / len(values)


def variance_of_mean(values):
    middle = mean(values)
    return math.fsum((v - middle) ** 2 for v in values) / (len(values) - 1) / len(values)


def interval(heads, rows=()):
    """The mean over heads with its 95 % interval, over heads and rows."""
    of_heads = variance_of_mean(heads)
    of_rows = variance_of_mean(rows) if len(rows) > 1 else 0
    freedom = len(heads) - 1
    if of_rows > 0:
        freedom = (of_heads + of_rows) ** 2 / (of_heads**2 / freedom + of_rows**2 / (len(rows) - 1))
    reach = t_quantile(freedom) * math.sqrt(of_heads + of_rows)
    return mean(heads), mean(heads) - reach, mean(heads) + reach


def shown(value, text):
    """Whether a number of a page is the value, at the digits that it has."""
    digits = text.replace(",", "")
    plain = digits.lstrip("-").split("e")[0]
    places = len(plain.split(".")[1]) if "." in plain else 0
    step = 10.0**-places
    if "." not in plain and plain.endswith("0"):  # 1,630 has three digits
        step = 10.0 ** max(0, len(plain) - 3)
    if "e" in digits:
        step *= 10.0 ** int(digits.split("e")[1])
    return abs(float(digits) - value) <= 0.5000001 * step


NUMBER = re.compile(r"(?<![\w.])-?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?")


class Report:
    def __init__(self, folder):
        self.folder = folder
        self.json = json.loads((folder / "report.json").read_text())
        self.measured = self.json["gpt2"]
        self.page = next(p for p in (folder / "inputs").glob("*.html") if not p.name.endswith(".heads.html"))
        self.name = self.page.name[: -len(".html")]
        self.heads = [row for row in self.csv("heads") if row["without_first"] == "false"]
        self.by_claim = {}
        for row in self.csv("claims-by-head"):
            self.by_claim.setdefault(row["claim"], []).append(row)

    def csv(self, which):
        with open(self.folder / "figures" / f"{self.name}-{which}.csv", newline="") as file:
            return list(csv.DictReader(file))

    def column(self, name):
        return [float(row[name]) for row in self.heads if row.get(name)]

    def statement(self, which):
        return next(entry for entry in self.measured["abstract"] if entry["id"] == which)

    def captions(self):
        """The text of each figure's caption, with the name of its CSV file."""
        page = self.page.read_text()
        for figure in re.findall(r"<figure.*?</figure>", page, re.S):
            caption = re.search(r"<figcaption.*?</figcaption>", figure, re.S)
            data = re.search(r'href="\.\./figures/([^"]+)\.csv"', figure)
            if caption and data:
                text = re.sub(r"<a .*?</a>", "", caption.group(0), flags=re.S)
                text = re.sub(r"<math.*?</math>", lambda m: re.sub(r"<[^>]+>", " ", m.group(0)), text, flags=re.S)
                yield data.group(1), html.unescape(re.sub(r"<[^>]+>", " ", text))


class Recompute(unittest.TestCase):
    reports = {}

    def each(self):
        self.assertEqual(len(self.reports), len(RUNS))
        return self.reports.values()

    def near(self, found, expected):
        self.assertAlmostEqual(found, expected, delta=1e-9 * max(1, abs(expected)))

    def test_heads_add_up_to_the_claims(self):
        for report in self.each():
            records = {c["id"]: c for c in report.json["claims"] if c["id"] in report.by_claim}
            self.assertGreater(len(records), 50)
            for which, record in records.items():
                rows = report.by_claim[which]
                for count in ("cases", "violated", "assumption_not_met"):
                    self.assertEqual(sum(int(row[count]) for row in rows), record[count], (which, count))
                for row in rows:
                    applicable = int(row["cases"]) - int(row["assumption_not_met"])
                    if applicable > 0:
                        self.near(float(row["share_violated"]), int(row["violated"]) / applicable)
                    else:
                        self.assertEqual(row["share_violated"], "", which)
                ratios = [float(row["max_ratio"]) for row in rows if row["max_ratio"]]
                if ratios and math.isfinite(max(ratios)):
                    largest = max(ratios)
                    self.assertGreaterEqual(float(record["max_ratio"]), largest - 1e-9 * abs(largest), which)
                if record.get("sets"):
                    for count in ("cases", "violated", "assumption_not_met"):
                        total = sum(counts[count] for counts in record["sets"].values())
                        self.assertEqual(total, record[count], which)

    def test_the_page_has_the_shares_of_the_applicable(self):
        for report in self.each():
            page = report.page.read_text()
            table = page[page.index('id="failures"') :]
            seen = 0
            for record in report.json["claims"]:
                if record["status"] != "refuted" or record["violated"] == 0 or record.get("sets"):
                    continue
                applicable = record["cases"] - record["assumption_not_met"]
                row = re.search(r"<tr>(?:(?!</tr>).)*?claims/" + re.escape(record["id"]) + r"\.html.*?</tr>", table, re.S)
                self.assertIsNotNone(row, record["id"])
                cells = re.findall(r"<td[^>]*>(.*?)</td>", row.group(0))
                self.assertEqual(cells[4].replace(",", ""), str(record["violated"]))
                self.assertEqual(cells[5].replace(",", ""), str(applicable))
                share = re.search(r"[\d.]+", html.unescape(cells[3])).group(0)
                exact = 100 * record["violated"] / applicable
                self.assertTrue(abs(float(share) - exact) <= 0.5 or "&" in cells[3], (record["id"], cells))
                seen += 1
            self.assertGreater(seen, 3)

    def test_statements_are_those_of_the_heads(self):
        for report in self.each():
            columns = {
                "growth": ("growth", lambda v: v),
                "distance": ("distance_log_ratio", math.exp),
                "share": ("share_beyond_16", lambda v: v),
                "gradient": ("largest_cold_t_norm", lambda v: v),
                "colder": ("colder", lambda v: v),
            }
            for which, (column, made) in columns.items():
                entry = report.statement(which)
                expected = interval(report.column(column), entry.get("by_row", []))
                for field, value in zip(("estimate", "low", "high"), expected):
                    self.near(entry[field], made(value))
            slope = report.statement("distance")["slope"]
            self.near(slope["estimate"], mean(report.column("distance_slope")))

    def test_intervals_over_key_heads_stand_beside_those_over_heads(self):
        seen = 0
        for report in self.each():
            text = html.unescape(re.sub(r"<[^>]+>", "", report.page.read_text()))
            shown_ones = re.findall(r"Over the (\d+) key heads: (\S+) (?:% )?to (\S+)", text)
            if "key_heads" not in report.measured:
                self.assertEqual(shown_ones, [])
                continue
            sharing = report.measured["heads_per_layer"] // report.measured["key_heads"]
            columns = ("growth", "distance_log_ratio", "share_beyond_16", "largest_cold_t_norm", "colder")
            expected = []
            for column, which in zip(columns, ("growth", "distance", "share", "gradient", "colder")):
                groups = {}
                for row in report.heads:
                    groups.setdefault((int(row["layer"]), int(row["head"]) // sharing), []).append(float(row[column]))
                entry = report.statement(which)
                _, low, high = interval([mean(g) for g in groups.values()], entry.get("by_row", []))
                recorded, back = entry["over_key_heads"], math.exp if which == "distance" else lambda v: v
                self.assertEqual(recorded["key_heads"], len(groups))
                self.near(recorded["low"], back(low))
                self.near(recorded["high"], back(high))
                made = math.exp if which == "distance" else lambda v: 100 * v if which in ("share", "colder") else v
                expected.append((len(groups), made(low), made(high)))
            self.assertEqual(len(shown_ones), len(expected))
            for (count, low, high), (groups, exact_low, exact_high) in zip(shown_ones, expected):
                self.assertEqual(int(count), groups)
                self.assertTrue(shown(exact_low, low.rstrip(".,")) and shown(exact_high, high.rstrip(".,")), (low, high, exact_low, exact_high))
                seen += 1
        self.assertEqual(seen, len(columns))

    def test_steeper_rows_are_those_of_the_points(self):
        for report in self.each():
            entry = report.statement("colder")
            points = [p for p in entry["points"] if p["temperature"] < 0.1]
            self.assertEqual([p["temperature"] for p in entry["points"]], [p["temperature"] for p in points] + [0.1])
            self.assertGreater(len(points), 1)
            # Every head has as many rows.
            self.near(entry["estimate"], mean([p["rows_steeper"] / p["rows"] for p in points]))
            drawn = {p["temperature"]: p for p in report.measured["figures"]["gradient"] if not p["without_first"]}
            for point in entry["points"]:
                at = drawn[point["temperature"]]
                self.assertEqual(point["rows"], at["rows"])
                self.near(point["mean_norm"], at["mean_t_norm"] / point["temperature"])
                if at["largest_t_norm"] / point["temperature"] <= drawn[0.1]["mean_t_norm"] / 0.1:
                    self.assertLess(point["rows_steeper"], point["rows"])

    def test_verdicts_are_those_of_the_intervals(self):
        stated = {
            "growth": (0.5, 1.5),
            "distance": (-math.inf, 1),
            "critical_n": (-math.inf, 0.06),
            "share": (0.7, 0.85),
            "gradient": (-math.inf, 0.25),
            "colder": (0.5, math.inf),
        }
        for report in self.each():
            for which, (low, high) in stated.items():
                entry = report.statement(which)
                if entry["estimate"] is None:
                    self.assertTrue(entry["why_not"])
                    continue
                inside = low <= entry["low"] and entry["high"] <= high
                outside = entry["high"] < low or entry["low"] > high
                if which == "gradient":
                    outside = outside or any(point["largest"] > high for point in entry["points"])
                    inside = inside and not outside
                self.assertEqual(entry["agrees"], True if inside else False if outside else None, which)
            critical = report.statement("critical_n")
            if critical["estimate"] is not None:
                points = [p for p in report.csv("critical-n") if p["reading"] == "mean" and p["without_first"] == "false"]
                longest = max(float(p["length"]) for p in points)
                at = next(p for p in points if float(p["length"]) == longest and float(p["level"]) == 0.01)
                self.near(critical["estimate"], float(at["n"]) / longest)
                self.near(critical["low"], float(at["low"]) / longest)

    def test_what_the_gap_shows_is_true(self):
        for report in self.each():
            page = report.page.read_text()
            table = page[page.index("How little the tokens that are not selected weigh") :]
            rows = re.findall(r"<tr><th scope=.row.>(.*?)</tr>", table[: table.index("</table>")])
            points = report.measured["figures"]["mass"]
            self.assertEqual([(p["n"], p["left_out"]) for p in points[:3]], [(1, 0.01), (1, 0.05), (1, 0.1)])
            self.assertEqual(len(rows), len(points))
            for row, point in zip(rows, points):
                cells = [html.unescape(cell) for cell in re.split(r"<[^>]+>+", row) if cell]
                self.assertEqual([float(cells[0]), float(cells[1].rstrip(" %"))], [point["n"], 100 * point["left_out"]])
                self.assertEqual(cells[2].replace(",", ""), str(point["rows"]))
                for cell, count in ((cells[3], "true_rows"), (cells[4], "certified_rows")):
                    exact = 100 * point[count] / point["rows"]
                    self.assertLessEqual(abs(float(cell.strip("<> %")) - exact), 0.5, (cells, point))
                self.assertLessEqual(point["certified_rows"], point["true_rows"])
                self.assertLessEqual(point["true_rows"], point["rows"])
            for one, next_one in zip(points, points[1:]):
                if one["n"] == next_one["n"]:
                    self.assertLessEqual(one["true_rows"], next_one["true_rows"])
                    self.assertLessEqual(one["certified_rows"], next_one["certified_rows"])

    def test_residual_and_share_of_e(self):
        for report in self.each():
            for point in report.measured["figures"]["distance_by_n"]:
                lower, residual = point["expected_factor"], point["residual_share"]
                self.assertGreaterEqual(residual["min"], 0)
                # E is at most the lower bound with the residual, in each head.
                error = point["expected_high"] - point["expected"]["mean"]
                most = lower["max"] * (1 + residual["max"])
                self.assertLess(point["expected"]["mean"] - error, most)
                # E is at most 1; in a head with a sink a sample of it may be far above.
                self.assertLessEqual(point["expected_share"]["mean"], 1)

    def test_sampled_e_is_above_its_proved_lower_bound(self):
        for report in self.each():
            for point in report.measured["figures"]["distance_by_n"]:
                bound, error = point["expected_factor"]["mean"], point["expected_high"] - point["expected"]["mean"]
                self.assertGreater(point["expected"]["mean"] + error, bound)

    def test_numbers_beside_the_papers_sentences_are_those_of_the_figures(self):
        for report in self.each():
            figures = report.measured["figures"]
            distances = [p for p in figures["distance_by_n"] if not p["without_first"]]
            means = [p["distance"]["mean"] for p in distances]
            inner = max(means[1:-1], default=0)
            expected = {"plateaus": [distances[0]["length"], means[0], distances[0]["n"]]}
            if inner > max(means[0], means[-1]):
                expected["plateaus"] += [inner, distances[means.index(inner)]["n"]]
            expected["plateaus"] += [means[-1], distances[-1]["n"]]
            expected["plateaus"] += [p["bound"]["mean"] / p["distance"]["mean"] for p in (distances[0], distances[-1])]
            critical = [p for p in figures["critical_n"] if p["reading"] == "mean" and not p["without_first"]]
            longest = max(p["length"] for p in critical)
            expected["sub-linearly"] = [longest]
            for point in (p for p in critical if p["length"] == longest):
                expected["sub-linearly"] += [point["n"], 100 * point["n"] / longest, point["level"]]
            gradient = {p["temperature"]: p["step"] for p in figures["gradient"] if not p["without_first"]}
            expected["hundredfold"] = [min(gradient), 1]
            for epsilon in sorted({step["epsilon"] for step in gradient[1]}):
                cold, warm = (max(s["largest"] for s in gradient[t] if s["epsilon"] == epsilon) for t in (min(gradient), 1))
                expected["hundredfold"] += [cold / warm, epsilon]
            page = (report.folder / "index.html").read_text()
            for word, numbers in expected.items():
                row = re.search(r"<tr><th scope=.row.>(?:(?!</tr>).)*?" + word + r".*?</tr>", page, re.S).group(0)
                text = html.unescape(re.sub(r"<[^>]+>", "", row.split(". On <a", 1)[1].split("</td>")[0]))
                found = NUMBER.findall(text.split(":", 1)[1])
                self.assertEqual(len(found), len(numbers), (word, text, numbers))
                for one, number in zip(found, numbers):
                    self.assertTrue(shown(number, one), (word, text, numbers))

    def test_numbers_of_sentences_and_captions_are_in_the_report(self):
        fixed = {0.06, 0.01, 0.05, 95, 1, 2, 4, 0, 70, 85, 0.5, 1.5, 5, 16}
        for report in self.each():
            entries = {entry["id"]: entry for entry in report.measured["abstract"]}
            seen = 0
            for name, caption in report.captions():
                which = name[len(report.name) + 1 :]
                if which.startswith(("heads", "claims", "layers", "abstract", "set-size", "normalizers")):
                    continue
                numbers = list(fixed)
                for row in report.csv(which):
                    numbers += [float(value) for value in row.values() if NUMBER.fullmatch(value or "")]
                rows = report.csv(which)
                for above, below in (("bound.mean", "distance.mean"), ("sharp_bound.mean", "distance.mean")):
                    ratios = [float(r[above]) / float(r[below]) for r in rows if r.get(above) and r.get(below)]
                    numbers += ratios + [abs(ratio - 1) for ratio in ratios]  # "1 + 2e-04 times"
                if rows and "rows_above_printed_bound" in rows[0]:
                    numbers += [int(r["rows_above_printed_bound"]) / int(r["rows"]) for r in rows]
                if which.startswith("distance"):
                    numbers += [entries["growth"][f] for f in ("estimate", "low", "high") if entries["growth"][f]]
                numbers += [100 * n for n in numbers]
                if which in ("separability", "steps"):
                    numbers += range(len(rows) * 12)  # counts of N, steps and values
                for text in NUMBER.findall(caption):
                    self.assertTrue(any(shown(n, text) for n in numbers), (name, text, caption))
                    seen += 1
            self.assertGreater(seen, 15)
            for entry in entries.values():
                if entry["estimate"] is None:
                    continue
                numbers = [0.5, 0.25, 1 / 16, 95, 16, 1, 0, 4, 2, 0.1, len(report.heads)]
                numbers += [entry[f] for f in ("estimate", "low", "high")] + [entry.get("rows", 0), len(entry.get("by_row", []))]
                numbers += list(entry.get("slope", {}).values())
                if entry["id"] in ("growth", "distance"):
                    first, last = entry["points"][0], entry["points"][-1]
                    ends = last["distance"] / first["distance"] if entry["id"] == "growth" else entry["estimate"]
                    numbers.append(math.log(ends) / math.log(last["length"] / first["length"]))
                for point in entry["points"]:
                    numbers += [v for v in point.values() if isinstance(v, (int, float))]
                    if point.get("expected"):
                        numbers.append(point["distance"] / point["expected"])
                if entry["id"] == "colder":
                    numbers += [p["rows_steeper"] / p["rows"] for p in entry["points"]]
                if entry["id"] == "gradient":
                    above = sum(p["rows_above_printed_bound"] for p in entry["points"])
                    numbers.append(above / sum(p["rows"] for p in entry["points"]))
                numbers += [100 * n for n in numbers]
                for text in NUMBER.findall(entry["measured"].replace("L/4", "")):
                    self.assertTrue(any(shown(n, text) for n in numbers), (entry["id"], text, entry["measured"]))


def main():
    program = sys.argv[1]
    with tempfile.TemporaryDirectory() as folder:
        for name, options in RUNS.items():
            out = Path(folder) / name
            command = [program, "run", *options, "--out", str(out)]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode != 0:
                sys.exit(f"{' '.join(command)} ended with {done.returncode}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
            Recompute.reports[name] = Report(out)
        unittest.main(argv=sys.argv[:1])


if __name__ == "__main__":
    main()

/**
 * Makes `docs/figures.md` and its picture from the run of the benchmarks that is kept in `tests/bench/figures.jsonl`.
 *
 *     deno task bench --record [NAME...]     measures, on a machine that does nothing else, and keeps the run
 *     deno run -A scripts/generate_figures.ts [--check]
 *
 * `--check` writes nothing and exits 1 on a difference.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { readRecord, type RecordedLine } from "../tests/bench/record.ts";
import { bringUpToDate } from "./catalog/generated_file.ts";
import { yearPanels, yearTables } from "./figures/year_figures.ts";
import { growthSvg, type Panel } from "./pictures/growth_svg.ts";
import { formatted } from "./reference/formatted.ts";
import { table } from "./reference/table.ts";

/** Benchmarks whose recorded figures of the last time come from a machine that had other work. */
const MEASURED_BUSY: ReadonlySet<string> = new Set([
  "entity_exports",
  "goals",
  "growth",
  "read_tables",
  "stream",
  "year",
]);

const GROWTH = /^(list|sync) ([\d,]+) (.+), (processor time|peak memory above idle)$/;

const { check } = parseArgs({ options: { check: { type: "boolean", default: false } } }).values;
const { run, lines } = await readRecord();
const text = await formatted(`<!-- Made by scripts/generate_figures.ts from tests/bench/figures.jsonl. -->

# Figures

Measured by \`deno task bench\` on ${days()}: Deno ${run.deno}, ${run.system}, ${run.cores} cores (${run.processor}).
"Plainest" is the simplest code that does the same, or the limit that we keep, measured in the same run. Expect the same
ratios on other machines, not the same figures. Lower is better for times, memory and sizes; higher for rates.

${
  table(
    ["What", "Here", "Plainest", "Ratio", "`deno task bench`"],
    lines.filter(({ bench }) => bench !== "year").map(row),
  ).join("\n")
}

## How it grows

![Processor time and memory of lists and syncs by their size](pictures/growth.svg)

Both axes are logarithmic, so proportional growth is a straight line. Times are processor times. A list keeps all entities
in memory; \`iter()\` keeps one page. The memory of a sync includes the emulator, which runs in the same process and keeps
every report that it has served.

## A year of reports

![Load, sync and queries of a year by its size](pictures/year.svg)

\`year --large\` pulls a year of eight reports through the store, 914 rows a day for each profile: every month twice, three
weeks apart, the second time with 5 % of the rows changed. Of the store in PostgreSQL seven profiles were loaded that way,
of the one in SQLite four; all others are copies of them, made inside of the database with their days, hashes and versions,
and checked by coverage, by counts of rows, and by nights that pull copies again and change a twentieth of their rows.
Without \`--large\` it stops at three profiles. Times and rates are of the processor, that of the database's own processes
included, as the machine had other work; by the clock it took 5 to 20 times as long (\`figures.jsonl\` has both). The time
to make the rows is in the rates.

What is asked of one profile takes nearly as long in a small store as in a large one. PostgreSQL has a partition for each month: what
is asked of all profiles grows with the rows of the months that it names, so that a week costs as much as its month. SQLite
has no such parts: a week of all profiles reads the whole report, and \`budget_pressure\` as of an earlier moment every
placement. Maturity grows up to a million rows of each report, from which it is judged; \`sync\` does that once a day. At 30
million rows it took longer than the minute that a query has, on a machine with 15 times as much work as it has cores; the
join that took it was mended after this run, and the largest report then took 11 seconds of the processor. A hundred million rows, which would take 48 GB, were not reached: the copies
went no faster than 30,000 rows a second by the clock beside the other work. From 10 million rows on PostgreSQL ran
without autovacuum and with more room between its checkpoints than it has by default.

${yearTables(lines).join("\n")}

## What takes the time

Shares of the processor's time in a profile of each piece of work, idle time left out.

- **Updates in many small requests**: garbage is 18 %, reading and writing JSON 11 %, checking items and putting their
  names right 11 %, verdicts 11 %. A tenth is the guard against a write that is sent twice: Deno sends a request again
  by itself when a kept connection is cut, even after the platform has acted, but not one whose body can be read only
  once. The rest is the runtime's \`fetch\`.
- **Lists in pages of 200**: a third is garbage, of the entities that the caller keeps, a fifth \`JSON.parse\`: both as
  much as in the plainest loop. 2 % is the search for numbers that lost digits and for secrets, 2 % the timers and
  signals of time limits, 10 % the steps of a request in this library, a little each. The next page is asked for before
  one is parsed, which pays where the platform is farther away than this machine.
- **\`plan update\` of a million lines**: a third is reading the entities in 1,000 requests and looking up what they are
  in, a fifth the comparison with the platform's rules, a fifth the columns that hold the changes, and as much the
  fingerprint, the checksum and the file of 291 MB. The changes themselves take 90 MB; most of the rest at the peak is
  garbage that is not collected yet. Reading such a file back takes 6 s of the processor and 360 MB; \`plan show\`, which
  puts every change in order and prints it, takes four times both, \`plan apply\` shows 40.
- **\`sheet plan\` of 100,000 rows**: a third is reading the file, and a quarter of that is unpacking it (\`fflate\`).
  What a sheet changes is read twice, once to compare it and once to check the plan as a whole.
- **Start of \`adsctl list --help\`**: the package that parses command lines, with the Node modules that it imports. The page
  is rendered from the command.
- **Start of the tool server**: a fifth was the emulator, the stores and the HTTP server, which are loaded now where they
  are used. The rest is the packages of the protocol and of schemas, the tools, and the library under them.
- **Start with \`--demo\`**: command, library and emulator are 504 modules, which Deno loads one by one; none of their
  own functions takes more than 3 % of the time.
`);
const docs = (name: string): string => fileURLToPath(new URL(`../docs/${name}`, import.meta.url));
const files = [
  { path: docs("figures.md"), text },
  {
    path: docs("pictures/growth.svg"),
    text: growthSvg(growthPanels(lines), {
      title: "Processor time and memory of lists and syncs by their size",
    }),
  },
  {
    path: docs("pictures/year.svg"),
    text: growthSvg(yearPanels(lines), { title: "Load, sync and queries of a year by its size" }),
  },
];
const different = await bringUpToDate(files, { check, log: console.log });
if (check && different > 0) Deno.exitCode = 1;

function row({ bench, name, value, unit, baseline, ratio }: RecordedLine): string[] {
  const amount = (figure: number | null): string =>
    figure === null ? "" : `${figure.toLocaleString("en-US", { maximumSignificantDigits: 3 })} ${unit}`;
  return [name, amount(value), amount(baseline), ratio === null ? "" : ratio.toFixed(2), `\`${bench}\``];
}

function namesOf(some: readonly RecordedLine[], isMeant: (bench: string) => boolean): string {
  const names = new Set(some.map(({ bench }) => bench).filter(isMeant));
  return [...names].map((name) => `\`${name}\``).join(", ");
}

/** The day of the run, and those of benchmarks that were measured again. */
function days(): string {
  const later = Map.groupBy(lines.filter(({ date }) => date !== undefined), ({ date }) => date!);
  const parts = [...later].map(([date, some]) => {
    const idle = namesOf(some, (bench) => !MEASURED_BUSY.has(bench));
    const busy = namesOf(some, (bench) => MEASURED_BUSY.has(bench));
    return `on ${date} ${
      [idle, busy === "" ? "" : `while the machine was busy ${busy}`].filter(Boolean).join(", and ")
    }`;
  });
  return [run.date, ...parts].join("; ");
}

function growthPanels(lines: readonly RecordedLine[]): Panel[] {
  const curves = new Map<string, { size: number; value: number }[]>();
  for (const { name, value, unit } of lines) {
    const found = GROWTH.exec(name);
    if (found === null) continue;
    const [, work, size, what, measure] = found;
    const title = `${work} of ${what}: ${measure}, ${unit}`;
    const points = curves.get(title) ?? [];
    points.push({ size: Number(size!.replaceAll(",", "")), value });
    curves.set(title, points);
  }
  return [...curves].map(([title, points]) => ({ title, curves: [{ points }] }));
}

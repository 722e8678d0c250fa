/**
 * Makes `docs/figures.md` from the run of the benchmarks that is kept in `tests/bench/figures.jsonl`.
 *
 *     deno task bench --record     measures, on a machine that does nothing else, and keeps the run
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
import { formatted } from "./reference/formatted.ts";
import { table } from "./reference/table.ts";

const { check } = parseArgs({ options: { check: { type: "boolean", default: false } } }).values;
const { run, lines } = await readRecord();
const text = await formatted(`<!-- Made by scripts/generate_figures.ts from tests/bench/figures.jsonl. -->

# Figures

Measured on ${run.date} by \`deno task bench\`: Deno ${run.deno} on ${run.system}, ${run.cores} cores (${run.processor}).
"Plainest" is the shortest code that does the same, or the bound that we keep, measured in the same run. Ratios carry
over to other machines, absolute figures do not. Of times, memory and sizes less is better; of rates, more.

${table(["What", "Here", "Plainest", "Ratio", "`deno task bench`"], lines.map(row)).join("\n")}
`);
const path = fileURLToPath(new URL("../docs/figures.md", import.meta.url));
const different = await bringUpToDate([{ path, text }], { check, log: console.log });
if (check && different > 0) Deno.exitCode = 1;

function row({ bench, name, value, unit, baseline, ratio }: RecordedLine): string[] {
  const amount = (figure: number | null): string =>
    figure === null ? "" : `${figure.toLocaleString("en-US", { maximumSignificantDigits: 3 })} ${unit}`;
  return [name, amount(value), amount(baseline), ratio === null ? "" : ratio.toFixed(2), `\`${bench}\``];
}

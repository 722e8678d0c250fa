import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Operation } from "../../../../platform/catalog/operation.ts";
import { EXIT, UsageError } from "../../shell/io/cli_error.ts";
import { catalog } from "../../../../platform/catalog/catalog.ts";
import { addDays, dayOf } from "../../../../base/time/calendar.ts";
import { KINDS } from "../../../../client/entities/kinds/kinds.ts";
import type { ResourceSpec } from "../../../../client/entities/model/resource_spec.ts";
import { kindsOnBothWires } from "../../../../client/entities/compare_wires.ts";
import { command } from "../../shell/command.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { printRows } from "../../shell/output/print_rows.ts";
import type { Row } from "../../shell/context/row_printer.ts";
import { say } from "../../shell/output/write_text.ts";

const COLUMNS = ["shutoff", "status", "id", "replaced_by", "unified"];
const WITHIN = "90d";

export const opsSunsetCommand = command(
  (kit) =>
    kit.leaf("sunset", {
      printsRows: true,
      summary: "List operations that have ended or will end, and where your program uses them",
      details:
        "With a folder, lists only operations that its files mention by id or path, one line per place. Shows the " +
        "replacement in the unified family; moved lists renamed fields. Exit code 3 if one has ended or ends " +
        "within --within.",
      examples: [
        ["adsctl ops sunset", "list end dates and replacements"],
        ["adsctl ops sunset src --within 180d", "check a program on a schedule"],
      ],
      library: "(await catalog.operations()).filter((operation) => operation.deprecated !== undefined)",
      fields: [...COLUMNS, "moved", "since", "method", "path", "file", "line"],
    })
      .argument("[folder]", "program folder to search")
      .option("--within <days>", "time ahead to check, such as 180d", WITHIN),
  async (folder, options, context) => {
    const days = /^(\d{1,5})d?$/.exec(options.within ?? WITHIN)?.[1];
    if (days === undefined) {
      throw new UsageError(`Cannot use --within "${options.within}": write days, such as 90d`);
    }
    const today = dayOf(context.io.now());
    const limit = addDays(today, Number(days));
    const ending = (await catalog.operations()).filter(({ deprecated }) => deprecated !== undefined)
      .sort((a, b) => order(a) < order(b) ? -1 : 1);
    if (folder === undefined) {
      await print(await Promise.all(ending.map((operation) => rowOf(operation, today))), context);
      return EXIT.done;
    }
    const places = await namedOperations(folder, ending);
    const rows = await Promise.all(
      places.map(async ({ operation, file, line }) => ({ ...await rowOf(operation, today), file, line })),
    );
    await print(rows, context, ["file", "line"]);
    if (rows.length === 0) await say("No file uses an operation that ends", context);
    const isDue = places.some(({ operation }) => (operation.deprecated?.shutoff ?? "9999") <= limit);
    return isDue ? EXIT.someFailed : EXIT.done;
  },
);

async function print(rows: Row[], context: CliContext, more: string[] = []): Promise<void> {
  const columns = [...more, ...COLUMNS];
  await printRows(rows, { columns, fields: [...columns, "moved", "since", "method", "path"] }, context);
}

function order({ id, deprecated }: Operation): string {
  return `${deprecated?.shutoff ?? "9999"} ${id}`;
}

async function unifiedCall(id: string): Promise<{ unified: string; moved: string }> {
  for (const kind of kindsOnBothWires()) {
    const { operations, unified }: ResourceSpec = KINDS[kind];
    const method = Object.keys(operations).find((name) => [operations[name]].flat().includes(id));
    if (method === undefined || unified === undefined) continue;
    const { operations: calls, paths = [] } = await unified.load();
    const call = calls?.[method];
    if (call === undefined) continue;
    const moved = paths.filter(({ own, wire }) => own !== wire && wire !== "");
    return { unified: call, moved: moved.map(({ own, wire }) => `${own}: ${wire}`).join("; ") };
  }
  return { unified: "", moved: "" };
}

async function rowOf(operation: Operation, today: string): Promise<Row> {
  const { id, method, path, deprecated } = operation;
  const shutoff = deprecated?.shutoff;
  return {
    shutoff: shutoff ?? null,
    status: shutoff === undefined ? "deprecated" : shutoff <= today ? "ended" : "ends",
    id,
    replaced_by: deprecated?.replacedBy.join(", ") ?? "",
    ...await unifiedCall(id),
    since: deprecated?.since ?? null,
    method,
    path,
  };
}

interface NamedOperation {
  readonly operation: Operation;
  readonly file: string;
  readonly line: number;
}

const SKIPPED = new Set(["node_modules", ".git", "dist", "build", "vendor", "__pycache__", ".venv"]);
const MAX_BYTES = 2_000_000;

/**
 * Finds an operation by its id, or by its path as a complete string.
 *
 * @throws {UsageError} when the folder cannot be read.
 */
async function namedOperations(
  folder: string,
  operations: readonly Operation[],
): Promise<NamedOperation[]> {
  const named = operations.map((operation) => ({ operation, pattern: patternOf(operation) }));
  const found: NamedOperation[] = [];
  for await (const file of filesBelow(folder)) {
    const text = await readFile(file, "utf8");
    if (text.includes("\0")) continue;
    for (const [index, line] of text.split("\n").entries()) {
      for (const { operation, pattern } of named) {
        if (pattern.test(line)) found.push({ operation, file, line: index + 1 });
      }
    }
  }
  return found;
}

/** Path placeholders match any notation: `{id}`, `${id}`, `:id`, `%s` or a value. */
function patternOf({ id, path }: Operation): RegExp {
  const parts = path.replace(/\/$/, "").split(/\{[^}]+\}/).map((part) =>
    part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
  );
  const filled = parts.join("[^/\"'`\\s?]+");
  return new RegExp(`${id.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\w])|["'\`}\\w]?${filled}/?["'\`?\\s]`);
}

async function* filesBelow(folder: string): AsyncGenerator<string, void, undefined> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause) => {
    throw new UsageError(`Cannot look through "${folder}": ${cause.message}`, { cause });
  });
  for (const entry of entries.sort((a, b) => a.name < b.name ? -1 : 1)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!SKIPPED.has(entry.name)) yield* filesBelow(path);
    } else if (entry.isFile() && (await stat(path)).size <= MAX_BYTES) yield path;
  }
}

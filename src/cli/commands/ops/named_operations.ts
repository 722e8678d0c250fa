import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Operation } from "../../../catalog/operation.ts";
import { UsageError } from "../../core/errors/cli_error.ts";

/** A line of a file that names an operation. */
interface NamedOperation {
  /** Operation that the line names. */
  readonly operation: Operation;
  /** Path of the file. */
  readonly file: string;
  /** Number of the line, from 1. */
  readonly line: number;
}

const SKIPPED = new Set(["node_modules", ".git", "dist", "build", "vendor", "__pycache__", ".venv"]);
const MAX_BYTES = 2_000_000;

/**
 * The lines of a folder's text files that name one of the operations: by its id, or by its path as a whole text.
 *
 * @throws {UsageError} when the folder cannot be read.
 */
export async function namedOperations(
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

/** A placeholder of a path may be filled in any way: `{id}`, `${id}`, `:id`, `%s`, a value. */
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

import type { ResourceSpec } from "../../resources/resource_spec.ts";
import { UsageError } from "../core/errors/cli_error.ts";
import type { CliIo } from "../core/io/cli_io.ts";
import { BadRows } from "./bad_rows.ts";
import { idValue } from "./cell_values.ts";
import { fieldNames } from "./field_names.ts";
import { type InputRecord, readInput } from "../text/read_input.ts";
import { parseRecords } from "../text/parse_records.ts";

/**
 * Ids that were typed, or that a file or standard input holds: one a line, or in a column of a change file.
 *
 * @param words Ids, separated by commas or spaces; or one path, or `-`.
 * @throws {UsageError} when there is no id, or something is none.
 */
export async function readIds(
  words: readonly string[],
  { spec, io }: { spec: ResourceSpec; io: CliIo },
): Promise<string[]> {
  const typed = words.flatMap((word) => word.split(",")).map((word) => word.trim()).filter((word) =>
    word !== ""
  );
  if (typed.every((word) => /^\d/.test(word))) {
    return unique(typed.map((id) => idValue(id, { name: spec.idField, where: "the command line" })));
  }
  if (words.length > 1) {
    throw new UsageError(
      `Cannot read "${typed.find((word) => !/^\d/.test(word))}": give ids, or one file alone`,
    );
  }
  const input = await readInput(words[0]!, io);
  const lines = input.text.split(/\r?\n/).map((line) => line.trim()).filter((line) => line !== "");
  if (lines.length > 0 && lines.every((line) => /^\d[\d.,eE+]*$/.test(line))) {
    const records = lines.map((id, at) => ({ values: { [spec.idField]: id }, where: `line ${at + 1}` }));
    return idsIn(records, spec.idField);
  }
  const records = await parseRecords(input);
  const idName = records.names.find((name) => isIdName(name, spec));
  if (idName === undefined) {
    throw new UsageError(
      `Cannot find the ids in ${input.name}: there is no column "${spec.idField}" (or "id")`,
    );
  }
  return idsIn(records.records, idName);
}

/** @throws {BadRowsError} that names every record without an id. */
function idsIn(records: Iterable<InputRecord>, name: string): string[] {
  const bad = new BadRows();
  const ids = Array.from(records, (record) => {
    const { values, where } = record;
    return bad.attempt(record, () => idValue(values[name], { name, where })) ?? "";
  });
  bad.refuse();
  return unique(ids);
}

function isIdName(name: string, spec: ResourceSpec): boolean {
  try {
    return [...fieldNames([name], { spec, changeable: [spec.idField] }).paths.values()].includes(
      spec.idField,
    );
  } catch {
    return false;
  }
}

function unique(ids: readonly string[]): string[] {
  if (ids.length === 0) throw new UsageError("Cannot go on without an id: none was given");
  return [...new Set(ids)];
}

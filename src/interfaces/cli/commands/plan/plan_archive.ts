import type { ResourceSpec } from "../../../../client/entities/model/resource_spec.ts";
import { refusingBadInput, UsageError } from "../../shell/io/cli_error.ts";
import type { CliIo } from "../../shell/io/cli_io.ts";
import { BadRows } from "../../shell/input/bad_rows.ts";
import { idValue } from "../../shell/input/cell_values.ts";
import { fieldNames } from "../../shell/input/field_names.ts";
import type { InputRecord, InputRecords } from "../../shell/input/read_input.ts";
import { parseRecords, readTextOrTable } from "../../shell/input/parse_records.ts";
import { inputFrom } from "../../../../operations/model/field.ts";
import { planArchive } from "../../../../operations/plans/plan_writes.ts";
import { command } from "../../shell/command.ts";
import { findKind, KINDS } from "../../../../client/entities/kinds/kinds.ts";
import { fieldValues } from "../../shell/options/field_options.ts";
import { writeLeaf } from "./write_command.ts";
import { ALLOW_MISSING, finishAllowed } from "../../shell/finish_plan.ts";
import { connectProfile } from "../../shell/connect/connect.ts";

export const planArchiveCommand = command(
  (kit) =>
    writeLeaf(kit, planArchive, [
      ["adsctl plan archive keywords 123 456 -m US", "two keywords"],
      [
        "adsctl plan archive negative-keywords stale.csv -m US --note 'Spring cleaning'",
        "the ids of a file",
      ],
    ]).option(...ALLOW_MISSING),
  async (entity, words, options, context) => {
    const spec = findKind(entity, KINDS, "people");
    const ids = await readIds(words, { spec, io: context.io, encoding: options.encoding });
    const saving = { out: options.out, allowMissing: options.allowMissing === true };
    const input = inputFrom(planArchive.input, { ...fieldValues(planArchive.input, options), entity, ids });
    const client = await connectProfile(options, context);
    const { signal } = context.interruption;
    const allowed = await refusingBadInput(() => planArchive.run({ profile: client, signal }, input));
    return await finishAllowed(allowed, { ...saving, context });
  },
);

/**
 * Ids from arguments, a file or standard input: one per line, or a column of a change file.
 *
 * @param words Ids separated by commas or spaces; or a single path, or `-`.
 * @throws {UsageError} when there are none, or one is invalid.
 */
async function readIds(
  words: readonly string[],
  { spec, io, encoding }: { spec: ResourceSpec; io: CliIo; encoding: string | undefined },
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
  const input = await readTextOrTable(words[0]!, io, { encoding });
  if (!("text" in input)) return idsOf(input, { name: words[0]!, spec });
  const lines = input.text.split(/\r?\n/).map((line) => line.trim()).filter((line) => line !== "");
  if (lines.length > 0 && lines.every((line) => /^\d[\d.,eE+]*$/.test(line))) {
    const records = lines.map((id, at) => ({ values: { [spec.idField]: id }, where: `line ${at + 1}` }));
    return idsIn(records, spec.idField);
  }
  return idsOf(await parseRecords(input), { name: input.name, spec });
}

function idsOf(records: InputRecords, { name, spec }: { name: string; spec: ResourceSpec }): string[] {
  const idName = records.names.find((name) => isIdName(name, spec));
  if (idName === undefined) {
    throw new UsageError(
      `Cannot find the ids in ${name}: there is no column "${spec.idField}" (or "id")`,
    );
  }
  return idsIn(records.records, idName);
}

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
  if (ids.length === 0) throw new UsageError("Cannot plan without ids: none given");
  return [...new Set(ids)];
}

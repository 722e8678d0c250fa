import { knownFields, type ResourceSpec } from "../../../../client/entities/model/resource_spec.ts";
import { refusingBadInput, UsageError } from "../../shell/io/cli_error.ts";
import { prepareCreate } from "../../../../client/entities/model/check_items.ts";
import { BadRows } from "../../shell/input/bad_rows.ts";
import { changedValue, isRelative } from "../../shell/input/cell_values.ts";
import { fieldNames } from "../../shell/input/field_names.ts";
import { nestFields } from "../../shell/input/nest_fields.ts";
import type { InputRecord, InputRecords } from "../../shell/input/read_input.ts";
import { command } from "../../shell/command.ts";
import { findKind, KINDS } from "../../../../client/entities/kinds/kinds.ts";
import { readRecords } from "../../shell/input/parse_records.ts";
import { inputFrom } from "../../../../operations/model/field.ts";
import { planCreate } from "../../../../operations/plans/plan_writes.ts";
import { TREE_FIELDS } from "../../../../operations/plans/new_tree.ts";
import { fieldValues } from "../../shell/options/field_options.ts";
import { writeLeaf } from "./write_command.ts";
import { finishAllowed, tellIgnored } from "../../shell/finish_plan.ts";
import { connectProfile } from "../../shell/connect/connect.ts";

export const planCreateCommand = command(
  (kit) =>
    writeLeaf(kit, planCreate, [
      [
        "adsctl plan create keywords new.csv -m US",
        "columns campaignId, adGroupId, keywordText, matchType, state, bid",
      ],
      ["adsctl plan create negative-keywords - -m DE < negatives.jsonl", "from standard input"],
    ]),
  async (entity, file, options, context) => {
    const spec = findKind(entity, KINDS, "people");
    const records = await readRecords(file, context.io, { encoding: options.encoding });
    const { items, ignored } = createItems(records, spec);
    await tellIgnored(ignored, context);
    const input = inputFrom(planCreate.input, { ...fieldValues(planCreate.input, options), entity, items });
    const client = await connectProfile(options, context);
    const { signal } = context.interruption;
    const allowed = await refusingBadInput(() => planCreate.run({ profile: client, signal }, input));
    return await finishAllowed(allowed, { out: options.out, context });
  },
);

/** Filled in by the platform and never sent. */
const OF_THE_PLATFORM = new Set(["extendedData", "inBudget", "resolvedExpression", "resolvedExpressions"]);

interface CreateItems {
  readonly items: readonly Record<string, unknown>[];
  readonly ignored: readonly string[];
}

/**
 * Empty cells are omitted.
 *
 * @throws {BadRowsError} with every invalid record.
 * @throws {UsageError} for an unknown column.
 */
export function createItems(input: InputRecords, spec: ResourceSpec): CreateItems {
  const items: Record<string, unknown>[] = [];
  const ignored = new Set<string>();
  const bad = new BadRows();
  const isTree = TREE_FIELDS.some((field) => input.names.includes(field));
  const readers = new Map<string, KindReader>();
  const readerOf = (names: readonly string[], of: ResourceSpec): KindReader => {
    const key = JSON.stringify([of.kind, names]);
    const reader = readers.get(key) ?? kindReader({ ...input, names }, of);
    readers.set(key, reader);
    for (const name of reader.ignored) ignored.add(name);
    return reader;
  };
  // Columns of other kinds are empty in a row of a tree.
  const treeItem = (record: InputRecord): Record<string, unknown> | undefined => {
    const { entity, as, ...values } = record.values;
    const names = Object.keys(values).filter((name) => !isEmpty(values[name]));
    const own = isEmpty(entity) ? spec : findKind(String(entity), KINDS, "people");
    const item = readerOf(names, own).itemOf(record, items.length);
    return item && { ...item, ...(isEmpty(entity) ? {} : { entity }), ...(isEmpty(as) ? {} : { as }) };
  };
  const whole = isTree ? undefined : readerOf(input.names, spec);
  for (const record of input.records) {
    const item = bad.attempt(
      record,
      () => whole === undefined ? treeItem(record) : whole.itemOf(record, items.length),
    );
    if (item !== undefined) items.push(item);
  }
  bad.refuse();
  if (items.length === 0) throw new UsageError("Cannot plan creates: no row holds anything");
  return { items, ignored: [...ignored] };
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

interface KindReader {
  readonly ignored: readonly string[];
  readonly itemOf: (record: InputRecord, at: number) => Record<string, unknown> | undefined;
}

function kindReader(
  { names, isText, decimalComma }: Pick<InputRecords, "names" | "isText" | "decimalComma">,
  spec: ResourceSpec,
): KindReader {
  const fields = [...knownFields(spec), ...spec.updatable, ...spec.idFields];
  const roots = new Set(fields.map((field) => field.split(".")[0]!));
  if (spec.kind === "sb.ads") roots.add("adFormat");
  const changeable = [...roots].filter((root) => root !== spec.idField && !OF_THE_PLATFORM.has(root));
  const { paths, ignored } = fieldNames(names, { spec, changeable });
  const columns = Array.from(paths, ([name, path]) => ({ name, path, isText, decimalComma }));
  const itemOf: KindReader["itemOf"] = ({ values, where }, at) => {
    const item = new Map<string, unknown>();
    for (const column of columns) {
      const { name, path } = column;
      const value = values[name];
      if (isEmpty(value)) continue;
      const given = changedValue(value, column, where);
      if (isRelative(path, given)) {
        throw new UsageError(
          `Cannot use ${where}: "${name}" is ${given}, and a new ${spec.noun} has nothing to change`,
        );
      }
      item.set(path, given);
    }
    if (item.size === 0) return undefined;
    const nested = nestFields(item, where);
    prepareCreate(spec, nested, at);
    return nested;
  };
  return { itemOf, ignored };
}

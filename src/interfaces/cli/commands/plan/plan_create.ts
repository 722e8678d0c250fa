import type { ResourceSpec } from "../../../../client/entities/model/resource_spec.ts";
import { refusingBadInput, UsageError } from "../../shell/errors/cli_error.ts";
import { prepareCreate } from "../../../../client/entities/fields/check_items.ts";
import { knownFields } from "../../../../client/entities/fields/known_fields.ts";
import { BadRows } from "../../shell/input/bad_rows.ts";
import { changedValue, isRelative } from "../../shell/input/cell_values.ts";
import { fieldNames } from "../../shell/input/field_names.ts";
import { nestFields } from "../../shell/input/nest_fields.ts";
import type { InputRecord, InputRecords } from "../../shell/input/read_input.ts";
import { command } from "../../shell/command.ts";
import { findKind, KINDS } from "../../../../client/entities/kinds.ts";
import { readRecords } from "../../shell/input/parse_records.ts";
import { ENCODING } from "../../shell/options/reading_options.ts";
import { TOUCH_EXPERIMENTS } from "../../shell/options/experiment_options.ts";
import { finishPlan, tellIgnored } from "../../shell/plans/finish_plan.ts";
import { connectProfile } from "../../shell/connect/connect.ts";

export const planCreateCommand = command(
  (kit) =>
    kit.profileLeaf("create", {
      summary: "Plan new entities from a file, without sending them",
      details:
        "FILE is CSV with a header row, a JSON array or JSON lines; - is standard input. Undoing the plan, once " +
        "applied, archives what it created.",
      examples: [
        [
          "adsctl plan create keywords new.csv -m US",
          "columns campaignId, adGroupId, keywordText, matchType, state, bid",
        ],
        ["adsctl plan create negative-keywords - -m DE < negatives.jsonl", "from standard input"],
      ],
      library: "await profile.sp.keywords.planCreate(items)",
    })
      .argument("<entity>", "what to create, for example keywords")
      .argument("<file>", "the new entities; - for standard input")
      .option(...ENCODING)
      .option("--skip-denied", "leave out what the policy denies, and plan the rest")
      .option(...TOUCH_EXPERIMENTS)
      .option("--note <text>", "why; stays with the plan")
      .option("--out <path>", "file or folder for the plan; otherwise plan-<id>.json in this folder"),
  async (entity, file, options, context) => {
    const spec = findKind(entity, KINDS, "command");
    const records = await readRecords(file, context.io, { encoding: options.encoding });
    const { items, ignored } = createItems(records, spec);
    await tellIgnored(ignored, context);
    const client = await connectProfile(options, context);
    const plan = await refusingBadInput(() =>
      client.resource(spec.kind).planCreate(items, {
        note: options.note,
      })
    );
    return await finishPlan(plan, { client, skipDenied: options.skipDenied, out: options.out, context });
  },
);

/** Fields that the platform fills itself. */
const OF_THE_PLATFORM = new Set(["extendedData", "inBudget", "resolvedExpression", "resolvedExpressions"]);

/** The entities that a file asks for. */
interface CreateItems {
  /** The entities, as the library takes them, in the order of the file. */
  readonly items: readonly Record<string, unknown>[];
  /** Columns that were left out because the platform fills them itself. */
  readonly ignored: readonly string[];
}

/**
 * Turns the records of a file into new entities. Empty cells give no field.
 *
 * @throws {BadRowsError} that names every record with a value that cannot be.
 * @throws {UsageError} for an unknown column.
 */
export function createItems(input: InputRecords, spec: ResourceSpec): CreateItems {
  const fields = [...knownFields(spec), ...spec.updatable, ...spec.idFields];
  const roots = new Set(fields.map((field) => field.split(".")[0]!));
  if (spec.kind === "sb.ads") roots.add("adFormat");
  const changeable = [...roots].filter((root) => root !== spec.idField && !OF_THE_PLATFORM.has(root));
  const { paths, ignored } = fieldNames(input.names, { spec, changeable });
  const { isText, decimalComma } = input;
  const columns = Array.from(paths, ([name, path]) => ({ name, path, isText, decimalComma }));
  const items: Record<string, unknown>[] = [];
  const bad = new BadRows();
  const itemOf = ({ values, where }: InputRecord): Record<string, unknown> | undefined => {
    const item = new Map<string, unknown>();
    for (const column of columns) {
      const { name, path } = column;
      const value = values[name];
      if (value === undefined || value === null || value === "") continue;
      const given = changedValue(value, column, where);
      if (isRelative(given)) {
        throw new UsageError(
          `Cannot use ${where}: "${name}" is ${given.text}, and a new ${spec.noun} has nothing to change`,
        );
      }
      item.set(path, given);
    }
    if (item.size === 0) return undefined;
    const nested = nestFields(item, where);
    prepareCreate(spec, nested, items.length);
    return nested;
  };
  for (const record of input.records) {
    const item = bad.attempt(record, () => itemOf(record));
    if (item !== undefined) items.push(item);
  }
  bad.refuse();
  if (items.length === 0) throw new UsageError("Cannot plan creates: no row holds anything");
  return { items, ignored };
}

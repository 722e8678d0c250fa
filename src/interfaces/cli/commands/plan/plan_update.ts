import type { Resource } from "../../../../client/entities/resource/resource.ts";
import { roundMoney } from "../../../../base/text/money_text.ts";
import { decimalsOf } from "../../../../base/markets/markets.ts";
import { valueAt } from "../../../../base/json/field_path.ts";
import { isRelative } from "../../shell/input/cell_values.ts";
import { nestFields } from "../../shell/input/nest_fields.ts";
import {
  type UpdateItems,
  updateItems,
  type UpdateRow,
  type UpdateValues,
} from "../../shell/input/update_items.ts";
import type { ProfileClient } from "../../../../client/profile_client.ts";
import { inputFrom } from "../../../../operations/model/field.ts";
import { planUpdate } from "../../../../operations/plans/plan_writes.ts";
import type { ResourceSpec } from "../../../../client/entities/model/resource_spec.ts";
import type { AllowedPlan } from "../../../../operations/plans/write_operation.ts";
import type { Finding } from "../../../../plans/model/finding.ts";
import { refusingBadInput } from "../../shell/io/cli_error.ts";
import { command } from "../../shell/command.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { findKind, KINDS } from "../../../../client/entities/kinds/kinds.ts";
import { readRecords } from "../../shell/input/parse_records.ts";
import { fieldValues } from "../../shell/options/field_options.ts";
import { sayPower } from "../../shell/power_of_plan.ts";
import { ALLOW_MISSING, finishAllowed, tellIgnored } from "../../shell/finish_plan.ts";
import { operationInput } from "../../shell/options/operation_input.ts";
import { writeLeaf } from "./write_command.ts";
import { connectProfile } from "../../shell/connect/connect.ts";

export const planUpdateCommand = command(
  (kit) =>
    writeLeaf(kit, planUpdate, [
      [
        "adsctl plan update keywords bids.csv -m US --note 'Raise the winners'",
        "plan new bids and save the plan",
      ],
      ["echo 'id,state\n123,paused' | adsctl plan update campaigns - -m US", "pause one campaign"],
    ]).option(...ALLOW_MISSING),
  async (entity, file, options, context) => {
    const spec = findKind(entity, KINDS, "people");
    const updates = await updatesOf(file, { spec, encoding: options.encoding }, context);
    await tellIgnored(updates.ignored, context);
    const saving = { out: options.out, allowMissing: options.allowMissing === true };
    const values = fieldValues(planUpdate.input, options);
    await operationInput(planUpdate, options, { entity, items: [] });
    const client = await connectProfile(options, context);
    const allowed = await planFrom(updates, { client, entity, values, context });
    const code = await finishAllowed(allowed, { ...saving, context });
    await sayPower(allowed.plan, context);
    return code;
  },
);

async function updatesOf(
  file: string,
  { spec, encoding }: { spec: ResourceSpec; encoding: string | undefined },
  { io, progress }: CliContext,
): Promise<UpdateItems> {
  const records = await readRecords(file, io, { encoding });
  const work = progress.work({ noun: "row" });
  const items = await updateItems(records, spec, {
    onProgress: (done) => work.count({ done, name: `reading ${file}` }),
  });
  await work.end();
  return items;
}

async function planFrom(
  updates: UpdateItems,
  { client, entity, values, context }: {
    client: ProfileClient;
    entity: string;
    values: Readonly<Record<string, unknown>>;
    context: CliContext;
  },
): Promise<AllowedPlan> {
  const { interruption: { signal }, progress } = context;
  const resource = client.resource(findKind(entity, KINDS, "people").kind as string);
  return await refusingBadInput(async () => {
    const working = progress.work({ noun: "row", total: updates.rows.length });
    const absolute = await absoluteItems(updates, resource, {
      signal,
      onRead: (done) => working.count({ done, name: "working out new values" }),
    });
    await working.end();
    const { count, places } = updates.unchanged;
    const { items, entities, missing, warnings, rounded } = absolute;
    const findings = [
      ...(count === 0 ? [] : [emptyRows(count, places)]),
      ...(rounded.length === 0 ? [] : [roundedAmounts(rounded)]),
    ];
    const work = progress.work({ noun: "entity", total: items.length });
    const known = {
      entities,
      more: { missing, warnings, findings },
      onRead: (done: number) => work.count({ done, name: "reading, comparing and checking" }),
    };
    const input = inputFrom(planUpdate.input, { ...values, entity, items });
    return await planUpdate.run({ profile: client, signal, known }, input);
  });
}

function emptyRows(count: number, places: readonly string[]): Finding {
  const more = count > places.length ? ` and ${count - places.length} more` : "";
  return {
    code: "NOTHING_TO_CHANGE",
    level: "note",
    message: `These records of the file change nothing: ${places.join(", ")}${more}`,
  };
}

function roundedAmounts(rounded: readonly string[]): Finding {
  const more = rounded.length > MAX_ROUNDED ? ` and ${rounded.length - MAX_ROUNDED} more` : "";
  return {
    code: "ROUNDED",
    level: "note",
    message: `Amounts are rounded to what the market takes: ${
      rounded.slice(0, MAX_ROUNDED).join(", ")
    }${more}`,
  };
}

const MAX_ROUNDED = 5;

/** Updates read per batch, which bounds memory for long files. */
const READ_TOGETHER = 10_000;

interface AbsoluteItems {
  readonly items: readonly Record<string, unknown>[];
  readonly missing: readonly string[];
  /** Relative updates skipped for lack of a current value. */
  readonly warnings: readonly string[];
  /** Amounts rounded to the market's decimals: before and after. */
  readonly rounded: readonly string[];
  /** Entities as just read; absent if there were too many updates to read at once. */
  readonly entities?: ReadonlyMap<string, Record<string, unknown>>;
}

/**
 * Resolves `+10%` and `*1.2` from current values, rounded to the currency's decimals. Without relative values, nothing
 * is read.
 */
async function absoluteItems(
  { rows, relative }: Pick<UpdateItems, "rows" | "relative">,
  resource: Resource,
  options: { signal: AbortSignal; onRead?: (count: number) => void },
): Promise<AbsoluteItems> {
  const { idField } = resource;
  const itemOf = ({ id, values }: UpdateRow): Record<string, unknown> => ({
    [idField]: id,
    ...values.fields,
  });
  if (relative === 0) return { items: rows.map(itemOf), missing: [], warnings: [], rounded: [] };
  const decimals = decimalsOf(resource.profile.countryCode);
  const items: Record<string, unknown>[] = [];
  const known = new Map<string, UpdateValues>();
  const missing: string[] = [];
  const warnings: string[] = [];
  const rounded: string[] = [];
  const isShort = rows.length <= READ_TOGETHER;
  let now = new Map<string, Record<string, unknown>>();
  for (const [at, row] of rows.entries()) {
    if (at % READ_TOGETHER === 0) {
      // What is planned next reads the others of a long file anyway, which would be read twice here.
      const next = rows.slice(at, at + READ_TOGETHER).filter(({ values }) => isShort || values.isWorkedOut);
      now = await resource.getMany(next.map(({ id }) => id), { signal: options.signal });
      options.onRead?.(at);
    }
    const { id, values: wanted } = row;
    if (!wanted.isWorkedOut) {
      items.push(itemOf(row));
      continue;
    }
    const entity = now.get(id);
    if (entity === undefined) {
      missing.push(id);
      continue;
    }
    const changes: (readonly [string, unknown])[] = [];
    for (const [path, value] of wanted.changes) {
      if (!isRelative(value)) {
        changes.push([path, value]);
        continue;
      }
      const present = presentAmount(entity, path);
      if (present === undefined) {
        const name = `${resource.spec.noun} ${id} ${resource.spec.label(entity)}`.trim();
        warnings.push(`${name}: it has no "${path}" of its own, so ${value.text} was left out`);
      } else {
        const exact = Number((present * value.factor).toPrecision(12));
        const amount = roundMoney(exact, decimals);
        if (amount !== exact) rounded.push(`${resource.spec.noun} ${id} ${exact} → ${amount}`);
        changes.push([path, amount]);
      }
    }
    if (changes.length === 0) continue;
    const key = JSON.stringify(changes);
    const values = known.get(key) ?? { changes, fields: nestFields(changes, id), isWorkedOut: false };
    known.set(key, values);
    items.push(itemOf({ id, values }));
  }
  return { items, missing, warnings, rounded, ...(isShort ? { entities: now } : {}) };
}

/** Current amount of a field. For a campaign, `budget` may mean the amount inside the budget object. */
function presentAmount(entity: Record<string, unknown>, path: string): number | undefined {
  const value = valueAt(entity, path);
  const inner = path === "budget" && typeof value === "object" && value !== null
    ? valueAt(entity, "budget.budget")
    : value;
  return typeof inner === "number" ? inner : undefined;
}

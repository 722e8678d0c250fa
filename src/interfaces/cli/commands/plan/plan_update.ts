import { type UpdateItems, updateItems } from "../../shell/input/update_items.ts";
import type { ProfileClient } from "../../../../client/profile_client.ts";
import { inputFrom } from "../../../../operations/model/field.ts";
import { planUpdate } from "../../../../operations/plans/plan_writes.ts";
import type { ResourceSpec } from "../../../../client/entities/model/resource_spec.ts";
import type { AllowedPlan } from "../../../../operations/plans/write_operation.ts";
import type { Finding } from "../../../../plans/model/finding.ts";
import { refusingBadInput } from "../../shell/io/cli_error.ts";
import { command } from "../../shell/command.ts";
import type { CliContext } from "../../shell/context/context.ts";
import type { Work } from "../../shell/context/progress.ts";
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
  { items, unchanged: { count, places } }: UpdateItems,
  { client, entity, values, context }: {
    client: ProfileClient;
    entity: string;
    values: Readonly<Record<string, unknown>>;
    context: CliContext;
  },
): Promise<AllowedPlan> {
  const { interruption: { signal }, progress } = context;
  const rows = progress.work({ noun: "row", total: items.length });
  let entities: Work | undefined;
  const known = {
    findings: count === 0 ? [] : [emptyRows(count, places)],
    onWorkedOut: (done: number) => rows.count({ done, name: "working out new values" }),
    onRead: (done: number) => {
      entities ??= progress.work({ noun: "entity", total: items.length });
      entities.count({ done, name: "reading, comparing and checking" });
    },
  };
  const input = inputFrom(planUpdate.input, { ...values, entity, items });
  return await refusingBadInput(() => planUpdate.run({ profile: client, signal, known }, input));
}

function emptyRows(count: number, places: readonly string[]): Finding {
  const more = count > places.length ? ` and ${count - places.length} more` : "";
  return {
    code: "NOTHING_TO_CHANGE",
    level: "note",
    message: `These records of the file change nothing: ${places.join(", ")}${more}`,
  };
}

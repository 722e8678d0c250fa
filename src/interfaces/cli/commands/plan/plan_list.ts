import { basename, isAbsolute, resolve } from "node:path";
import type { Command } from "@commander-js/extra-typings";
import { type ListedPlan, type ListedRollout, planList } from "../../../../operations/reads/plan_list.ts";
import type { Change } from "../../../../plans/model/change.ts";
import { planCounts } from "../../../../plans/view/plan_lines.ts";
import { PlanStore } from "../../../../plans/store/plan_store.ts";
import { command } from "../../shell/command.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { EXIT } from "../../shell/io/cli_error.ts";
import { knownRollouts, planStores } from "../../shell/connect/plan_folders.ts";
import { kindNoun } from "../../../../platform/catalog/kind_names.ts";
import { addFields } from "../../shell/options/field_options.ts";
import { isOfMarkets, onlyMarketsOption } from "../../shell/options/market_options.ts";
import { operationDoc, operationInput } from "../../shell/options/operation_input.ts";
import { printRows } from "../../shell/output/print_rows.ts";
import { drawsTable } from "../../shell/output/wants_data.ts";

const COLUMNS = ["does", "state", "applied_at", "account", "id", "note"];
const TABLE = ["note", "account", "state", "age", "does", "id"];
const FIELDS = [
  ...COLUMNS,
  "counts",
  "country",
  "file",
  "created_at",
  "profile_id",
  "account_name",
  "rollout",
  "state_since",
  "result",
  "reverses",
  "rollback_plan_id",
  "next",
];

export const planListCommand = command(
  (kit) =>
    // The types of commander cannot know options that are declared elsewhere.
    addFields(
      kit.leaf("list", {
        printsRows: true,
        ...operationDoc(planList),
        examples: [
          ["adsctl plan list", "list plans here, and those of agents"],
          ["adsctl plan list --folder ./plans --json", "list the plans of one folder as JSON"],
        ],
      })
        .addOption(onlyMarketsOption("plans"))
        .option("--folder <path>", "only the plans of this folder"),
      planList.input,
    ) as unknown as Command<[], { readonly folder?: string; readonly market?: string[] }>,
  async (options, context) => {
    const { folder } = options;
    const { io: { now }, globals: { rehearse } } = context;
    const input = await operationInput(planList, options);
    const rollouts = await knownRollouts(folder, context);
    const isOfRollout = new Set(rollouts.map((path) => resolve(path)));
    const single = (folder === undefined ? planStores(context) : [PlanStore.open(folder, { now })])
      .filter(({ path }) => !isOfRollout.has(resolve(path)));
    const stores = [...single, ...rollouts.map((path) => PlanStore.open(path, { now }))];
    const found = await planList.run({ stores, isRehearsal: rehearse !== undefined }, input);
    const ofRollouts = Map.groupBy(found.plans, ({ rollout }) => rollout);
    const groups = [
      ...(ofRollouts.get(null) ?? []).map((plan) => [planRow(plan)]),
      ...found.rollouts.map((rollout) => rolloutRows(rollout, ofRollouts.get(rollout.folder) ?? [])),
    ];
    const madeAt = ([first]: Row[]): string => String(first?.["created_at"] ?? "");
    const isWanted = isOfMarkets(options.market);
    const isOfMarket = ({ country, profile_id: id }: Row): boolean =>
      isWanted({ countryCode: String(country ?? ""), profileId: id === undefined ? undefined : String(id) });
    // A rollout is shown with those of its plans that are wanted, and not without any.
    const chosen = options.market === undefined ? groups : groups.flatMap((group) => {
      const plans = group.filter(isOfMarket);
      return plans.length === 0
        ? []
        : [group.filter((row) => plans.includes(row) || row["profile_id"] === undefined)];
    });
    const rows = chosen.sort((a, b) => madeAt(a) < madeAt(b) ? 1 : madeAt(a) > madeAt(b) ? -1 : 0).flat();
    // People tell plans apart by their note, market, state and age; data keeps its columns.
    const shape = drawsTable(context)
      ? { columns: TABLE, fields: [...FIELDS, "age"], name: "note" }
      : { columns: COLUMNS, fields: FIELDS };
    await printRows(drawsTable(context) ? forPeople(rows, context) : rows, shape, context);
    return EXIT.done;
  },
);

type Row = Record<string, unknown>;

function rolloutRows(
  { folder, state, appliedAt, data, problem }: ListedRollout,
  found: readonly ListedPlan[],
): Row[] {
  if (data === undefined) {
    return [{ does: "rollout", state, note: problem, file: folder, rollout: folder }, ...found.map(planRow)];
  }
  const order = new Map(data.plans.map(({ plan_id }, at) => [plan_id, at]));
  const plans = found.toSorted((a, b) => (order.get(a.id) ?? Infinity) - (order.get(b.id) ?? Infinity));
  const changes = plans.flatMap((one) => "plan" in one && order.has(one.id) ? one.plan.changes : []);
  return [{
    does: `rollout: ${doesText(changes)}`,
    state,
    applied_at: appliedAt,
    account: `${order.size} accounts`,
    id: isAbsolute(folder) ? basename(folder) : folder,
    note: data.note,
    counts: planCounts(changes),
    file: folder,
    created_at: data.created_at,
    rollout: folder,
    state_since: data.undone_at ?? appliedAt,
  }, ...plans.map(planRow)];
}

function planRow(one: ListedPlan): Row {
  const place = one.rollout === null ? {} : { rollout: one.rollout };
  if (one.state === "unusable") return { id: one.id, state: one.state, note: one.problem, ...place };
  const { plan, accountName: name } = one;
  return {
    does: doesText(plan.changes),
    state: one.state,
    applied_at: one.appliedAt,
    account: name === null ? plan.countryCode : `${plan.countryCode} ${name}`,
    id: one.id,
    note: plan.note,
    counts: one.counts,
    country: plan.countryCode,
    file: one.file,
    created_at: plan.createdAt,
    profile_id: plan.profileId,
    account_name: name,
    state_since: one.since,
    result: one.result,
    reverses: plan.reverses,
    rollback_plan_id: one.undoPlan,
    next: one.next,
    ...place,
  };
}

function doesText(changes: readonly Change[]): string {
  const counted = (own: readonly Change[], name: (kind: string, count: number) => string): string =>
    [...Map.groupBy(own, ({ kind }) => kind)].sort(([, a], [, b]) => b.length - a.length)
      .map(([kind, { length }]) => `${length} ${name(kind, length)}`).join(", ");
  return [...Map.groupBy(changes, ({ op }) => op)].sort(([, a], [, b]) => b.length - a.length).map((
    [op, own],
  ) =>
    op === "call"
      ? `call ${counted(own, (operation) => `x ${operation}`)}`
      : `${op === "update" ? "change" : op} ${
        counted(own, (kind, count) => kindNoun(kind) + (count === 1 ? "" : "s"))
      }`
  ).join("; ") || "nothing";
}

function forPeople(rows: readonly Row[], { io }: CliContext): Row[] {
  return rows.map((row) => ({
    ...row,
    note: row["note"] ?? row["does"],
    age: ageText(io.now() - Date.parse(String(row["created_at"] ?? ""))),
  }));
}

/** Formats an age, for example `5 min`, `3 h` or `12 d`. */
function ageText(milliseconds: number): string {
  const minutes = Math.max(0, Math.floor(milliseconds / 60_000));
  if (Number.isNaN(minutes)) return "";
  if (minutes < 120) return `${minutes} min`;
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1440)} d`;
}

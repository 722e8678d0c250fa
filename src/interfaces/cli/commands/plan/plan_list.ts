import { stateSince, stateWord } from "../../../../plans/store/plan_status.ts";
import { basename, isAbsolute, resolve } from "node:path";
import { Rollout } from "../../../../account/rollout/rollout.ts";
import type { Change } from "../../../../plans/model/change.ts";
import { planCounts } from "../../../../plans/view/plan_lines.ts";
import { PlanStore, type StoredPlan } from "../../../../plans/store/plan_store.ts";
import { shownPlans } from "../../../../plans/store/shown_plans.ts";
import { withUndone } from "../../../../plans/store/undone_plans.ts";
import { command } from "../../shell/command.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { EXIT } from "../../shell/io/cli_error.ts";
import { knownRollouts, planStores } from "../../shell/connect/plan_folders.ts";
import { kindNoun } from "../../../../platform/catalog/kind_names.ts";
import { isOfMarkets, onlyMarketsOption } from "../../shell/options/market_options.ts";
import { printRows } from "../../shell/output/print_rows.ts";
import { drawsTable } from "../../shell/output/wants_data.ts";
import { accountNames } from "./rollout/rollout_rows.ts";

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
];

export const planListCommand = command(
  (kit) =>
    kit.leaf("list", {
      printsRows: true,
      summary: "List plans and their status",
      details:
        "Lists plans in this folder and the tool server's folder, newest first: open, queued, applied, refused " +
        "or unfinished. Includes rollouts that adsctl created or applied, with their plans. Reads nothing from " +
        "the platform. Hides open plans that undo an applied one, because plan undo applies them.",
      examples: [
        ["adsctl plan list", "list plans here, and those of agents"],
        ["adsctl plan list --folder ./plans --json", "list the plans of one folder as JSON"],
      ],
      library: 'await PlanStore.open("plans").list()',
    })
      .addOption(onlyMarketsOption("plans"))
      .option("--folder <path>", "only the plans of this folder")
      .option("--all", "include open plans that undo other plans"),
  async (options, context) => {
    const { folder } = options;
    const rollouts = await knownRollouts(folder, context);
    const isOfRollout = new Set(rollouts.map((path) => resolve(path)));
    const stores =
      (folder === undefined ? planStores(context) : [PlanStore.open(folder, { now: context.io.now })])
        .filter(({ path }) => !isOfRollout.has(resolve(path)));
    const shown = (plans: StoredPlan[]): StoredPlan[] => options.all ? plans : shownPlans(plans);
    const lists = await Promise.all(stores.map((store) => store.list()));
    const marked = await withUndone(lists, { isRehearsal: context.globals.rehearse !== undefined });
    const groups = marked.flatMap(shown).map((plan) => [planRow(plan)]);
    for (const path of rollouts) groups.push(await rolloutRows(path, shown, context));
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

async function rolloutRows(
  path: string,
  shown: (plans: StoredPlan[]) => StoredPlan[],
  { io }: CliContext,
): Promise<Row[]> {
  let rollout: Rollout;
  try {
    rollout = await Rollout.open(path, { now: io.now });
  } catch (error) {
    return [{ does: "rollout", state: "unusable", note: String(error), file: path, rollout: path }];
  }
  const names = accountNames(rollout);
  const order = new Map(rollout.data.plans.map(({ plan_id }, at) => [plan_id, at]));
  const [all = []] = await withUndone([await PlanStore.open(path, { now: io.now }).list()]);
  const found = shown(all)
    .sort((a, b) => (order.get(a.id) ?? Infinity) - (order.get(b.id) ?? Infinity));
  const plans = found.map((one): Row => ({ ...planRow(one, names), rollout: path }));
  const own = plans.filter(({ id }) => order.has(String(id)));
  const states = Map.groupBy(own, ({ state }) => state);
  const changes = found.flatMap((one) => "plan" in one && order.has(one.id) ? one.plan.changes : []);
  const { note, created_at, undone_at } = rollout.data;
  const times = own.flatMap(({ applied_at: at }) => typeof at === "string" ? [at] : []).sort();
  return [{
    does: `rollout: ${doesText(changes)}`,
    state: undone_at === undefined
      ? [...states].map(([state, all]) => states.size === 1 ? String(state) : `${all.length} ${state}`).join(
        ", ",
      )
      : "undone",
    applied_at: times.at(-1) ?? null,
    account: `${order.size} accounts`,
    id: isAbsolute(path) ? basename(path) : path,
    note,
    counts: planCounts(changes),
    file: path,
    created_at,
    rollout: path,
    state_since: undone_at ?? times.at(-1) ?? null,
  }, ...plans];
}

function planRow(
  stored: StoredPlan,
  names?: ReadonlyMap<string, string | null | undefined>,
): Row {
  if ("problem" in stored) return { id: stored.id, state: "unusable", note: stored.problem.message };
  const { path, plan, status } = stored;
  const name = names?.get(plan.profileId) ?? null;
  return {
    does: doesText(plan.changes),
    state: stateWord(status),
    applied_at: status.state === "applied" ? status.at : null,
    account: name === null ? plan.countryCode : `${plan.countryCode} ${name}`,
    id: plan.id,
    note: plan.note,
    counts: planCounts(plan.changes),
    country: plan.countryCode,
    file: path,
    created_at: plan.createdAt,
    profile_id: plan.profileId,
    account_name: name,
    state_since: stateSince(status) ?? null,
    result: status.state === "applied" ? status.summary : null,
    reverses: plan.reverses,
    rollback_plan_id: status.state === "applied" ? status.rollbackPlanId ?? null : null,
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

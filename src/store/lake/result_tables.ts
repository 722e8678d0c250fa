import { ConfigurationError } from "../../errors.ts";
import { sha256 } from "../../base/text/sha256.ts";
import type { StoredProfile } from "../model/store_driver.ts";
import type { StoredRun, WorkflowColumnType, WorkflowView } from "../model/workflow_tables.ts";
import { columnNames, reportOf } from "../tables/workflow_view.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import type { LakeOwner, LakePartition } from "./partitions.ts";
import { type LakeColumn, type LakeResult, type LakeTable, lakeTables } from "./lake_tables.ts";

type Row = Readonly<Record<string, unknown>>;

/** Columns of a run and a row, which precede those of the result. */
const RUN: readonly LakeColumn[] = [
  { name: "run_id", type: "text" },
  { name: "row_number", type: "integer" },
  { name: "version", type: "integer" },
  { name: "window_start", type: "date" },
  { name: "window_end", type: "date" },
  { name: "zone", type: "text" },
  { name: "parameters", type: "json" },
];
/** Values of a row without a column. */
const EXTRA: LakeColumn = { name: "extra", type: "json" };
const TAKEN = [
  ...[...RUN, EXTRA].map(({ name }) => name),
  "country_code",
  "profile_id",
  "instance_id",
  "advertiser_id",
  "month",
  "_sdc_deleted_at",
];
const TYPES: Readonly<Record<Exclude<WorkflowColumnType, null>, LakeColumn["type"]>> = {
  text: "text",
  number: "real",
  boolean: "boolean",
  day: "date",
};

/**
 * Finds tables by words, stored results included.
 *
 * @param market Country code or profile id; leaves out results that belong to no profile.
 * @throws {ConfigurationError} for unknown words, and for named tables without profiles if there is a market.
 */
export async function chosenTables(
  store: Warehouse,
  words: readonly string[],
  market?: string,
): Promise<LakeTable[]> {
  const results = (await store.workflows.views()).map(resultTable);
  const hasMarket = ({ result }: LakeTable): boolean =>
    market === undefined || result === undefined || result.owner === "profile_id";
  const named = lakeTables(words.filter((word) => !/^\s*results\s*$/i.test(word)), store.layouts, results)
    .filter((table) => !hasMarket(table)).map(({ name }) => name);
  if (named.length > 0) {
    throw new ConfigurationError(
      `Cannot choose ${
        named.join(", ")
      } of ${market}: results of clean rooms and DSP advertisers belong to no ` +
        "profile. Leave out the market",
    );
  }
  return lakeTables(words, store.layouts, results.filter(hasMarket));
}

function resultTable({ name, workflowId, columns }: WorkflowView): LakeTable {
  // The name becomes a folder.
  if (!/^[a-z_][a-z0-9_]*$/.test(name)) {
    throw new ConfigurationError(
      `Cannot use the results of ${JSON.stringify(workflowId)}: the name of its view, ${
        JSON.stringify(name)
      }, ` +
        "is not lower-case letters, digits and _",
    );
  }
  const names = columnNames(columns, TAKEN);
  const own = [...names].map(([field, column]): LakeColumn => ({
    name: column,
    type: TYPES[columns[field] ?? "text"],
  }));
  return {
    name,
    columns: [...RUN, ...own, EXTRA],
    day: "window_start",
    key: ["run_id", "row_number"],
    reports: [],
    kinds: [],
    result: { workflowId, owner: reportOf(workflowId)?.instance ?? "instance_id", names },
  };
}

/** Partitions of a result's shown runs, by the month in which their windows start, and the runs. */
export interface ResultPartition extends LakePartition {
  readonly runs: readonly StoredRun[];
}

/**
 * Returns the partitions of a result. One whose runs the view no longer shows has no rows.
 *
 * @param profiles Profiles whose results are wanted.
 */
export async function resultPartitions(
  store: Warehouse,
  { columns, result }: LakeTable & { readonly result: LakeResult },
  profiles: readonly StoredProfile[] | undefined,
): Promise<ResultPartition[]> {
  const owners = await ownersOf(store, result, profiles);
  const runs = (await store.workflows.allRuns(result.workflowId)).filter((run) => owners(run) !== undefined);
  const groups = Map.groupBy(runs, ({ instanceId, start }) => `${instanceId} ${start.slice(0, 7)}`);
  return [...groups].sort(([one], [other]) => one < other ? -1 : 1).flatMap(([, own]) => {
    const shown = own.filter(({ isShown }) => isShown);
    const [first] = own;
    const owner = first && owners(first);
    if (owner === undefined) return [];
    const parts = shown.map(({ id, storedAt, rows }) => `${id} ${storedAt} ${rows}`);
    return [{
      owner,
      month: first!.start.slice(0, 7),
      source: sha256([JSON.stringify([owner, columns]), ...parts].join("\n")).slice(0, 32),
      runs: shown,
    }];
  });
}

/** Returns a function for the owner of a run; `undefined` for one that is not wanted. */
export async function ownersOf(
  store: Warehouse,
  { owner }: LakeResult,
  wanted: readonly StoredProfile[] | undefined,
): Promise<(run: StoredRun) => LakeOwner | undefined> {
  if (owner !== "profile_id") return ({ instanceId }) => ({ [owner]: instanceId });
  const countries = new Map(
    (wanted ?? await store.profiles()).map(({ profileId, countryCode }) => [profileId, countryCode]),
  );
  return ({ instanceId }) => {
    const country = countries.get(instanceId);
    if (country === undefined && wanted !== undefined) return undefined;
    return { country_code: country ?? "", profile_id: instanceId };
  };
}

/** Yields the rows of a run as the table has them. */
export async function* resultRows(
  store: Warehouse,
  { columns, result: { names } }: LakeTable & { readonly result: LakeResult },
  run: StoredRun,
): AsyncGenerator<Row> {
  const texts = new Set(columns.flatMap(({ name, type }) => type === "text" ? [name] : []));
  const base: Record<string, unknown> = Object.fromEntries(columns.map(({ name }) => [name, null]));
  base["run_id"] = run.id;
  base["version"] = run.version;
  base["window_start"] = run.start;
  base["window_end"] = run.end;
  base["zone"] = run.zone;
  base["parameters"] = run.parameters;
  let number = 0;
  for await (const row of store.workflows.rows(run)) {
    const shown: Record<string, unknown> = { ...base, row_number: ++number };
    const extra: Record<string, unknown> = {};
    for (const [field, value] of Object.entries(row)) {
      const column = names.get(field);
      if (column === undefined) extra[field] = value;
      // A column that had numbers before it had text.
      else shown[column] = value !== null && texts.has(column) ? String(value) : value;
    }
    if (Object.keys(extra).length > 0) shown["extra"] = JSON.stringify(extra);
    yield shown;
  }
}

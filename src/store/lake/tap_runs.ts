import { sha256 } from "../../base/text/sha256.ts";
import type { StoredProfile } from "../model/store_driver.ts";
import type { StoredRun } from "../model/workflow_tables.ts";
import type { Warehouse } from "../warehouse/warehouse.ts";
import type { LakeOwner } from "./lake_owner.ts";
import type { LakeResult, LakeTable } from "./lake_tables.ts";
import { ownersOf, resultRows } from "./result_tables.ts";

type Row = Readonly<Record<string, unknown>>;

/** A part of a stream that changed since the last run. */
export interface DuePart {
  readonly owner: LakeOwner;
  /** Key of the bookmark, and its value afterwards; `undefined` removes it. */
  readonly bookmark: readonly [key: string, mark: string | undefined];
  readonly gone: () => AsyncIterable<Row>;
  readonly rows: () => AsyncIterable<Row>;
}

/**
 * Returns the runs of a result that are new or stored anew since the last bookmarks, and those that the view no longer
 * shows, because another version replaced their window.
 */
export async function dueRuns(
  store: Warehouse,
  table: LakeTable & { readonly result: LakeResult },
  { sent, profiles, now }: {
    readonly sent: Readonly<Record<string, string>>;
    readonly profiles: readonly StoredProfile[] | undefined;
    readonly now: () => number;
  },
): Promise<DuePart[]> {
  const owners = await ownersOf(store, table.result, profiles);
  return (await store.workflows.allRuns(table.result.workflowId)).flatMap((run): DuePart[] => {
    const owner = owners(run);
    const mark = run.isShown && owner !== undefined ? markOf(run, table, owner) : undefined;
    if (owner === undefined || sent[run.id] === mark) return [];
    const from = run.isShown ? run.rows : 0;
    return [{
      owner,
      bookmark: [run.id, mark],
      gone: () => goneRows(table, run.id, { from, to: rowsIn(sent[run.id]), at: now() }),
      rows: () => run.isShown ? resultRows(store, table, run) : noRows(),
    }];
  });
}

/** Time, number of rows, and a digest of what else the rows are made of. */
function markOf({ storedAt, rows }: StoredRun, { columns }: LakeTable, owner: LakeOwner): string {
  return `${storedAt} ${rows} ${sha256(JSON.stringify([owner, columns])).slice(0, 16)}`;
}

function rowsIn(mark: string | undefined): number {
  const count = Number(mark?.split(" ")[1]);
  return Number.isSafeInteger(count) ? count : 0;
}

export async function* noRows(): AsyncGenerator<never> {}

/** Yields the keys of rows that were sent and are no longer there. */
async function* goneRows(
  { columns }: LakeTable,
  run: string,
  { from, to, at }: { from: number; to: number; at: number },
): AsyncGenerator<Row> {
  const empty = Object.fromEntries(columns.map(({ name }) => [name, null]));
  const deleted = new Date(at).toISOString();
  for (let number = from + 1; number <= to; number++) {
    yield { ...empty, run_id: run, row_number: number, _sdc_deleted_at: deleted };
  }
}

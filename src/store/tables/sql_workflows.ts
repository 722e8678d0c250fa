import { asyncChunks } from "../../base/json/chunks.ts";
import type { DayRange } from "../../base/time/calendar.ts";
import { sha256 } from "../../base/text/sha256.ts";
import { StoreError } from "../model/store_error.ts";
import type {
  StoredRun,
  WorkflowResult,
  WorkflowRow,
  WorkflowRun,
  WorkflowTables,
  WorkflowVersion,
  WorkflowView,
} from "../model/workflow_tables.ts";
import { putProfile } from "./account_tables.ts";
import { sqlDialect } from "./sql_dialect.ts";
import { insertRows, type StoreSql } from "./store_sql.ts";
import { addColumns, addTypes, type ColumnTypes, refreshViews, shownRuns } from "./workflow_view.ts";

/** Read and write access to the clean-room results in a driver's database. */
export interface WorkflowAccess {
  write<T>(work: (sql: StoreSql) => Promise<T>): Promise<T>;
  read<T>(work: (sql: StoreSql) => Promise<T>): Promise<T>;
}

const AT_ONCE = 1000;

/** Clean-room results in a store's database. */
export class SqlWorkflows implements WorkflowTables {
  readonly #access: WorkflowAccess;

  constructor(access: WorkflowAccess) {
    this.#access = access;
  }

  useVersion(
    { instanceId, workflowId, sql: text, settings }: WorkflowVersion,
    usedAt: string,
  ): Promise<number> {
    const digest = sha256(`${settings}\n${text}`);
    return this.#access.write(async (sql) => {
      await lock(sql, `version ${instanceId} ${workflowId}`);
      const own = [instanceId, workflowId];
      const stored = await sql.run(
        "SELECT version, digest FROM workflow_versions WHERE instance_id = ? AND workflow_id = ?",
        own,
      );
      const same = stored.find((row) => row["digest"] === digest);
      if (same !== undefined) {
        await sql.run(
          "UPDATE workflow_versions SET used_at = ? WHERE instance_id = ? AND workflow_id = ? AND version = ?",
          [usedAt, ...own, Number(same["version"])],
        );
        return Number(same["version"]);
      }
      const version = Math.max(0, ...stored.map((row) => Number(row["version"]))) + 1;
      await insertRows(
        sql,
        {
          into:
            "workflow_versions (instance_id, workflow_id, version, digest, sql, settings, first_used_at, used_at)",
        },
        [[instanceId, workflowId, version, digest, text, settings, usedAt, usedAt]],
      );
      return version;
    });
  }

  runs(
    { instanceId, workflowId, version }: Pick<WorkflowRun, "instanceId" | "workflowId" | "version">,
  ): Promise<WorkflowRun[]> {
    return this.#access.read(async ({ run }) => {
      const rows = await run(
        `SELECT parameters, zone, window_start, window_end FROM workflow_runs
         WHERE instance_id = ? AND workflow_id = ? AND version = ? ORDER BY window_start, window_end, zone`,
        [instanceId, workflowId, version],
      );
      return rows.map((row) => ({
        instanceId,
        workflowId,
        version,
        parameters: String(row["parameters"]),
        zone: String(row["zone"]),
        start: String(row["window_start"]),
        end: String(row["window_end"]),
      }));
    });
  }

  hidden(
    { instanceId, workflowId, version }: Pick<WorkflowRun, "instanceId" | "workflowId" | "version">,
  ): Promise<DayRange[]> {
    return this.#access.read(async ({ run, dialect }) => {
      const rows = await run(
        `SELECT window_start, window_end FROM workflow_runs
         WHERE instance_id = ? AND workflow_id = ? AND version = ?
         AND id NOT IN (${shownRuns(workflowId, sqlDialect(dialect))}) ORDER BY window_start`,
        [instanceId, workflowId, version],
      );
      return rows.map((row) => ({ start: String(row["window_start"]), end: String(row["window_end"]) }));
    });
  }

  views(): Promise<WorkflowView[]> {
    return this.#access.read(async ({ run }) => {
      const rows = await run("SELECT name, workflow_id, columns FROM workflow_views");
      return rows.map((row) => ({
        name: String(row["name"]),
        workflowId: String(row["workflow_id"]),
        columns: JSON.parse(String(row["columns"])),
      })).sort((one, other) => one.name < other.name ? -1 : 1);
    });
  }

  allRuns(workflowId: string): Promise<StoredRun[]> {
    return this.#access.read(async ({ run, dialect }) => {
      const rows = await run(
        `SELECT id, instance_id, version, parameters, zone, window_start, window_end, rows, stored_at,
           CASE WHEN id IN (${shownRuns(workflowId, sqlDialect(dialect))}) THEN 1 ELSE 0 END AS shown
         FROM workflow_runs WHERE workflow_id = ? ORDER BY window_start, window_end, id`,
        [workflowId],
      );
      return rows.map((row) => ({
        workflowId,
        id: String(row["id"]),
        instanceId: String(row["instance_id"]),
        version: Number(row["version"]),
        parameters: String(row["parameters"]),
        zone: String(row["zone"]),
        start: String(row["window_start"]),
        end: String(row["window_end"]),
        storedAt: String(row["stored_at"]),
        rows: Number(row["rows"]),
        isShown: Number(row["shown"]) === 1,
      }));
    });
  }

  async *rows({ id, rows: count, storedAt, workflowId, start, end }: StoredRun): AsyncGenerator<WorkflowRow> {
    for (let last = 0; last < count;) {
      const page = await this.#access.read(({ run }) =>
        run(
          `SELECT rows.number, CAST(rows.data AS text) AS data FROM workflow_rows AS rows
           JOIN workflow_runs AS runs ON runs.id = rows.run_id AND runs.stored_at = ?
           WHERE rows.run_id = ? AND rows.number > ? ORDER BY rows.number LIMIT ${AT_ONCE}`,
          [storedAt, id, last],
        )
      );
      if (page.length === 0) {
        throw new StoreError(
          `Cannot read all rows of ${workflowId} from ${start} to ${end}: they were replaced meanwhile. Try again`,
        );
      }
      for (const { data } of page) yield JSON.parse(String(data)) as WorkflowRow;
      last = Number(page.at(-1)?.["number"]);
    }
  }

  async store(
    result: WorkflowResult,
    rows: () => AsyncIterable<WorkflowRow>,
    onWarning?: (warning: string) => void,
  ): Promise<number> {
    const { instanceId, workflowId, version, parameters, zone, start, end } = result;
    const key = [instanceId, workflowId, version, parameters, zone, start, end];
    const { count, view } = await this.#access.write(async (sql) => {
      // The same run has the same id, and replaces what is stored of it.
      const id = sha256(JSON.stringify(key)).slice(0, 32);
      await lock(sql, `run ${id}`);
      if (result.profile !== undefined) await putProfile(sql, result.profile);
      await sql.run("DELETE FROM workflow_rows WHERE run_id = ?", [id]);
      await sql.run("DELETE FROM workflow_runs WHERE id = ?", [id]);
      const types: ColumnTypes = { ...result.columns };
      let count = 0;
      for await (const part of asyncChunks(rows(), AT_ONCE)) {
        const cells = part.map((row) => {
          addTypes(types, row);
          return [id, ++count, JSON.stringify(row)];
        });
        await insertRows(sql, { into: "workflow_rows (run_id, number, data)" }, cells);
      }
      const withheld = result.withheld();
      await insertRows(
        sql,
        {
          into:
            "workflow_runs (id, instance_id, workflow_id, version, parameters, zone, window_start, window_end, " +
            "execution_id, rows, withheld_rows, withheld, stored_at)",
        },
        [[
          id,
          ...key,
          result.executionId,
          count,
          withheld?.rows ?? null,
          withheld === undefined ? null : JSON.stringify(withheld.columns),
          result.storedAt,
        ]],
      );
      await lock(sql, "views of workflows");
      return { count, view: await addColumns(sql, workflowId, types) };
    });
    try {
      // Another's view on this one, or a table of its name, must not cost the rows.
      await this.#access.write(async (sql) => {
        await lock(sql, "views of workflows");
        await refreshViews(sql, workflowId);
      });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      onWarning?.(
        `The rows are stored, but the view ${view} is not up to date: ${reason}. Drop what depends on it or has its ` +
          "name; it is made anew with the next stored window",
      );
    }
    return count;
  }
}

/** Waits for other transactions with the same lock; SQLite has one writer anyway. */
async function lock({ dialect, run }: StoreSql, name: string): Promise<void> {
  if (dialect === "PostgreSQL") await run("SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", [name]);
}

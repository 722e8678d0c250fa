import type { DayRange } from "../../base/time/calendar.ts";
import { sha256 } from "../../base/text/sha256.ts";
import type { ReportLayout } from "../model/report_layout.ts";
import { changesTable } from "../tables/kept_versions.ts";
import { SCHEMA, type Sql } from "../tables/postgres_sql.ts";
import type { Database } from "./database.ts";

const PARTITION_LOCK = 0x50414450;

export class Partitions {
  readonly #database: Database;
  readonly #known = new Set<string>();

  constructor(database: Database) {
    this.#database = database;
  }

  async ensure(layout: ReportLayout, days: DayRange): Promise<void> {
    for (const table of [layout.table, `${layout.table}_history`, changesTable(layout)]) {
      for (const month of monthsOf(days)) {
        const name = partitionName(table, month);
        if (this.#known.has(name)) continue;
        await this.#add(table, month);
        this.#known.add(name);
      }
    }
  }

  async #add(table: string, month: string): Promise<void> {
    const name = partitionName(table, month);
    const isAttached = async (sql: Sql): Promise<boolean> => {
      const found = await sql`
        SELECT 1 FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
        JOIN pg_namespace ON pg_namespace.oid = relnamespace
        WHERE nspname = ${SCHEMA} AND relname = ${name}`;
      return found.length > 0;
    };
    if (await isAttached(this.#database.sql)) return;
    await this.#database.transaction(async (sql) => {
      await sql`SELECT pg_advisory_xact_lock(${PARTITION_LOCK})`;
      if (await isAttached(sql)) return;
      await sql.text(`
        CREATE TABLE ${name} (LIKE ${table} INCLUDING ALL);
        ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES FROM ('${month}-01') TO ('${
        nextMonth(month)
      }-01')`);
    });
  }
}

export function monthsOf({ start, end }: DayRange): string[] {
  const months: string[] = [];
  for (let month = start.slice(0, 7); month <= end; month = nextMonth(month)) months.push(month);
  return months;
}

function nextMonth(month: string): string {
  const [year, number] = month.split("-").map(Number) as [number, number];
  const next = number === 12 ? [year + 1, 1] : [year, number + 1];
  return `${String(next[0]).padStart(4, "0")}-${String(next[1]).padStart(2, "0")}`;
}

const MAX_NAME = 63;

function partitionName(table: string, month: string): string {
  const name = `${table}_${month.replace("-", "_")}`;
  return name.length <= MAX_NAME
    ? name
    : `${table.slice(0, 46)}_${sha256(table).slice(0, 8)}_${month.replace("-", "_")}`;
}

import { type Sql, sqlOver, type SqlRow, type Statement } from "../../../src/store/tables/postgres_sql.ts";

/** Statements that a test answers, and what was sent. */
export interface FakeSql {
  /** Runs statements. */
  readonly sql: Sql;
  /** What was sent, in order; whitespace in one line. */
  readonly sent: Statement[];
}

/** Rows for the statements that hold a text; an error is thrown. */
export type Answers = Readonly<
  Record<string, readonly SqlRow[] | Error | ((statement: Statement) => readonly SqlRow[])>
>;

/** Answers each statement by the first text that it holds, others with no row; the clock of the database is right. */
export function fakeSql(answers: Answers = {}): FakeSql {
  const sent: Statement[] = [];
  const sql = sqlOver(({ text, values }) => {
    const statement = { text: text.replace(/\s+/g, " ").trim(), values };
    sent.push(statement);
    const known = { ...answers, "clock_timestamp()": answers["clock_timestamp()"] ?? [{ now: Date.now() }] };
    const [, found = []] = Object.entries(known).find(([part]) => statement.text.includes(part)) ?? [];
    if (found instanceof Error) return Promise.reject(found);
    return Promise.resolve([...typeof found === "function" ? found(statement) : found]);
  });
  return { sql, sent };
}

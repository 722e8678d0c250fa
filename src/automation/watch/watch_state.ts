import { addDays } from "../../base/time/calendar.ts";
import { type RunSql, type SqlRow, StateSession } from "../../store/warehouse/state_session.ts";
import type { Alert } from "./alert.ts";

const TABLES = [
  `CREATE TABLE IF NOT EXISTS watch_alerts (
    id text NOT NULL PRIMARY KEY, profile_id text NOT NULL, at text NOT NULL, day text NOT NULL, rule text NOT NULL,
    subject text NOT NULL, is_complete integer NOT NULL, alert text NOT NULL)`,
  `CREATE INDEX IF NOT EXISTS watch_alerts_of ON watch_alerts (profile_id, rule, subject, day)`,
  `CREATE TABLE IF NOT EXISTS watch_deliveries (
    alert_id text NOT NULL, channel text NOT NULL, delivered_at text, attempts integer NOT NULL,
    next_at bigint NOT NULL, problem text, PRIMARY KEY (alert_id, channel))`,
  `CREATE TABLE IF NOT EXISTS watch_marks (
    alert_id text NOT NULL PRIMARY KEY, state text NOT NULL, at text NOT NULL, until text, by_whom text, reason text)`,
];

/** State of an alert in the inbox. */
export type AlertMarkState = "new" | "seen" | "snoozed" | "closed";

/** States of an open alert. A snooze that is over counts as `new`. */
export const OPEN_MARKS: readonly AlertMarkState[] = ["new", "seen"];

/** State of an alert in the inbox, as set by a person or the service: seen, snoozed until a moment, or closed. */
export interface AlertMark {
  /** `new` until a person marks it, and again after a snooze ends. */
  readonly state: AlertMarkState;
  /** Time of the marking, ISO 8601; `null` if the alert was never marked. */
  readonly at: string | null;
  /** End of a snooze, ISO 8601; otherwise `null`. */
  readonly until: string | null;
  /** Name of the person; `null` for the service, which closes alerts that no longer hold. */
  readonly by: string | null;
  /** Reason given by the person or the service. */
  readonly reason: string | null;
}

/** New state for alerts, with its reason and author. */
export interface AlertMarking {
  /** New state; `new` removes a mark. */
  readonly state: AlertMarkState;
  /** Current time in milliseconds since the epoch. @default now */
  readonly now?: number | undefined;
  /** End of a snooze, in milliseconds since the epoch; needed for `snoozed`. */
  readonly until?: number | undefined;
  /** Name of the person. */
  readonly by?: string | undefined;
  /** Reason, as text. */
  readonly reason?: string | undefined;
}

/** An alert waiting for delivery to a channel. */
export interface WaitingAlert {
  /** The alert, as stored. */
  readonly alert: Alert;
  /** Name of the channel. */
  readonly channel: string;
  /** Number of failed attempts. */
  readonly attempts: number;
}

/** A stored alert, with the channels that received it and those still waiting for it. */
export interface KeptAlert extends Alert {
  /** Its state in the inbox. */
  readonly mark: AlertMark;
  /** Names of the channels that received it. */
  readonly delivered: readonly string[];
  /** Channels that have not received it yet, with the problem of the last attempt. */
  readonly waiting: readonly {
    readonly channel: string;
    readonly attempts: number;
    readonly problem: string | null;
  }[];
}

/** A new alert with the settings of its rule. */
export interface RaisedAlert {
  /** The alert, as found by the rule. */
  readonly alert: Alert;
  /** Number of days for which the same alert is not repeated. */
  readonly quietDays: number;
  /** Names of the channels it is delivered to. */
  readonly channels: readonly string[];
  /** False while a plan still needs to be made for it. */
  readonly isComplete: boolean;
}

/**
 * Alerts and their deliveries, stored next to a store's figures in an SQLite file or PostgreSQL. An alert is stored
 * before it is delivered, so that nothing is lost if a channel is down.
 *
 * @example
 * ```ts
 * import { WatchState } from "@platform/ads/watch";
 *
 * async function newest(profileId: string): Promise<void> {
 *   const state = await WatchState.open("ads.sqlite");
 *   for (const { day, title, waiting } of await state.list({ profileId })) console.log(day, title, waiting.length);
 *   await state.close();
 * }
 * ```
 */
export class WatchState implements AsyncDisposable {
  readonly #session: StateSession;

  private constructor(session: StateSession) {
    this.#session = session;
  }

  /**
   * Opens the state.
   *
   * @param place Path of the SQLite file of a store, made when it is missing, or `postgres://...`.
   */
  static async open(place: string): Promise<WatchState> {
    return new WatchState(await StateSession.open(place, { what: "watch", tables: TABLES }));
  }

  /**
   * Stores new alerts and returns them; leaves out those already stored or raised within the quiet days of their rule.
   */
  async raise(found: readonly RaisedAlert[]): Promise<Alert[]> {
    if (found.length === 0) return [];
    return await this.#session.transaction(async (sql) => {
      const fresh: Alert[] = [];
      for (const { alert, quietDays, channels, isComplete } of found) {
        const last = await lastOf(sql, alert);
        if (last !== undefined && last.day > addDays(alert.day, -quietDays)) continue;
        if (last !== undefined && await isSnoozed(sql, last, alert.at)) continue;
        // What was said when it was due to be said again goes on, and began when it was said first.
        const goesOn = last !== undefined && last.day >= addDays(alert.day, -quietDays);
        const kept = goesOn ? goingOn(alert, last.since) : alert;
        await sql("INSERT INTO watch_alerts VALUES (?, ?, ?, ?, ?, ?, ?, ?)", [
          alert.id,
          alert.profileId,
          alert.at,
          alert.day,
          alert.rule,
          alert.key,
          isComplete ? 1 : 0,
          JSON.stringify(kept),
        ]);
        // The inbox shows what goes on once, as its newest alert.
        if (last !== undefined && !isClosed(await markOf(sql, last.id))) {
          await putMark(sql, last.id, {
            state: "closed",
            at: alert.at,
            until: null,
            by: null,
            reason: `said again as ${alert.id}`,
          });
        }
        for (const channel of channels) {
          await sql("INSERT INTO watch_deliveries VALUES (?, ?, NULL, 0, 0, NULL)", [alert.id, channel]);
        }
        fresh.push(kept);
      }
      return fresh;
    });
  }

  /** Returns the alerts of a profile that still need a plan. */
  async incomplete(profileId: string): Promise<Alert[]> {
    const rows = await this.#session.rows(
      "SELECT alert FROM watch_alerts WHERE profile_id = ? AND is_complete = 0 ORDER BY at, id",
      [profileId],
    );
    return rows.map(alertOf);
  }

  /**
   * Stores an alert with its plan, or with the reason why there is none.
   *
   * @param options.isComplete False while something is still to be done for it. @default true
   */
  async complete(
    alert: Alert,
    { isComplete = true }: { readonly isComplete?: boolean | undefined } = {},
  ): Promise<void> {
    await this.#session.rows("UPDATE watch_alerts SET alert = ?, is_complete = ? WHERE id = ?", [
      JSON.stringify(alert),
      isComplete ? 1 : 0,
      alert.id,
    ]);
  }

  /** Returns the deliveries due at a moment, oldest first. */
  async waiting(profileId: string, now: number): Promise<WaitingAlert[]> {
    const rows = await this.#session.rows(
      `SELECT a.alert, d.channel, d.attempts FROM watch_deliveries AS d JOIN watch_alerts AS a ON a.id = d.alert_id
      WHERE a.profile_id = ? AND a.is_complete = 1 AND d.delivered_at IS NULL AND d.next_at <= ? ORDER BY a.at, a.id`,
      [profileId, now],
    );
    return rows.map((row) => ({
      alert: alertOf(row),
      channel: String(row["channel"]),
      attempts: Number(row["attempts"]),
    }));
  }

  /** Records that a channel received an alert. */
  async delivered({ alert, channel, attempts }: WaitingAlert, at: number): Promise<void> {
    await this.#session.rows(
      "UPDATE watch_deliveries SET delivered_at = ?, attempts = ?, problem = NULL WHERE alert_id = ? AND channel = ?",
      [new Date(at).toISOString(), attempts + 1, alert.id, channel],
    );
  }

  /** Records that a channel could not be reached, and the time of the next attempt. */
  async failed(
    { alert, channel, attempts }: WaitingAlert,
    { problem, nextAt }: { readonly problem: string; readonly nextAt: number },
  ): Promise<void> {
    await this.#session.rows(
      "UPDATE watch_deliveries SET attempts = ?, next_at = ?, problem = ? WHERE alert_id = ? AND channel = ?",
      [attempts + 1, nextAt, problem, alert.id, channel],
    );
  }

  /**
   * Lists alerts, newest first.
   *
   * @param options.profileId Profile of the alerts, or several. @default all profiles of the store
   * @param options.state Only those with this mark. @default all
   * @param options.id Only this one. @default all
   * @param options.since First day, YYYY-MM-DD. @default all days
   * @param options.severity Only these severities. @default all
   * @param options.rule Only those of this rule. @default all
   * @param options.limit Maximum number; `Infinity` for all. @default 100
   * @param options.now Time at which snoozes are judged, in milliseconds since the epoch. @default now
   */
  async list({ profileId, state, id, since, severity = [], rule, limit = 100, now = Date.now() }: {
    readonly profileId?: string | readonly string[] | undefined;
    readonly state?: AlertMarkState | readonly AlertMarkState[] | undefined;
    readonly id?: string | undefined;
    readonly since?: string | undefined;
    readonly severity?: readonly Alert["severity"][] | undefined;
    readonly rule?: string | undefined;
    readonly limit?: number | undefined;
    readonly now?: number | undefined;
  } = {}): Promise<KeptAlert[]> {
    const at = new Date(now).toISOString();
    const states = state === undefined ? [] : [state].flat();
    const profiles = profileId === undefined ? undefined : [profileId].flat();
    if (profiles?.length === 0) return [];
    const ofProfiles = profiles === undefined
      ? []
      : [[`a.profile_id IN (${profiles.map(() => "?").join(", ")})`, ...profiles]];
    const wanted = [
      ...ofProfiles,
      ...id === undefined ? [] : [["a.id = ?", id]],
      ...since === undefined ? [] : [["a.day >= ?", since]],
      ...rule === undefined ? [] : [["a.rule = ?", rule]],
      // Quotes within its texts are escaped, so only the field itself matches.
      ...severity.length === 0 ? [] : [[
        `(${severity.map(() => "a.alert LIKE ?").join(" OR ")})`,
        ...severity.map((one) => `%"severity":"${one}"%`),
      ]],
    ];
    const rows = await this.#session.rows(
      `SELECT alert, m_state, m_at, m_until, m_by, m_reason FROM (
        SELECT a.alert, a.at, a.day, a.id,
          CASE WHEN m.state IS NULL OR (m.state = 'snoozed' AND m.until <= ?) THEN 'new' ELSE m.state END AS m_state,
          m.at AS m_at, m.until AS m_until, m.by_whom AS m_by, m.reason AS m_reason
        FROM watch_alerts AS a LEFT JOIN watch_marks AS m ON m.alert_id = a.id
        ${wanted.length === 0 ? "" : `WHERE ${wanted.map(([sql]) => sql).join(" AND ")}`}) AS marked
      ${states.length === 0 ? "" : `WHERE m_state IN (${states.map(() => "?").join(", ")})`}
      ORDER BY at DESC, day DESC, id ${limit === Infinity ? "" : `LIMIT ${Math.trunc(limit)}`}`,
      [at, ...wanted.flatMap(([, ...values]) => values), ...states],
    );
    const alerts = rows.map((row) => ({ ...alertOf(row), mark: markOfRow(row) }));
    // By the time of the oldest: an alert has few deliveries, and each statement is a transaction.
    const oldest = alerts.reduce((at, alert) => alert.at < at ? alert.at : at, alerts[0]?.at ?? "");
    const deliveries = Map.groupBy(
      alerts.length === 0 ? [] : await this.#session.rows(
        `SELECT d.alert_id, d.channel, d.delivered_at, d.attempts, d.problem
        FROM watch_deliveries AS d JOIN watch_alerts AS a ON a.id = d.alert_id
        WHERE ${[["a.at >= ?"], ...ofProfiles].map(([sql]) => sql).join(" AND ")} ORDER BY d.channel`,
        [oldest, ...profiles ?? []],
      ),
      (row) => String(row["alert_id"]),
    );
    return alerts.map((alert) => {
      const own = deliveries.get(alert.id) ?? [];
      return {
        ...alert,
        delivered: own.filter((row) => row["delivered_at"] !== null).map((row) => String(row["channel"])),
        waiting: own.filter((row) => row["delivered_at"] === null).map((row) => ({
          channel: String(row["channel"]),
          attempts: Number(row["attempts"]),
          problem: row["problem"] === null ? null : String(row["problem"]),
        })),
      };
    });
  }

  /**
   * Marks alerts as seen, snoozed, closed or new. A snoozed finding is not reported again until the snooze ends.
   *
   * @returns Ids of the alerts that are in the store; others are passed over.
   * @throws {RangeError} for a snooze without an end in the future.
   */
  async mark(ids: readonly string[], marking: AlertMarking): Promise<string[]> {
    const { state, now = Date.now(), until, by = null, reason = null } = marking;
    if (state === "snoozed" && !(until !== undefined && until > now)) {
      throw new RangeError("Cannot snooze an alert: give a time in the future to show it again");
    }
    const at = new Date(now).toISOString();
    const end = state === "snoozed" ? new Date(until!).toISOString() : null;
    return await this.#session.transaction(async (sql) => {
      const found: string[] = [];
      for (const id of new Set(ids)) {
        const [row] = await sql("SELECT id FROM watch_alerts WHERE id = ?", [id]);
        if (row === undefined) continue;
        found.push(id);
        if (state === "new") await sql("DELETE FROM watch_marks WHERE alert_id = ?", [id]);
        else await putMark(sql, id, { state, at, until: end, by, reason });
      }
      return found;
    });
  }

  /**
   * Runs a function with an exclusive lock on a profile, across processes.
   *
   * @returns `undefined` if another process holds the lock; nothing was done.
   */
  async alone<T>(profileId: string, work: () => Promise<T>): Promise<{ readonly result: T } | undefined> {
    return await this.#session.alone(profileId, work);
  }

  /** Closes the database. */
  async close(): Promise<void> {
    await this.#session.close();
  }

  /** Closes the database. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

async function lastOf(sql: RunSql, { profileId, rule, key }: Alert): Promise<Alert | undefined> {
  const [row] = await sql(
    "SELECT alert FROM watch_alerts WHERE profile_id = ? AND rule = ? AND subject = ? ORDER BY day DESC LIMIT 1",
    [profileId, rule, key],
  );
  return row === undefined ? undefined : alertOf(row);
}

function goingOn(alert: Alert, since: string): Alert {
  const lines = alert.text.split("\n").filter((line) => !line.startsWith("Since "));
  return { ...alert, since, text: [`Since ${since}, and it goes on`, ...lines].join("\n") };
}

function alertOf(row: SqlRow): Alert {
  return JSON.parse(String(row["alert"]));
}

function markOfRow(row: SqlRow): AlertMark {
  const text = (name: string): string | null => row[name] == null ? null : String(row[name]);
  const state = (text("m_state") ?? "new") as AlertMarkState;
  if (state === "new") return { state, at: null, until: null, by: null, reason: null };
  return { state, at: text("m_at"), until: text("m_until"), by: text("m_by"), reason: text("m_reason") };
}

async function markOf(sql: RunSql, id: string): Promise<SqlRow | undefined> {
  return (await sql("SELECT state, until FROM watch_marks WHERE alert_id = ?", [id]))[0];
}

function isClosed(mark: SqlRow | undefined): boolean {
  return mark?.["state"] === "closed";
}

async function isSnoozed(sql: RunSql, { id }: Alert, at: string): Promise<boolean> {
  const mark = await markOf(sql, id);
  return mark?.["state"] === "snoozed" && String(mark["until"]) > at;
}

async function putMark(sql: RunSql, id: string, { state, at, until, by, reason }: AlertMark): Promise<void> {
  await sql(
    `INSERT INTO watch_marks VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (alert_id) DO UPDATE SET state = excluded.state,
      at = excluded.at, until = excluded.until, by_whom = excluded.by_whom, reason = excluded.reason`,
    [id, state, at, until, by, reason],
  );
}

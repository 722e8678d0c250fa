import { type SqlRow, StateSession } from "../../store/warehouse/state_session.ts";
import type { KeptCalendar } from "./kept_calendars.ts";
import type { ScheduleMove } from "./schedule.ts";

/** Stored state of an amount that schedules change. */
export interface KeptBase {
  /** Resource kind, for example `sp.keywords`. */
  readonly kind: string;
  /** Id of the entity: digits, exact past 2^53. */
  readonly id: string;
  /** Amount that the schedule changes: bid, budget, state, or the percentage of a placement. */
  readonly move: ScheduleMove;
  /** Name of the schedule that last changed the amount. */
  readonly schedule: string;
  /** Display name of the entity. */
  readonly label: string;
  /** The amount without any schedule, in the account's currency. */
  readonly base: number;
  /** Factor in effect when the amount was last written. */
  readonly factor: number;
  /** Value at the last tick, as read or written. */
  readonly wrote: number;
  /** Value that a tick was about to write and that is not confirmed yet; `null` if there is none. */
  readonly intends: number | null;
  /** Reason why the amount is left unchanged until a person decides; `null` while the schedule changes it. */
  readonly kept: string | null;
}

/** Spend by day and campaign id. */
export type SeenSpend = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Platform rules of a schedule. */
export interface KeptRules {
  /** Last change of a rule, milliseconds since the epoch. */
  readonly changedAt: number;
  /** Content of each rule as last sent, by rule name. */
  readonly contents: ReadonlyMap<string, string>;
  /** Previous rule contents if the result of the last send is unknown; the live rules match one of the two. */
  readonly before?: ReadonlyMap<string, string> | undefined;
}

/** One entry in the history of a base value. */
export interface BaseEvent extends Pick<KeptBase, "kind" | "id" | "move"> {
  /** Time of the entry, ISO 8601. */
  readonly at: string;
  /** Name of the schedule. */
  readonly schedule: string;
  /** The amount without any schedule, in the account's currency. */
  readonly base: number;
  /** Value after the entry was made. */
  readonly wrote: number;
  /** Reason, as text. */
  readonly why: string;
}

const tablesOf = (word: string): readonly string[] => [
  `CREATE TABLE IF NOT EXISTS ${word}_bases (
    profile_id text NOT NULL, kind text NOT NULL, id text NOT NULL, move text NOT NULL,
    schedule text NOT NULL, label text NOT NULL, base double precision NOT NULL, factor double precision NOT NULL,
    wrote double precision NOT NULL, intends double precision, kept text,
    PRIMARY KEY (profile_id, kind, id, move))`,
  `CREATE TABLE IF NOT EXISTS ${word}_history (
    profile_id text NOT NULL, at text NOT NULL, kind text NOT NULL, id text NOT NULL, move text NOT NULL,
    schedule text NOT NULL, base double precision NOT NULL, wrote double precision NOT NULL, why text NOT NULL)`,
  `CREATE INDEX IF NOT EXISTS ${word}_history_of ON ${word}_history (profile_id, kind, id)`,
  `CREATE TABLE IF NOT EXISTS ${word}_rules (
    profile_id text NOT NULL, schedule text NOT NULL, changed_at bigint NOT NULL, contents text NOT NULL,
    PRIMARY KEY (profile_id, schedule))`,
  `CREATE TABLE IF NOT EXISTS ${word}_calendars (
    profile_id text NOT NULL, schedule text NOT NULL, starts text NOT NULL, calendar text NOT NULL,
    PRIMARY KEY (profile_id, schedule, starts))`,
  `CREATE TABLE IF NOT EXISTS ${word}_runs (
    profile_id text NOT NULL, schedule text NOT NULL, state text NOT NULL, at text NOT NULL, note text,
    PRIMARY KEY (profile_id, schedule))`,
  `CREATE TABLE IF NOT EXISTS ${word}_spend (
    profile_id text NOT NULL, day text NOT NULL, id text NOT NULL, cost double precision NOT NULL,
    PRIMARY KEY (profile_id, day, id))`,
  `CREATE TABLE IF NOT EXISTS ${word}_owned (
    profile_id text NOT NULL, id text NOT NULL, owner text NOT NULL, day text NOT NULL, PRIMARY KEY (profile_id, id))`,
];

type StateUse = "schedules" | "pacing";

/**
 * Base values of scheduled amounts, stored next to a store's figures in an SQLite file or PostgreSQL. A tick that is
 * killed leaves its intended writes here, so that the next one can tell its own changes from those of others.
 *
 * @example
 * ```ts
 * import { ScheduleState } from "@platform/ads/schedules";
 *
 * async function bases(profileId: string): Promise<void> {
 *   const state = await ScheduleState.open("ads.sqlite");
 *   console.log(await state.bases(profileId), await state.history(profileId));
 *   await state.close();
 * }
 * ```
 */
export class ScheduleState implements AsyncDisposable {
  readonly #session: StateSession;
  readonly #use: StateUse;

  private constructor(session: StateSession, use: StateUse) {
    this.#session = session;
    this.#use = use;
  }

  get #word(): string {
    return wordOf(this.#use);
  }

  /**
   * Opens the state.
   *
   * @param place Path of the SQLite file of a store, made when it is missing, or `postgres://...`.
   * @param options `use`: the program whose bases they are. @default schedules
   */
  static async open(
    place: string,
    { use = "schedules" }: { readonly use?: StateUse | undefined } = {},
  ): Promise<ScheduleState> {
    const session = await StateSession.open(place, { what: use, tables: tablesOf(wordOf(use)) });
    return new ScheduleState(session, use);
  }

  /** Returns the amounts of a profile that schedules changed and have not restored. */
  async bases(profileId: string): Promise<KeptBase[]> {
    const rows = await this.#session.rows(
      `SELECT * FROM ${this.#word}_bases WHERE profile_id = ? ORDER BY kind, id, move`,
      [profileId],
    );
    return rows.map(baseOf);
  }

  /** Stores base values, and adds a history entry for each whose base or amount differs from the stored one. */
  async keep(
    profileId: string,
    bases: readonly (KeptBase & { readonly why: string })[],
    at: number,
  ): Promise<void> {
    if (bases.length === 0) return;
    await this.#session.transaction(async (sql) => {
      for (const { kind, id, move, schedule, label, base, factor, wrote, intends, kept, why } of bases) {
        const key = [profileId, kind, id, move];
        const [old] = await sql(
          `SELECT base, wrote, kept FROM ${this.#word}_bases WHERE profile_id = ? AND kind = ? AND id = ? AND move = ?`,
          key,
        );
        await sql(
          `INSERT INTO ${this.#word}_bases
            (profile_id, kind, id, move, schedule, label, base, factor, wrote, intends, kept)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          ON CONFLICT (profile_id, kind, id, move) DO UPDATE SET
            schedule = excluded.schedule, label = excluded.label, base = excluded.base, factor = excluded.factor,
            wrote = excluded.wrote, intends = excluded.intends, kept = excluded.kept`,
          [...key, schedule, label, base, factor, wrote, intends, kept],
        );
        if (old !== undefined && old["base"] === base && old["wrote"] === wrote && old["kept"] === kept) {
          continue;
        }
        await sql(`INSERT INTO ${this.#word}_history VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`, [
          profileId,
          new Date(at).toISOString(),
          kind,
          id,
          move,
          schedule,
          base,
          wrote,
          why,
        ]);
      }
    });
  }

  /** Deletes base values that were restored; their history is kept. */
  async forget(
    profileId: string,
    bases: readonly Pick<KeptBase, "kind" | "id" | "move">[],
  ): Promise<void> {
    await this.#session.transaction(async (sql) => {
      for (const { kind, id, move } of bases) {
        await sql(
          `DELETE FROM ${this.#word}_bases WHERE profile_id = ? AND kind = ? AND id = ? AND move = ?`,
          [
            profileId,
            kind,
            id,
            move,
          ],
        );
      }
    });
  }

  /**
   * Returns the history of a profile's base values, newest first.
   *
   * @param options.id Entity of the value. @default all
   * @param options.schedules Names of the schedules that wrote the values. @default all
   */
  async history(
    profileId: string,
    { id, schedules, limit = 100 }: {
      readonly id?: string | undefined;
      readonly schedules?: readonly string[] | undefined;
      readonly limit?: number;
    } = {},
  ): Promise<BaseEvent[]> {
    if (schedules?.length === 0) return [];
    const among = schedules === undefined ? "" : `AND schedule IN (${schedules.map(() => "?").join(", ")})`;
    const rows = await this.#session.rows(
      `SELECT * FROM ${this.#word}_history WHERE profile_id = ? AND (id = ? OR ? = '') ${among}
      ORDER BY at DESC LIMIT ${Math.trunc(limit)}`,
      [profileId, id ?? "", id ?? "", ...schedules ?? []],
    );
    return rows.map((row) => ({
      at: String(row["at"]),
      kind: String(row["kind"]),
      id: String(row["id"]),
      move: row["move"] as ScheduleMove,
      schedule: String(row["schedule"]),
      base: Number(row["base"]),
      wrote: Number(row["wrote"]),
      why: String(row["why"]),
    }));
  }

  /** Returns the stopped schedules of a profile by name, with the time they were stopped. */
  async stopped(profileId: string): Promise<Map<string, string>> {
    const rows = await this.#session.rows(
      `SELECT schedule, at FROM ${this.#word}_runs WHERE profile_id = ? AND state = 'stopped'`,
      [
        profileId,
      ],
    );
    return new Map(rows.map((row) => [String(row["schedule"]), String(row["at"])]));
  }

  /** Marks schedules as running or stopped. */
  async mark(
    profileId: string,
    names: readonly string[],
    { state, at, note = null }: {
      readonly state: "running" | "stopped";
      readonly at: number;
      readonly note?: string | null;
    },
  ): Promise<void> {
    await this.#session.transaction(async (sql) => {
      for (const name of names) {
        await sql(
          `INSERT INTO ${this.#word}_runs VALUES (?, ?, ?, ?, ?)
          ON CONFLICT (profile_id, schedule) DO UPDATE SET state = excluded.state, at = excluded.at, note = excluded.note`,
          [profileId, name, state, new Date(at).toISOString(), note],
        );
      }
    });
  }

  /** Returns the time and outcome of the last tick of each schedule of a profile. */
  async runs(profileId: string): Promise<Map<string, { state: string; at: string; note: string | null }>> {
    const rows = await this.#session.rows(
      `SELECT schedule, state, at, note FROM ${this.#word}_runs WHERE profile_id = ?`,
      [profileId],
    );
    return new Map(rows.map(({ schedule, state, at, note }) => [
      String(schedule),
      { state: String(state), at: String(at), note: note === null ? null : String(note) },
    ]));
  }

  /** Returns the highest spend observed on each day while it was in progress: by day, then by campaign id. */
  async spend(profileId: string): Promise<SeenSpend> {
    const rows = await this.#session.rows(
      `SELECT day, id, cost FROM ${this.#word}_spend WHERE profile_id = ?`,
      [profileId],
    );
    return new Map(
      [...Map.groupBy(rows, ({ day }) => String(day))].map(([day, own]) => [
        day,
        new Map(own.map(({ id, cost }) => [String(id), Number(cost)])),
      ]),
    );
  }

  /** Stores observed spend if it is higher than before, and deletes days before `since`. */
  async keepSpend(
    profileId: string,
    seen: SeenSpend,
    { since }: { readonly since: string },
  ): Promise<void> {
    await this.#session.transaction(async (sql) => {
      await sql(`DELETE FROM ${this.#word}_spend WHERE profile_id = ? AND day < ?`, [profileId, since]);
      for (const [day, own] of seen) {
        for (const [id, cost] of own) {
          await sql(
            `INSERT INTO ${this.#word}_spend AS kept VALUES (?, ?, ?, ?)
            ON CONFLICT (profile_id, day, id) DO UPDATE SET cost = excluded.cost WHERE excluded.cost > kept.cost`,
            [profileId, day, id, cost],
          );
        }
      }
    });
  }

  /** Replaces the stored ids of entities whose amounts a file manages. Each id has the name of its owner. */
  async keepOwned(
    profileId: string,
    owned: ReadonlyMap<string, string>,
    { day }: { readonly day: string },
  ): Promise<void> {
    await this.#session.transaction(async (sql) => {
      await sql(`DELETE FROM ${this.#word}_owned WHERE profile_id = ?`, [profileId]);
      for (const [id, owner] of owned) {
        await sql(`INSERT INTO ${this.#word}_owned VALUES (?, ?, ?, ?)`, [profileId, id, owner, day]);
      }
    });
  }

  /** Returns the owner of each id, for ids stored on or after the given day. */
  async owned(profileId: string, { since }: { readonly since: string }): Promise<Map<string, string>> {
    const rows = await this.#session.rows(
      `SELECT id, owner FROM ${this.#word}_owned WHERE profile_id = ? AND day >= ?`,
      [profileId, since],
    );
    return new Map(rows.map(({ id, owner }) => [String(id), String(owner)]));
  }

  /** Returns platform rules by schedule. */
  async rules(profileId: string): Promise<Map<string, KeptRules>> {
    const rows = await this.#session.rows(
      `SELECT * FROM ${this.#word}_rules WHERE profile_id = ? ORDER BY schedule`,
      [profileId],
    );
    return new Map(rows.map(({ schedule, changed_at, contents }) => {
      const kept = Object.entries(JSON.parse(String(contents)) as Record<string, string | [string, string]>);
      return [String(schedule), {
        changedAt: Number(changed_at),
        contents: new Map(kept.map(([name, one]) => [name, Array.isArray(one) ? one[0] : one])),
        before: new Map(kept.flatMap(([name, one]) => Array.isArray(one) ? [[name, one[1]] as const] : [])),
      }];
    }));
  }

  /** Stores the rules of a schedule; `undefined` deletes them. */
  async keepRules(profileId: string, schedule: string, rules: KeptRules | undefined): Promise<void> {
    await this.#session.transaction(async (sql) => {
      const key = [profileId, schedule];
      await sql(`DELETE FROM ${this.#word}_rules WHERE profile_id = ? AND schedule = ?`, key);
      if (rules === undefined) return;
      await sql(`INSERT INTO ${this.#word}_rules VALUES (?, ?, ?, ?)`, [
        ...key,
        rules.changedAt,
        JSON.stringify(Object.fromEntries(
          [...rules.contents].map(([name, content]) => {
            const before = rules.before?.get(name);
            return [name, before === undefined || before === content ? content : [content, before]];
          }),
        )),
      ]);
    });
  }

  /** Returns the experiment calendars of a profile's schedules, oldest first. */
  async calendars(profileId: string): Promise<KeptCalendar[]> {
    const rows = await this.#session.rows(
      `SELECT calendar FROM ${this.#word}_calendars WHERE profile_id = ? ORDER BY starts, schedule`,
      [
        profileId,
      ],
    );
    return rows.map(({ calendar }) => JSON.parse(String(calendar)) as KeptCalendar);
  }

  /** Stores a calendar, and replaces a stored one of the same schedule that begins on the same day. */
  async keepCalendar(profileId: string, calendar: KeptCalendar): Promise<void> {
    const { schedule: { name }, weeks } = calendar;
    await this.#session.rows(
      `INSERT INTO ${this.#word}_calendars VALUES (?, ?, ?, ?)
        ON CONFLICT (profile_id, schedule, starts) DO UPDATE SET calendar = excluded.calendar`,
      [profileId, name, weeks[0]?.start ?? "", JSON.stringify(calendar)],
    );
  }

  /**
   * Runs a function with an exclusive lock on a profile, across processes. The database's clock decides when a lock is
   * stale.
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

function wordOf(use: StateUse): string {
  return use.replace(/s$/, "");
}

function baseOf(row: SqlRow): KeptBase {
  const text = (name: string): string => String(row[name]);
  return {
    kind: text("kind"),
    id: text("id"),
    move: text("move") as ScheduleMove,
    schedule: text("schedule"),
    label: text("label"),
    base: Number(row["base"]),
    factor: Number(row["factor"]),
    wrote: Number(row["wrote"]),
    intends: row["intends"] === null ? null : Number(row["intends"]),
    kept: row["kept"] === null ? null : text("kept"),
  };
}

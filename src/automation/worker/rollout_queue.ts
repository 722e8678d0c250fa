import { type ApplyRolloutOptions, Rollout, type RolloutEntry } from "../../account/rollout/rollout.ts";
import { nextStage, type Portion } from "../../account/rollout/stages.ts";
import { ConfigurationError } from "../../errors.ts";
import { sha256 } from "../../base/text/sha256.ts";
import { readIfThere } from "../../base/runtime/read_named_file.ts";
import { leftOutOf } from "../../plans/apply/prepare_sending.ts";
import { PlanPlaces } from "../../plans/store/plan_places.ts";
import { type Finding, findingKey } from "../../plans/model/finding.ts";
import type { PlanStore } from "../../plans/store/plan_store.ts";
import {
  approvalBeside,
  leaveToQueue,
  leftToQueue,
  takeBack,
  takeFromQueue,
} from "../../plans/store/queued_plan.ts";
import { PostgresDriver } from "../../store/postgres/postgres_driver.ts";
import { storeError } from "../../store/postgres/postgres_error.ts";
import type { Sql } from "../../store/tables/postgres_sql.ts";
import { queueUtils } from "../../store/queue/queue_utils.ts";
import { QueueJournal } from "./queue_journal.ts";
import { type QueuedPlanState, type QueuedRolloutOptions, RolloutTable } from "./rollout_table.ts";

/** Options for applying a rollout through a queue. */
export interface EnqueueRolloutOptions extends
  Pick<
    ApplyRolloutOptions,
    "serial" | "stopOnFailures" | "checkDrift" | "skipDrifted" | "sendAnyway" | "approvedBy" | "consent"
  > {}

/** A plan on a queue, with its progress. */
export interface QueuedPlan {
  /** Plan id, as accepted by `plan show`. */
  readonly planId: string;
  /** Progress of the plan. */
  readonly state: QueuedPlanState;
  /** Number of the plan's stage, from 1; `null` before that stage is reached. */
  readonly stage: number | null;
  /** Result in counts, or the reason why the plan was not started; `null` before the first attempt. */
  readonly summary: string | null;
}

/** A rollout on a queue, with its progress. */
export interface QueuedRollout {
  /** Id of the rollout; the same plans always give the same id. */
  readonly id: string;
  /** `running`; `stopped` — too many plans of a stage failed; `done` — every plan is finished. */
  readonly state: "running" | "stopped" | "done";
  /** Reason why no more plans are started; `undefined` while the rollout continues. */
  readonly stopped: string | undefined;
  /** Its plans, in order. */
  readonly plans: readonly QueuedPlan[];
}

/**
 * Rollouts on the queue in a store's database: workers on any number of machines apply the plans, and the stages and
 * the failure limit apply across all of them.
 *
 * @example
 * ```ts
 * import { Rollout } from "@platform/ads/account";
 * import { RolloutQueue } from "@platform/ads/worker";
 *
 * async function leaveToWorkers(address: string): Promise<void> {
 *   const queue = await RolloutQueue.open(address);
 *   const rollout = await Rollout.open("./rollout");
 *   await queue.enqueue(rollout, { serial: [1, "10%", "100%"], stopOnFailures: "5%", checkDrift: true });
 *   // Later, and as often as wanted: what is done comes into the folder.
 *   const { state, stopped } = (await queue.collect(rollout))!;
 *   console.log(state, stopped, (await rollout.entries()).length);
 *   await queue.close();
 * }
 * ```
 */
export class RolloutQueue {
  readonly #driver: PostgresDriver;
  readonly #table: RolloutTable;

  /**
   * Creates the queue in an open store whose tables exist.
   *
   * @internal
   */
  constructor(driver: PostgresDriver) {
    this.#driver = driver;
    this.#table = new RolloutTable(driver.database);
  }

  /**
   * Opens the queue; creates its tables if they do not exist.
   *
   * @param address `postgres://USER:PASSWORD@HOST:PORT/DATABASE`.
   * @throws {ConfigurationError} or {@linkcode StoreError} when the database cannot be used.
   */
  static async open(address: string): Promise<RolloutQueue> {
    const driver = await PostgresDriver.open(address);
    try {
      const utils = await queueUtils(driver.database);
      await utils.release();
      return new RolloutQueue(driver);
    } catch (error) {
      await driver.close();
      throw storeError(error, driver.location);
    }
  }

  /** Location of the database, without secrets. */
  get location(): string {
    return this.#driver.location;
  }

  /**
   * Puts the open plans of a rollout on the queue, or resumes a stopped rollout. From then on, its plans cannot be
   * applied from the folder.
   *
   * @throws {ConfigurationError} when a plan was begun from the folder and is not over, is on another queue, or a portion
   * cannot be used. Nothing is put on the queue then.
   */
  async enqueue(rollout: Rollout, options: EnqueueRolloutOptions = {}): Promise<QueuedRollout> {
    const settings = settingsOf(options);
    rollout.ensureNotUndone();
    const entries = await rollout.entries();
    const cutOff = entries.find(({ state }) => state === "unfinished");
    if (cutOff !== undefined) {
      throw new ConfigurationError(
        `Cannot queue the rollout: plan ${cutOff.plan.id} was started from the folder. Finish it first: ` +
          "resumePlan()",
      );
    }
    // Throws for portions that cannot be used.
    nextStage(entries.map(({ plan: { id } }) => ({ id, state: "open" })), settings);
    const id = rolloutId(rollout);
    const { store } = rollout;
    const rows = await Promise.all(entries.map((entry) => rowOf(entry, { store, options })));
    await this.#left(rollout);
    try {
      await this.#insert(rollout, settings);
      await this.#table.locked(id, async (sql) => {
        // Within the lock: it may have been withdrawn, and undone, since it was read. Undoing marks the rollout before it
        // looks for plans on a queue; this looks for the mark once more after it has put them there.
        const ensureNotUndone = async () => (await Rollout.open(rollout.folder)).ensureNotUndone();
        await ensureNotUndone();
        for (const { plan, state } of entries) {
          if (state === "open" || state === "queued") await leaveToQueue(store, plan, this.location);
        }
        await ensureNotUndone();
        await sql`
          UPDATE rollouts SET options = ${JSON.stringify(settings)}::json, state = 'running', stopped = NULL,
            changed_at = now() WHERE id = ${id}`;
        for (const [place, row] of rows.entries()) {
          // Only now, when other plans see that workers may send this one.
          const putBack = await store.putBackCalls(row.entry.plan);
          await putPlan(sql, { id, place, row, putBack });
        }
        await this.#table.advance(sql, id);
      });
    } catch (error) {
      throw storeError(error, this.location);
    }
    const queued = await this.#read(id);
    if (queued === undefined) throw new ConfigurationError(`Cannot find rollout ${id} on the queue`);
    return queued;
  }

  /** Reads the progress of a rollout; `undefined` when it is not on this queue. */
  status(rollout: Rollout): Promise<QueuedRollout | undefined> {
    return this.#read(rolloutId(rollout));
  }

  /**
   * Copies the workers' results to the folder of the rollout: journals, results, and the plans that undo them.
   *
   * @returns how far it got; `undefined` when it is not on this queue.
   */
  async collect(rollout: Rollout): Promise<QueuedRollout | undefined> {
    const queued = await this.status(rollout);
    const { store } = rollout;
    for (const { planId, state } of queued?.plans ?? []) {
      if (state !== "done" && state !== "failed") continue;
      // Unfinished is what an earlier collection, which was cut off, has left.
      const inFolder = (await store.status(planId)).state;
      if (inFolder !== "queued" && inFolder !== "unfinished") continue;
      const [row] = await this.#driver.database.sql`
        SELECT result, rollback_id, rollback FROM rollout_plans WHERE plan_id = ${planId}`;
      const rollback = row?.["rollback"];
      await takeFromQueue(store, planId, {
        journal: await new QueueJournal(this.#driver.database.sql, planId).read(),
        result: String(row?.["result"]),
        rollback: typeof rollback === "string"
          ? { id: String(row?.["rollback_id"]), text: rollback }
          : undefined,
      });
    }
    return queued;
  }

  /**
   * Takes a rollout off the queue, so that it can be undone or applied from its folder. No more plans are started.
   * Plans that were not started are removed from the queue and open in the folder; for all other plans, results and
   * journals are in the folder.
   *
   * @throws {ConfigurationError} with the ids of plans that workers are applying: the rollout is stopped, and can be
   * withdrawn once they have ended. Also when its plans are on another queue.
   *
   * @example
   * ```ts
   * import type { PlatformAds } from "@platform/ads";
   * import { Rollout } from "@platform/ads/account";
   * import { RolloutQueue } from "@platform/ads/worker";
   *
   * async function back(ads: PlatformAds, address: string): Promise<void> {
   *   const queue = await RolloutQueue.open(address);
   *   const rollout = await Rollout.open("./rollout");
   *   await queue.withdraw(rollout);
   *   await queue.close();
   *   const clientOf = ({ profileId, countryCode }: { profileId: string; countryCode: string }) =>
   *     ads.profileFrom(profileId, countryCode);
   *   await (await rollout.rollback(clientOf)).apply(clientOf, { checkDrift: true });
   * }
   * ```
   */
  async withdraw(rollout: Rollout): Promise<void> {
    if ((await this.#left(rollout)).size === 0) return;
    const id = rolloutId(rollout);
    const { store } = rollout;
    // Also of a rollout whose plans were left to the queue by a program that died before it put them there.
    await this.#insert(rollout, settingsOf({}));
    const { running, cutOff, left } = await this.#table.locked(id, async (sql) => {
      // Within the lock: what is left to the queue after this is not taken back from it.
      const left = await this.#left(rollout);
      return { ...await this.#table.withdraw(sql, id), left };
    }).catch((error) => {
      throw storeError(error, this.location);
    });
    if (running.length > 0) {
      const names = running.join(", ");
      throw new ConfigurationError(
        `Cannot take the rollout off the queue: workers are applying ${names}. No further plan will start; try ` +
          "again when they have ended",
      );
    }
    const over = new Set((await this.collect(rollout))?.plans.map(({ planId }) => planId));
    for (const [planId, attempt] of left) {
      const journal = cutOff.get(planId);
      if (journal !== undefined || !over.has(planId)) await takeBack(store, planId, { attempt, journal });
    }
  }

  /** Closes the connections. */
  async close(): Promise<void> {
    await this.#driver.close();
  }

  async #insert(rollout: Rollout, settings: QueuedRolloutOptions): Promise<void> {
    await this.#driver.database.sql`
      INSERT INTO rollouts (id, note, options, state)
      VALUES (${rolloutId(rollout)}, ${rollout.data.note}, ${JSON.stringify(settings)}::json, 'running')
      ON CONFLICT DO NOTHING`;
  }

  async #left({ store, data }: Rollout): Promise<Map<string, string | undefined>> {
    const found = new Map<string, string | undefined>();
    for (const { plan_id: id } of data.plans) {
      const left = await leftToQueue(store, id);
      if (left === undefined) continue;
      if (left.where !== this.location) {
        throw new ConfigurationError(
          `Cannot use this queue (${this.location}): plan ${id} is queued at ${left.where}. Use that queue`,
        );
      }
      found.set(id, left.attempt);
    }
    return found;
  }

  async #read(id: string): Promise<QueuedRollout | undefined> {
    const { sql } = this.#driver.database;
    try {
      const [row] = await sql`SELECT state, stopped FROM rollouts WHERE id = ${id}`;
      if (row === undefined) return undefined;
      const plans = await sql`
        SELECT plan_id, state, stage, summary FROM rollout_plans WHERE rollout_id = ${id} ORDER BY place`;
      const stopped = row["stopped"];
      return {
        id,
        state: oneOf(["running", "stopped", "done"], row["state"]),
        stopped: typeof stopped === "string" ? stopped : undefined,
        plans: plans.map(({ plan_id, state, stage, summary }) => ({
          planId: String(plan_id),
          state: oneOf(STATES, state),
          stage: typeof stage === "number" ? stage : null,
          summary: typeof summary === "string" ? summary : null,
        })),
      };
    } catch (error) {
      throw storeError(error, this.location);
    }
  }
}

const STATES: readonly QueuedPlanState[] = [
  "open",
  "queued",
  "running",
  "done",
  "failed",
  "unfinished",
  "not_begun",
  "refused",
];

interface PlanRow {
  readonly entry: RolloutEntry;
  readonly text: string;
  readonly approvedBy: string | null;
  readonly approval: Readonly<Record<string, unknown>>;
  /** Result from the folder if it failed there, because of changes that were shown as left out. */
  readonly result: string | null;
}

async function rowOf(
  entry: RolloutEntry,
  { store, options }: { store: PlanStore; options: EnqueueRolloutOptions },
): Promise<PlanRow> {
  const { plan } = entry;
  const consent = options.consent?.(plan);
  const approval = consent?.approval ?? await approvalBeside(store, plan.id);
  // What was accepted travels with the approval: new findings of a worker are not approved.
  const accepted = (consent?.accepted ?? plan.findings.filter(({ level }) => level === "approve")).map(
    findingKey,
  );
  return {
    entry,
    text: plan.toJson(),
    approvedBy: consent?.approvedBy ?? options.approvedBy?.(plan) ?? null,
    approval: {
      accepted,
      approval: approval ?? null,
      left_out: consent === undefined ? null : leftOutOf(consent.reviewed),
    },
    result: entry.onlyLeftOut === true
      ? await readIfThere(new PlanPlaces(store.path).result(plan.id)) ?? null
      : null,
  };
}

async function putPlan(
  sql: Sql,
  { id, place, row: { entry, text, approvedBy, approval, result }, putBack }: {
    id: string;
    place: number;
    row: PlanRow;
    putBack: readonly Finding[];
  },
): Promise<void> {
  const { plan: { id: planId, profileId, countryCode, fingerprint }, state, summary } = entry;
  const own = state === "open" || state === "queued" ? "open" : state === "undone" ? "done" : state;
  await sql`
    INSERT INTO rollout_plans (
      plan_id, rollout_id, place, profile_id, country_code, fingerprint, plan, approved_by, approval, state, summary,
      result
    ) VALUES (
      ${planId}, ${id}, ${place}, ${profileId}, ${countryCode}, ${fingerprint}, ${text}, ${approvedBy},
      ${JSON.stringify({ ...approval, put_back: putBack })},
      ${own}, ${summary ?? null}, ${result}
    )
    ON CONFLICT (plan_id) DO UPDATE SET approved_by = excluded.approved_by, approval = excluded.approval,
      state = CASE WHEN rollout_plans.state IN ('not_begun', 'unfinished') THEN 'open' ELSE rollout_plans.state END`;
}

function settingsOf(options: EnqueueRolloutOptions): QueuedRolloutOptions {
  const serial: readonly Portion[] = options.serial ?? ["100%"];
  return {
    serial,
    stopOnFailures: options.stopOnFailures ?? 0,
    checkDrift: options.checkDrift ?? false,
    skipDrifted: options.skipDrifted ?? false,
    sendAnyway: options.sendAnyway ?? false,
  };
}

function rolloutId({ data: { created_at, plans } }: Rollout): string {
  const ids = plans.map(({ plan_id, fingerprint }) => `${plan_id} ${fingerprint}`);
  return sha256([created_at, ...ids].join("\n")).slice(0, 16);
}

function oneOf<Word extends string>(words: readonly Word[], found: unknown): Word {
  const word = words.find((one) => one === found);
  if (word === undefined) throw new ConfigurationError(`Cannot read the queue: "${found}" is not known here`);
  return word;
}

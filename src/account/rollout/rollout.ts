import { AuthError, ConfigurationError } from "../../errors.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import { ask, type Consent } from "../../plans/review/ask.ts";
import { judgeStored } from "../../plans/store/judge_stored.ts";
import type { ChangePlan } from "../../plans/change_plan/change_plan.ts";
import { PlanStore, type PlanStoreOptions, type StoreApplyOptions } from "../../plans/store/plan_store.ts";
import { findingKey } from "../../plans/model/finding.ts";
import type { PlanTarget } from "../../plans/model/plan_target.ts";
import { PlanPlaces } from "../../plans/store/plan_places.ts";
import { readIfThere } from "../../base/runtime/read_named_file.ts";
import { undoId } from "../../plans/change_plan/inverse.ts";
import type { PlanStatus } from "../../plans/store/plan_status.ts";
import { lastUndo, undoStatus } from "../../plans/store/undo_chain.ts";
import { planToUndo, withUndone } from "../../plans/store/undone_plans.ts";
import { newRollout, type NewRolloutOptions } from "./new_rollout.ts";
import {
  isRollout,
  placeOf,
  type ProfileWithoutPlan,
  readRollout,
  type RolloutData,
  writeRollout,
} from "./rollout_file.ts";
import {
  hasSucceeded,
  isOnlyLeftOut,
  type NextStage,
  nextStage,
  type Portion,
  type StagedPlan,
} from "./stages.ts";

/** The plan of one profile, and its progress. */
export interface RolloutEntry {
  /** The plan, as it was reviewed. */
  readonly plan: ChangePlan;
  /**
   * `open` — not started; `queued` — handed over to the workers of a queue; `unfinished` — started and interrupted;
   * `done` — every change was accepted; `failed` — applied, but some changes were not accepted; `refused` — a person
   * refused it; `undone` — its rollback was started or is done.
   */
  readonly state: "open" | "queued" | "unfinished" | "done" | "failed" | "refused" | "undone";
  /** Counts of the result if the plan was applied; the reason if it has just failed. */
  readonly summary?: string | undefined;
  /** True for a failed plan whose only failures are changes that its reviewer was shown as left out. */
  readonly onlyLeftOut?: boolean | undefined;
  /**
   * The plan that made the changes again after they were undone; undoing it puts them back.
   *
   * @internal
   */
  readonly redoneBy?: ChangePlan | undefined;
}

/** Stages, limits and approvals for {@linkcode Rollout.apply}. */
export interface ApplyRolloutOptions
  extends Pick<StoreApplyOptions, "checkDrift" | "skipDrifted" | "sendAnyway" | "signal" | "stop"> {
  /** Sizes of the stages; the last size is repeated. @default ["100%"] */
  readonly serial?: readonly Portion[] | undefined;
  /** Maximum number or percentage of failed plans in a stage; once exceeded, no more plans are started. @default 0 */
  readonly stopOnFailures?: Portion | undefined;
  /** Plans that are applied at the same time. @default 4 */
  readonly concurrency?: number | undefined;
  /**
   * Returns the name of the person who approved a plan after seeing its findings. Plans that need approval, by a
   * policy or by the default warnings, are not sent without a name.
   */
  readonly approvedBy?: ((plan: ChangePlan) => string | undefined) | undefined;
  /**
   * Returns the approval of a plan from a current review; replaces `approvedBy` and the findings in the plan.
   *
   * @internal
   */
  readonly consent?: ((plan: ChangePlan) => Consent | undefined) | undefined;
  /**
   * Called with each plan when it is started, and the number of its stage.
   *
   * @internal
   */
  readonly onBegin?: ((plan: ChangePlan, stage: number) => void | Promise<void>) | undefined;
  /** Called with each plan once it is done or failed, and the number of its stage, from 1. */
  readonly onPlan?: ((entry: RolloutEntry, stage: number) => void | Promise<void>) | undefined;
}

/** State of every plan after a run of a rollout. */
export interface RolloutResult {
  /** Every plan, in order. */
  readonly entries: readonly RolloutEntry[];
  /** True when every plan is done. */
  readonly ok: boolean;
  /** Reason for stopping early; `undefined` if every plan was started. */
  readonly stopped: string | undefined;
}

interface Undo {
  readonly undo: ChangePlan;
  readonly original: ChangePlan | undefined;
}

const CONCURRENCY = 4;

/**
 * One plan per profile, reviewed together and applied in stages; a stage starts only if the previous one
 * succeeded. A rollout is a folder of plans with an index file; applying it again resumes it, even after a
 * crash.
 *
 * @example
 * ```ts
 * import type { ChangePlan, PlatformAds } from "@platform/ads";
 * import { Rollout } from "@platform/ads/account";
 *
 * async function everywhere(ads: PlatformAds, plans: ChangePlan[]): Promise<void> {
 *   const rollout = await Rollout.create("./rollout", plans, { note: "Spring" });
 *   const { ok, stopped } = await rollout.apply(
 *     ({ profileId, countryCode }) => ads.profileFrom(profileId, countryCode),
 *     { serial: [1, "10%", "100%"], stopOnFailures: "5%", checkDrift: true },
 *   );
 *   console.log(ok, stopped);
 * }
 * ```
 */
export class Rollout {
  /** Path of the folder. */
  readonly folder: string;
  /** Contents of the rollout. */
  readonly data: RolloutData;
  /**
   * Plans of the folder.
   *
   * @internal
   */
  readonly store: PlanStore;
  readonly #options: PlanStoreOptions;
  readonly #undoes: ReadonlyMap<string, Undo> | undefined;

  private constructor(
    folder: string,
    data: RolloutData,
    options: PlanStoreOptions,
    undoes?: ReadonlyMap<string, Undo>,
  ) {
    this.folder = folder;
    this.data = data;
    this.#options = options;
    this.#undoes = undoes;
    this.store = PlanStore.open(folder, options);
  }

  /**
   * Saves plans as a rollout. Leaves out empty plans and plans of held-back profiles.
   *
   * @throws {ConfigurationError} when the folder holds a rollout already, or two plans are for one profile.
   * @throws {RangeError} when there are too few profiles to hold some back.
   */
  static async create(
    folder: string,
    plans: readonly ChangePlan[],
    options: NewRolloutOptions = {},
  ): Promise<Rollout> {
    if (await isRollout(folder)) {
      throw new ConfigurationError(
        `Cannot make a rollout in "${folder}": it holds one already. Choose another folder`,
      );
    }
    const { data, sent } = newRollout(plans, options);
    const rollout = new Rollout(folder, data, options);
    for (const plan of sent) await rollout.store.save(plan);
    // Last: a folder with this file has every plan.
    await writeRollout(folder, data);
    return rollout;
  }

  /**
   * Opens the rollout of a folder.
   *
   * @throws {ConfigurationError} when the folder holds none.
   */
  static async open(
    folder: string,
    options: PlanStoreOptions = {},
  ): Promise<Rollout> {
    return new Rollout(folder, await readRollout(folder), options);
  }

  /**
   * Returns every plan with its progress, in the order of application.
   *
   * @throws {ConfigurationError} when a plan is missing, or is not the one that the rollout was made with.
   */
  async entries(): Promise<RolloutEntry[]> {
    const plans: ChangePlan[] = [];
    for (const { plan_id: id, fingerprint } of this.data.plans) {
      const plan = this.#undoes?.get(id)?.undo ?? await this.store.get(id);
      if (plan.fingerprint !== fingerprint) {
        throw new ConfigurationError(
          `Cannot use the rollout: plan ${id} is not the plan that the rollout was made with`,
        );
      }
      plans.push(plan);
    }
    const listed = await this.#listed(plans);
    const entries: RolloutEntry[] = [];
    for (const plan of plans) entries.push(await this.#entry(plan, listed.get(plan.id)));
    return entries;
  }

  /** Statuses as lists show them; none while no undo was applied. */
  async #listed(plans: readonly ChangePlan[]): Promise<ReadonlyMap<string, PlanStatus>> {
    const states = await Promise.all(plans.map(({ id }) => this.store.status(id)));
    if (!states.some((one) => one.state === "applied" && one.undone !== undefined)) return new Map();
    const ids = new Set(plans.map(({ id }) => id));
    const [list = []] = await withUndone([
      await this.store.list(({ id, reverses }) => reverses !== null || ids.has(id)),
    ]);
    return new Map(list.flatMap((one) => "status" in one ? [[one.id, one.status]] : []));
  }

  /**
   * Creates the rollout that undoes the applied part of this one. It is applied in stages and resumed like any other,
   * from the same folder. Nothing is sent or discarded until it is applied; from then on, this rollout cannot be
   * applied again.
   *
   * @param clientOf The client of a plan's profile.
   * @throws {ConfigurationError} when plans are on a queue, or a plan cannot be used.
   *
   * @example
   * ```ts
   * import type { PlatformAds } from "@platform/ads";
   * import { Rollout } from "@platform/ads/account";
   *
   * async function back(ads: PlatformAds): Promise<void> {
   *   const clientOf = ({ profileId, countryCode }: { profileId: string; countryCode: string }) =>
   *     ads.profileFrom(profileId, countryCode);
   *   const undo = await (await Rollout.open("./rollout")).rollback(clientOf);
   *   const { ok } = await undo.apply(clientOf, { serial: [1, "100%"], checkDrift: true });
   *   console.log(ok, undo.data.plans.length);
   * }
   * ```
   */
  async rollback(
    clientOf: (plan: ChangePlan) => PlanTarget,
    options: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<Rollout> {
    await this.#ensureNotQueued();
    const entries = await this.entries();
    const undoes = new Map<string, Undo>();
    const leftOut: ProfileWithoutPlan[] = [];
    for (const { plan, state, redoneBy } of entries) {
      const found = state === "open" || state === "refused"
        ? undefined
        : await this.#undoOf(redoneBy ?? plan, clientOf(plan), options);
      if (found !== undefined && found.undo.changes.length > 0) undoes.set(found.undo.id, found);
      else {
        const { profileId: profile_id, countryCode: country_code } = plan;
        leftOut.push({ profile_id, country_code, reason: "Nothing to undo" });
      }
    }
    const names = new Map(this.data.plans.map((one) => [one.profile_id, one.account_name]));
    const data: RolloutData = {
      ...this.data,
      plans: [...undoes.values()].map(({ undo }) => placeOf(undo, names)),
      left_out: leftOut,
      unreachable: [],
    };
    return new Rollout(this.folder, data, this.#options, undoes);
  }

  /**
   * Throws if the rollout was undone, so that it is not applied again.
   *
   * @throws {ConfigurationError} with the time of the rollback.
   */
  ensureNotUndone(): void {
    this.#ensureNotUndone(this.data);
  }

  #ensureNotUndone({ undone_at: at }: RolloutData): void {
    if (typeof at !== "string" || this.#undoes !== undefined) return;
    throw new ConfigurationError(
      `Cannot apply the rollout: its undo was started at ${at}. undo() of "${this.folder}" continues it`,
    );
  }

  /**
   * Applies the remaining plans, stage by stage: interrupted plans are resumed, and nothing is sent twice. Failures of
   * earlier runs count in their stage.
   *
   * @param clientOf The client of a plan's profile.
   * @throws {ConfigurationError} before anything is sent, when the rollout or a portion cannot be used.
   * @throws {AuthError} when the login fails; plans that were begun stay as they are.
   */
  async apply(
    clientOf: (plan: ChangePlan) => ProfileClient,
    options: ApplyRolloutOptions = {},
  ): Promise<RolloutResult> {
    const { serial = ["100%"], stopOnFailures = 0, concurrency = CONCURRENCY, onPlan } = options;
    this.ensureNotUndone();
    const results = new Map((await this.entries()).map((entry) => [entry.plan.id, entry]));
    // What was tried and not begun is open, and counts as failed until the rollout is applied again.
    const tried = new Set<string>();
    const decide = (): NextStage =>
      nextStage([...results.values()].map((entry) => staged(entry, tried)), {
        serial,
        stopOnFailures,
      });
    const errors: unknown[] = [];
    const isStopped = (): boolean =>
      errors.length > 0 || options.stop?.aborted === true || options.signal?.aborted === true;
    let next = decide();
    if (this.#undoes !== undefined && next.open.length > 0) {
      await this.#markUndone();
      // From now on none can be put on a queue.
      await this.#ensureNotQueued();
    }
    for (; next.open.length > 0 && !isStopped(); next = decide()) {
      const { stage } = next;
      const takeOne = async (): Promise<void> => {
        while (!isStopped()) {
          const now = decide();
          const id = now.stage === stage ? now.open.find((one) => !running.has(one)) : undefined;
          const before = id === undefined ? undefined : results.get(id);
          if (id === undefined || before === undefined) return;
          running.add(id);
          // Another process may have started its undo since.
          this.#ensureNotUndone(await readRollout(this.folder));
          if (isStopped()) return;
          await options.onBegin?.(before.plan, stage);
          const entry = await this.#applyOne(before, clientOf(before.plan), options);
          tried.add(id);
          results.set(id, entry);
          await onPlan?.(entry, stage);
        }
      };
      const running = new Set<string>();
      const workers = Array.from({ length: Math.max(1, concurrency) }, takeOne);
      // After an error no plan is begun, and those that are being sent are finished.
      await Promise.all(workers.map((worker) => worker.catch((error) => errors.push(error))));
    }
    if (errors.length > 0) throw errors[0];
    const entries = [...results.values()];
    const ok = entries.every(({ state }) => state === "done");
    return { entries, ok, stopped: isStopped() && !ok ? "It was interrupted" : next.stopped };
  }

  async #applyOne(
    before: RolloutEntry,
    client: ProfileClient,
    options: ApplyRolloutOptions,
  ): Promise<RolloutEntry> {
    const { plan } = before;
    const { checkDrift, skipDrifted, sendAnyway, signal, stop } = options;
    try {
      const consent = options.consent?.(plan) ?? await this.#consent(before, client, options);
      const settings = { checkDrift, skipDrifted, sendAnyway, signal, stop, ...consent };
      if (before.state === "unfinished") await this.store.resume(plan, client, settings);
      else await this.#giveUp(plan, client, options);
      if (before.state !== "unfinished") await this.store.apply(plan, client, settings);
      return await this.#entry(plan);
    } catch (error) {
      if (error instanceof AuthError) throw error;
      const summary = error instanceof Error ? error.message : String(error);
      // What was not begun can be applied once its reason is gone.
      const { state } = await this.#entry(plan);
      return { plan, state, summary };
    }
  }

  /**
   * Returns the consent for a plan. An approval by name covers only the plan's original content, not later findings.
   */
  async #consent(
    { plan }: RolloutEntry,
    client: ProfileClient,
    { approvedBy, checkDrift, skipDrifted, sendAnyway, signal }: ApplyRolloutOptions,
  ): Promise<Omit<Consent, "approval">> {
    const how = { checkDrift, skipDrifted, sendAnyway, signal };
    const review = await judgeStored(plan, client, { store: this.store, ...how });
    const by = approvedBy?.(plan);
    const said = plan.findings.filter(({ level }) => level === "approve").map(findingKey);
    const { approval: _, ...consent } = await ask(review, {
      by: by ?? "nobody",
      may: by === undefined ? "nothing" : "policy",
      // A plan that undoes another is made without a review.
      ...(plan.reverses === null ? { accepted: said } : {}),
      hint: () => "Review the findings, and pass approvedBy with the reviewer's name",
    });
    return { ...consent, approvedBy: by };
  }

  async #giveUp(plan: ChangePlan, client: PlanTarget, { signal }: ApplyRolloutOptions): Promise<void> {
    const original = this.#undoes?.get(plan.id)?.original;
    if (original === undefined) return;
    const { rollback } = await this.store.abandon(original, client, { signal });
    if (rollback?.fingerprint === plan.fingerprint) return;
    throw new ConfigurationError(
      `Cannot undo plan ${original.id}: its applied part differs from the one shown. Undo the rollout again`,
    );
  }

  async #undoOf(
    plan: ChangePlan,
    client: PlanTarget,
    options: { readonly signal?: AbortSignal | undefined },
  ): Promise<Undo> {
    const { state, plan: begun } = await lastUndo(undoId(plan.id), this.store);
    if (begun !== undefined) return { undo: begun, original: state === "open" ? plan : undefined };
    const undo = (await this.store.look(plan, client, options)).rollbackPlan();
    return { undo, original: plan };
  }

  async #markUndone(): Promise<void> {
    const data = await readRollout(this.folder);
    if (typeof data.undone_at === "string") return;
    await writeRollout(this.folder, {
      ...data,
      undone_at: new Date((this.#options.now ?? Date.now)()).toISOString(),
    });
  }

  async #ensureNotQueued(): Promise<void> {
    const { plans } = await readRollout(this.folder);
    const states = await Promise.all(plans.map(({ plan_id: id }) => this.store.status(id)));
    const queued = states.filter(({ state }) => state === "queued").length;
    if (queued === 0) return;
    throw new ConfigurationError(
      `Cannot undo the rollout: ${queued} of its plans are on a queue. RolloutQueue.withdraw() of ` +
        `"${this.folder}" removes them`,
    );
  }

  async #entry(plan: ChangePlan, listed?: PlanStatus): Promise<RolloutEntry> {
    const { id, undone: ended } = await undoStatus(plan.id, new PlanPlaces(this.folder));
    const isListed = ended !== undefined && listed?.state === "applied";
    const toUndo = isListed ? await planToUndo(plan.id, listed, (undo) => this.store.find(undo)) : plan.id;
    const own = { plan, ...(toUndo === plan.id ? {} : { redoneBy: (await this.store.find(toUndo))?.plan }) };
    const by = isListed ? listed.undone?.by ?? listed.rollbackPlanId : ended?.by ?? id;
    const undone = by === undefined ? undefined : await this.store.status(by);
    if (undone?.state === "unfinished") {
      return { ...own, state: "undone", summary: "its undo was interrupted" };
    }
    if (undone?.state === "applied") return { ...own, state: "undone", summary: undone.summary };
    const status = await this.store.status(plan.id);
    if (status.state !== "applied") return { ...own, state: status.state };
    const { ok, summary, isCutOff } = status;
    if (ok) return { ...own, state: "done", summary };
    if (isCutOff) return { ...own, state: "unfinished", summary };
    return { ...own, state: "failed", summary, onlyLeftOut: isOnlyLeftOut(await this.#result(plan.id)) };
  }

  async #result(id: string): Promise<unknown> {
    const text = await readIfThere(new PlanPlaces(this.folder).result(id));
    return text === undefined ? undefined : JSON.parse(text);
  }
}

function staged(entry: RolloutEntry, tried: ReadonlySet<string>): StagedPlan {
  const { plan: { id }, state } = entry;
  if (hasSucceeded(entry)) return { id, state: "over" };
  if (state === "failed" || tried.has(id)) return { id, state: "failed" };
  return { id, state: state === "open" || state === "unfinished" ? "open" : "over" };
}

import { marketOf } from "../../base/markets/markets.ts";
import { addDays, dayIn } from "../../base/time/calendar.ts";
import type { ChangedPart, LastChanges } from "../model/amount_changes.ts";
import type { Change, Evidence } from "../model/change.ts";
import type { HeldElsewhere, HoldBack } from "../model/experiment.ts";
import { type Finding, unsentChanges } from "../model/finding.ts";
import { type ChangePlanFields, type MoneyAtRisk, NO_NAMES, type PlanNames } from "../model/plan_data.ts";
import type { PlanTarget } from "../model/plan_target.ts";
import { isCampaignKind, isPlaceKind, Unread } from "../model/prior_state.ts";
import type { JudgeablePlan, ReviewContext, WritePolicy } from "../model/write_policy.ts";
import { AccountReading } from "../state/account_reading.ts";
import { readAccountScale } from "../state/account_scale.ts";
import { ownBid } from "../state/amounts.ts";
import { changesAsSent } from "../state/changes_as_sent.ts";
import { withCopies } from "../state/copy_steps.ts";
import type { SentWrite } from "../state/day_ledger.ts";
import { namesNow, withNames } from "../state/names.ts";
import { planState, type Step } from "../state/plan_state.ts";
import { readPriorState } from "../state/read_prior_state.ts";
import { restores } from "../state/sent_record.ts";
import { type BidResponse, type BidResponseSource, changesBid } from "./bid_response.ts";
import { changeFindings, DEFAULT_CODES, planFindings } from "./default_findings.ts";
import { type EntityFigures, MoneySum } from "./estimate_money.ts";
import { evidenceOf } from "./evidence_of.ts";
import { figureEntities, type FiguresSource, MONEY_DAYS } from "./figures_source.ts";
import { type KeptPart, keptPart } from "./hold_back.ts";
import { portfolioCaps } from "./portfolio_caps.ts";
import { readLastChanges, type ScheduledSource } from "./read_last_changes.ts";

const PARTS: readonly ChangedPart[] = ["bid", "budget", "state"];

class WeighedFigures {
  readonly #client: PlanTarget;
  readonly #today: string;
  readonly #source: FiguresSource | undefined;
  readonly #scheduled: ScheduledSource | undefined;
  readonly #signal: AbortSignal | undefined;
  #changes: LastChanges | undefined;

  constructor(client: PlanTarget, { today, figures, changes, scheduled, signal }: {
    readonly today: string;
    readonly figures?: FiguresSource | undefined;
    readonly changes?: LastChanges | undefined;
    readonly scheduled?: ScheduledSource | undefined;
    readonly signal?: AbortSignal | undefined;
  }) {
    this.#client = client;
    this.#today = today;
    this.#source = figures;
    this.#changes = changes;
    this.#scheduled = scheduled;
    this.#signal = signal;
  }

  get unread(): string | undefined {
    return this.#changes?.unread;
  }

  async of(steps: readonly Step[]): Promise<ReadonlyMap<string, EntityFigures> | undefined> {
    const request = { profileId: this.#client.profileId, today: this.#today };
    const found = await this.#source?.({
      ...request,
      get entities() {
        return figureEntities(steps);
      },
    });
    if (this.#source === undefined || found === undefined || found.size === 0) return found;
    // The history is read only where there are figures that it can make stale.
    this.#changes ??= await readLastChanges(this.#client, {
      since: addDays(this.#today, -MONEY_DAYS),
      scheduled: this.#scheduled,
      signal: this.#signal,
    });
    const changedOn = lastDays(steps, this.#changes);
    const entities = figureEntities(steps).filter(({ id }) => changedOn.has(id));
    if (entities.length === 0) return found;
    return new Map([...found, ...await this.#source({ ...request, changedOn, entities })]);
  }
}

function lastDays(steps: readonly Step[], changes: LastChanges): Map<string, string> {
  const days = new Map<string, string>();
  const add = (id: string, found: readonly (string | undefined)[]): void => {
    const last = found.filter((day) => day !== undefined).sort().at(-1);
    if (last !== undefined) days.set(id, last);
  };
  for (const { change: { kind, id }, before, campaign, adGroup } of steps) {
    if (id === null) continue;
    const inherits = before !== undefined && !(before instanceof Unread) &&
      ownBid(kind, before) === undefined;
    const bidOf = inherits ? idOf(adGroup) : undefined;
    add(id, [changes.dayOf(id, PARTS), bidOf === undefined ? undefined : changes.dayOf(bidOf, ["bid"])]);
    const campaignId = idOf(campaign);
    if (campaignId !== undefined) add(campaignId, [changes.dayOf(campaignId, PARTS)]);
  }
  return days;
}

function idOf(place: Step["campaign"]): string | undefined {
  return place instanceof Unread ? undefined : place?.id;
}

/** Review of a plan before it is sent. */
export interface PlanReview {
  /** Findings of the default warnings, and of the policy if there is one. */
  readonly findings: readonly Finding[];
  /** Possible change in daily spend. */
  readonly money: MoneyAtRisk;
  /** Figures of the changed entities, by the position of the change in the plan; only for those that the store has. */
  readonly evidence?: ReadonlyMap<number, Evidence> | undefined;
  /** Names of the campaigns and ad groups of the changed entities. */
  readonly names?: PlanNames | undefined;
  /** Rest of the plan, without changes that are held back by this plan or by another one. */
  readonly kept?: KeptPart | undefined;
  /** Time of the reviewed account copy, ISO 8601; absent for the real account. */
  readonly rehearsal?: string | undefined;
  /** True if the policy accepts an unsigned approval reported by a client. */
  readonly takesClient?: boolean;
}

/** Sources of a review. */
export interface ReviewOptions {
  /** Policy that judges in addition to the default warnings. */
  readonly policy?: WritePolicy | undefined;
  /** Figures of entities by id. @default none: bids cannot be weighed */
  readonly figures?: FiguresSource | undefined;
  /** Response of spend to earlier bid changes. @default none: a formula bounds the cost of bid changes */
  readonly responses?: BidResponseSource | undefined;
  /**
   * The account, as just read.
   *
   * @internal
   */
  readonly account?: AccountReading | undefined;
  /**
   * Writes of the plan that this one undoes; restoring them raises no default warning.
   *
   * @internal
   */
  readonly sent?: readonly SentWrite[] | undefined;
  /**
   * The whole plan, if only its open part is reviewed.
   *
   * @internal
   */
  readonly partOf?: ReviewContext["partOf"];
  /** Holds a part of the plan back for comparison. */
  readonly holdBack?: HoldBack | undefined;
  /** Units held back by other plans; changes of these are left out. */
  readonly heldElsewhere?: HeldElsewhere | undefined;
  /**
   * Earlier changes of the account. The spend of an entity is estimated from the days after its last change.
   *
   * @default those that the client knows, read where there are figures
   *
   * @internal
   */
  readonly changes?: LastChanges | undefined;
  /**
   * Finds scheduled entities; their hourly moves do not count as changes.
   * @default every event of the history counts
   */
  readonly scheduled?: ScheduledSource | undefined;
  /** Aborts reading the account for the review. */
  readonly signal?: AbortSignal | undefined;
}

export function withReview(
  whole: ChangePlanFields,
  { kept, findings, money, evidence, names, rehearsal = whole.rehearsal ?? undefined }: PlanReview,
): ChangePlanFields {
  const plan = kept === undefined
    ? whole
    : { ...whole, ...kept, warnings: [...whole.warnings ?? [], ...kept.warnings] };
  const others = plan.findings?.filter(({ code }) => !/^POLICY/.test(code) && !DEFAULT_CODES.has(code)) ?? [];
  const changes = evidence === undefined || evidence.size === 0
    ? plan.changes
    : plan.changes.map((change, at) => {
      const figures = change.evidence === undefined ? evidence.get(at) : undefined;
      return figures === undefined ? change : { ...change, evidence: figures };
    });
  return {
    ...plan,
    changes,
    findings: [...others, ...findings],
    money,
    names: names ?? plan.names ?? NO_NAMES,
    rehearsal: rehearsal ?? null,
  };
}

export async function reviewPlan(
  whole: JudgeablePlan & { readonly findings?: readonly Finding[] },
  client: PlanTarget,
  options: ReviewOptions = {},
): Promise<PlanReview> {
  const { policy, signal, account = new AccountReading(), sent = [], holdBack, heldElsewhere } = options;
  const currency = marketOf(whole.countryCode)?.currency ?? "";
  if (whole.changes.length === 0) {
    return { findings: [], money: new MoneySum({ currency }).result(), names: NO_NAMES };
  }
  // What is sent was encoded before.
  if (options.partOf === undefined) {
    const unsent = unsentChanges(whole.findings ?? []);
    const placed = whole.changes.map((change, at) => ({ at, change })).filter(({ at }) => !unsent.has(at));
    await changesAsSent("", placed, { client, account: account.by(client, signal), signal });
  }
  const timeZone = client.timeZone ?? marketOf(whole.countryCode)?.timeZone ?? "UTC";
  const today = dayIn(timeZone, client.transport?.now() ?? Date.now());
  const weights = new WeighedFigures(client, { ...options, today });
  const read = { account, signal, below: policy?.judgesBelow };
  const isHeld = holdBack !== undefined || Boolean(heldElsewhere?.size);
  // First, because it brings most of what changes. Where all is an undo, nothing is compared with it.
  const readScale = () => readAccountScale(whole.changes, client, { account, signal });
  if (sent.length === 0) await readScale();
  let plan = whole;
  let kept: KeptPart | undefined;
  if (isHeld) {
    await readPriorState(whole.changes, client, read);
    const { steps } = planState(whole.changes, account);
    const figures = await weights.of(steps);
    const caps = holdBack === undefined ? undefined : await portfolioCaps(steps, account);
    kept = keptPart(steps, {
      profileId: whole.profileId,
      holdBack,
      heldElsewhere,
      figures,
      caps,
      findings: whole.findings,
    });
    plan = { ...whole, changes: kept.changes, findings: kept.findings };
  }
  const { changes } = plan;
  const unsent = unsentChanges(plan.findings ?? []);
  const money = new MoneySum({ currency, today });
  let evidence: PlanReview["evidence"];
  const names = { campaigns: {}, ad_groups: {} };
  const warned: Finding[] = [];
  const campaigns: Step[] = [];
  let response: BidResponse | undefined;
  // A policy reads everything in any case, to judge the plan as a whole.
  const parts = policy === undefined ? reviewParts(changes) : [{ changes }];
  for (const part of parts) {
    if (parts.length > 1) account.forgetLeaves();
    await readPriorState(part.changes, client, read);
    const named = namesNow(part.changes, account, client);
    const played = planState(withNames(part.changes, named), account, part.places);
    const steps = played.steps.slice(part.seen);
    const figures = await weights.of(steps);
    if (response === undefined && figures?.size && steps.some(changesBid)) {
      response = await options.responses?.({ profileId: whole.profileId, today, timeZone });
    }
    const weighed = withCopies(steps, whole.countryCode);
    money.add(weighed.filter(({ at }) => !unsent.has(at)), { figures, response, unread: weights.unread });
    // The evidence of very many changes would fill the memory.
    if (parts.length === 1) evidence = evidenceOf(steps, { figures, today });
    Object.assign(names.campaigns, named.names.campaigns);
    Object.assign(names.ad_groups, named.names.ad_groups);
    const restored = new Set(steps.filter((step) => restores(step, sent)).map(({ at }) => at));
    const fresh = weighed.filter(({ at }) => !restored.has(at));
    if (fresh.length === 0) continue;
    warned.push(...changeFindings(fresh, { currency, scale: await readScale() }));
    campaigns.push(...fresh.filter(({ change }) => isCampaignKind(change.kind)));
  }
  const { scale } = account;
  // A policy judges calls by name: it denies those that it does not list.
  const warnings = [...scale === undefined ? [] : planFindings(campaigns, { currency, scale }), ...warned]
    .filter(({ code }) => policy === undefined || code !== "CALL_NOT_JUDGED");
  const found = await policy?.review(plan, client, { signal, account, partOf: options.partOf }) ?? [];
  return {
    kept,
    findings: [...warnings, ...found],
    money: money.result(),
    evidence,
    names,
    rehearsal: client.rehearsal,
    takesClient: policy?.approval === "client",
  };
}

/** Larger plans are reviewed in parts, so that the whole account is never in memory. */
const MAX_CHANGES = 20_000;

interface ReviewPart {
  readonly changes: readonly Change[];
  /** Places of the changes in the plan. @default their order */
  readonly places?: readonly number[];
  /** Number of changes at the beginning that an earlier part holds too. @default 0 */
  readonly seen?: number;
}

/** Every part contains the changes of campaigns, ad groups and portfolios; the others are grouped by campaign. */
export function reviewParts(changes: readonly Change[], most = MAX_CHANGES): ReviewPart[] {
  if (changes.length <= most) return [{ changes }];
  const shared: number[] = [];
  const leaves: number[] = [];
  for (const [at, { kind, ref }] of changes.entries()) {
    (isPlaceKind(kind) || ref !== undefined ? shared : leaves).push(at);
  }
  // Parts would be no smaller than the plan.
  if (shared.length > most) return [{ changes }];
  const campaigns = leaves.map((at) => changes[at]!.campaignId ?? "");
  const ordered = leaves.map((_, index) => index)
    .sort((a, b) => campaigns[a]! < campaigns[b]! ? -1 : campaigns[a]! > campaigns[b]! ? 1 : a - b);
  const parts: ReviewPart[] = [];
  for (let from = 0; from < leaves.length; from += most) {
    const places = [...shared, ...ordered.slice(from, from + most).map((index) => leaves[index]!)];
    parts.push({
      changes: places.map((at) => alone(changes[at]!)),
      places,
      seen: from === 0 ? 0 : shared.length,
    });
  }
  return parts;
}

function alone(change: Change): Change {
  if (change.dependsOn === undefined) return change;
  const { dependsOn: _, ...rest } = change;
  return rest;
}

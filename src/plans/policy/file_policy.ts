import { nameInProse } from "../../base/text/visible_text.ts";
import { dayOf } from "../../base/time/calendar.ts";
import type { Policy, PolicyContext, PolicyRuleName, PolicySources } from "./policy.ts";
import type { AmountChange } from "../model/amount_changes.ts";
import { asNamed } from "../state/names.ts";
import { withCopies } from "../state/copy_steps.ts";
import { planState } from "../state/plan_state.ts";
import { beforeChanges, type PriorState } from "../model/prior_state.ts";
import { AccountReading } from "../state/account_reading.ts";
import { readPriorState } from "../state/read_prior_state.ts";
import { figureEntities } from "../review/figures_source.ts";
import { policyRefusal } from "../model/plan_errors.ts";
import type { Change } from "../model/change.ts";
import type { Finding, FindingLevel } from "../model/finding.ts";
import type { Judgement, JudgeRequest, PlanTarget } from "../model/plan_target.ts";
import { createdBy, restores, type SentRecord, sentRecord, writesOf } from "../state/sent_record.ts";
import type { JudgeablePlan, ReviewContext } from "../model/write_policy.ts";
import { marketOf, timeZoneOf } from "../../base/markets/markets.ts";
import { type CompiledRule, compileRule } from "./cel_rules.ts";
import type { DayEntry } from "../state/day_ledger.ts";
import { ledgerKey } from "../state/ledger_lines.ts";
import { addTotals, type DayTotals, largerTotals, NO_TOTALS, type WriteTotals } from "../state/day_totals.ts";
import {
  addsToMoves,
  exceptedIds,
  isBrake,
  type JudgedChange,
  judgedChanges,
  labelsById,
  nameOf,
  placeOf,
} from "./judged_change.ts";
import { changesToJudge, ledgerChanges } from "./cooling_rule.ts";
import { type MovedBid, movesBelow, readMovedBids } from "./moved_today.ts";
import {
  currencyOf,
  type DayPlace,
  DaysOfPlaces,
  type EndShares,
  firstAt,
  ofPlace,
  placesElsewhere,
  planTotals,
  reserveShares,
  todayOf,
  totalsAt,
} from "./day_shares.ts";
import { type MarketMoment, marketMoment } from "./market_moment.ts";
import type { ChangeRule, PlainFinding } from "./change_rule.ts";
import { changeRules, planFindings } from "./plain_rules.ts";
import { judgeByRules, knownTotals, ruleFacts } from "./judge_by_rules.ts";
import { namePattern } from "./name_pattern.ts";
import type { PolicyDocument } from "./policy_document.ts";

export class FilePolicy implements Policy {
  readonly source: string;
  readonly #document: PolicyDocument;
  readonly #changeRules: readonly ChangeRule[];
  readonly #rules: readonly CompiledRule[];
  readonly #operations: readonly ((id: string) => boolean)[];
  readonly #sources: PolicySources;
  readonly #now: () => number;
  readonly #sent: SentRecord;
  readonly #labels: ReadonlyMap<string, readonly string[]>;

  constructor(source: string, document: PolicyDocument, sources: PolicySources = {}) {
    this.source = source;
    this.#sources = sources;
    this.#now = sources.now ?? Date.now;
    this.#document = document;
    this.#sent = sentRecord(sources.ledger);
    this.#changeRules = changeRules(document);
    this.#rules = document.rules.map(compileRule);
    this.#labels = labelsById(document.labels);
    this.#operations = document.allow_operations.map(namePattern);
  }

  get approval(): "signed" | "client" {
    return this.#document.approval;
  }

  get rules(): readonly PolicyRuleName[] {
    const plain = PLAIN_KEYS.filter((key) => this.#document[key] !== undefined);
    return [
      ...plain.map((name) => ({ name, level: this.#levelOf(name) })),
      ...this.#rules.map(({ name, level, message }) => ({ name, level, message })),
    ];
  }

  get limits(): Readonly<Record<string, unknown>> {
    const set = PLAIN_KEYS.filter((key) => this.#document[key] !== undefined);
    return Object.fromEntries(set.map((key) => [key, this.#document[key]]));
  }

  get needsFigures(): boolean {
    return this.#document.max_spend_increase_per_day !== undefined ||
      this.#rules.some(({ when }) => /\b(figures|spendIncrease)\b/.test(when));
  }

  allowsOperation(id: string): boolean {
    return this.#operations.some((matches) => matches(id));
  }

  allowsAuto(rule: string): boolean {
    return this.#document.allow_auto.includes(rule);
  }

  get judgesBelow(): boolean {
    return this.#document.max_bid !== undefined || this.#document.max_effective_bid !== undefined;
  }

  #momentOf(countryCode: string, { timeZone, now = this.#now() }: PolicyContext): MarketMoment {
    return marketMoment(timeZone ?? timeZoneOf({ countryCode }), now);
  }

  #judged(plan: Pick<JudgeablePlan, "changes" | "countryCode">, account?: PriorState): JudgedChange[] {
    return judgedChanges(plan, { account, labels: this.#labels });
  }

  check(plan: JudgeablePlan, context: PolicyContext = {}): Finding[] {
    const today = context.today ?? NO_TOTALS;
    const { countryCode } = plan;
    const moment = this.#momentOf(countryCode, context);
    const currency = marketOf(countryCode)?.currency ?? "";
    const { open } = context;
    const judged = this.#judged(plan, context.account).filter(({ index }) => open?.has(index) ?? true);
    const totals = planTotals(judged, { figures: context.figures });
    const day = addTotals(context.totals ?? totals, today);

    const isRestored = ({ whole }: JudgedChange): boolean => restores(whole, context.sent ?? []);
    const isUndo = judged.length > 0 && judged.every(isRestored);
    const findings: Finding[] = [];
    const report = (finding: Omit<Finding, "level">, level: FindingLevel, change?: JudgedChange): void => {
      const place = change === undefined ? {} : { change: change.index };
      findings.push(this.#weigh({ ...finding, ...place, level }, {
        judged: change,
        countryCode: change?.step.market?.country ?? countryCode,
        day: moment.day,
        restored: change === undefined ? isUndo : isRestored(change),
        adds: change !== undefined &&
          addsToMoves(change, { today: todayOf(change, context), moved: context.moved }),
      }));
    };
    const plain = (found: PlainFinding, change?: JudgedChange): void => {
      const { message, isUnknown: _, ...rest } = found;
      const subject = change === undefined ? "" : `${nameOf(change)}: `;
      const code = `POLICY_${found.rule.toUpperCase()}`;
      report({ ...rest, code, message: `${subject}${message}` }, this.#levelOf(found.rule), change);
    };
    const place = { countryCode, currency };
    for (const found of planFindings(this.#document, { ...place, day, moment, judged })) plain(found);
    for (const found of this.#findingsElsewhere(judged, { ...context, moment })) plain(found);
    for (const change of judged) {
      const unjudged = this.#unjudged(change);
      if (unjudged !== undefined) report(unjudged, "deny", change);
      for (const rule of this.#changeRules) {
        const there = placeOf(change, place);
        const found = rule(change, {
          ...there,
          today: todayOf(change, context),
          moment,
          moved: context.moved,
          changes: context.changes,
        });
        if (found !== undefined && !(found.isUnknown && isBrake(change))) plain(found, change);
      }
    }
    if (this.#rules.length === 0) return findings;
    const shared = {
      market: {
        country: countryCode,
        currency,
        day: moment.day,
        hour: Number(moment.time.slice(0, 2)),
        weekday: moment.weekday,
      },
      plan: {
        ...knownTotals(totals),
        note: plan.note ?? "",
        source: isUndo ? "rollback" : "plan",
      },
      today: knownTotals(day),
    };
    for (const change of judged) {
      const { countryCode: country, currency } = placeOf(change, place);
      const there = { ...shared, market: { ...shared.market, country, currency } };
      const facts = ruleFacts(change, there, {
        today: todayOf(change, context),
        moved: context.moved,
        figures: context.figures,
      });
      for (const { level, message, ...found } of judgeByRules(this.#rules, { facts, judged: change })) {
        report({ ...found, message: `${nameOf(change)}: ${message}` }, level, change);
      }
    }
    return findings;
  }

  #findingsElsewhere(
    judged: readonly JudgedChange[],
    { elsewhere, figures, moment }: PolicyContext & { moment: MarketMoment },
  ): PlainFinding[] {
    const { max_changes, max_archives } = this.#document;
    const counts = { ...NO_LIMITS, max_changes, max_archives };
    return [...elsewhere ?? []].flatMap(([country, today]) => {
      const own = ofPlace(judged, { profileId: "", day: "", country });
      const day = addTotals(planTotals(own, { figures }), today);
      const place = { countryCode: country, currency: currencyOf(country) };
      return planFindings(counts, { ...place, day, moment, judged: own })
        .map((found) => ({ ...found, message: `in ${country}: ${found.message}` }));
    });
  }

  async review(
    plan: JudgeablePlan,
    client: PlanTarget,
    options: ReviewContext = {},
  ): Promise<Finding[]> {
    const context = await this.#context(plan, client, options);
    const today = await this.#today(plan, client, { ...options, context });
    const changes = asNamed(plan.changes, context.account, client);
    return this.check({ ...plan, changes }, { ...context, ...today });
  }

  async #today(
    plan: JudgeablePlan,
    client: PlanTarget,
    { partOf, signal, context }: ReviewContext & {
      context: PolicyContext & { readonly account: PriorState; readonly now: number };
    },
  ): Promise<Pick<PolicyContext, "today" | "elsewhere" | "totals">> {
    const { ledger } = this.#sources;
    if (ledger === undefined) return {};
    const attempt = partOf === undefined
      ? undefined
      : { key: ledgerKey(partOf.plan), resumes: partOf.resumes, exclusive: true };
    const days = new DaysOfPlaces();
    for (const place of await this.#places(plan, client, context)) {
      days.set(place, await ledger.totals(place, attempt));
    }
    const { today, elsewhere } = days.context();
    if (partOf === undefined || today?.replaces === undefined) return { today, elsewhere };
    const { plan: whole, open } = partOf;
    const account = await accountAtFirst(whole, { account: context.account, open, client, signal });
    const totals = largerTotals(this.totals(whole, { ...context, account }), today.replaces);
    return { today, elsewhere, totals };
  }

  async admit(request: JudgeRequest): Promise<Judgement> {
    const { open, client, approvedBy, resumes, exclusive, direct, signal } = request;
    const isOpen = new Set(open.map(({ at }) => at));
    const changes = leftToSend(request);
    const context = await this.#context({ ...request.plan, changes }, client, {
      account: request.account,
      signal,
    }, resumes ? request.plan : undefined);
    const { account } = context;
    const plan = { ...request.plan, changes: asNamed(changes, account, client) };
    const { ledger } = this.#sources;
    // What is open is judged by the account alone; what was sent before only counts.
    const atFirst = await accountAtFirst(request.plan, { account, open: isOpen, client, signal });
    const whole = { ...request.plan, changes: asNamed(request.plan.changes, account, client) };
    let findings: readonly Finding[] = [];
    let totals: WriteTotals = NO_TOTALS;
    const days = new DaysOfPlaces();
    const openAlone = new Set<DayPlace>();
    // A plan that no ledger knows is counted from the account alone: its journal may be made up.
    const judgedAt = (place: DayPlace) =>
      openAlone.has(place)
        ? this.#judged(plan, account).filter(({ index }) => isOpen.has(index))
        : this.#judged(whole, atFirst);
    const decide = (place: DayPlace, today: DayTotals): DayEntry => {
      // What was sent before midnight is in the ledger of its own day, which had the whole plan.
      const { replaces } = today;
      if (resumes && replaces === undefined) openAlone.add(place);
      const own = totalsAt(judgedAt(place), place, context);
      if (place.country === undefined) totals = replaces === undefined ? own : largerTotals(own, replaces);
      days.set(place, today);
      findings = this.check(plan, { ...context, ...days.context(), totals, open: isOpen });
      const barring = findings.filter(({ level }) =>
        level === "deny" || (level === "approve" && approvedBy === undefined)
      );
      if (barring.length > 0) throw policyRefusal(barring);
      const open = this.#judged(plan, account).filter(({ index }) => isOpen.has(index));
      return { ...own, first: firstAt(open, place, today) };
    };
    const attempt = { key: ledgerKey(request.plan), resumes, exclusive };
    let end: EndShares | undefined;
    if (ledger === undefined) decide(this.#place(plan, context), NO_TOTALS);
    else {
      const places = await this.#places(plan, client, context);
      for (const place of places) days.set(place, await ledger.totals(place, attempt));
      end = await reserveShares(places, { ledger, attempt, decide });
    }
    if (!direct) {
      const { steps } = planState(plan.changes, account);
      try {
        await this.#sent.keep(plan, writesOf(steps.filter(({ at }) => isOpen.has(at))));
      } catch (error) {
        await end?.();
        throw error;
      }
    }
    return {
      findings,
      settle: async (results) => {
        if (!direct) await this.#sent.keep(plan, createdBy(results));
        const sent = results.flatMap(({ change, outcome }, at) =>
          ["done", "partial", "unknown"].includes(outcome) ? [{ change, at }] : []
        );
        const judgedFrom = (before: PriorState, part: typeof sent) =>
          this.#judged({ ...whole, changes: part.map(({ change }) => change) }, before);
        await end?.((place, reserved) => {
          const judged = openAlone.has(place)
            ? judgedFrom(account, sent.filter(({ at }) => isOpen.has(at)))
            : judgedFrom(atFirst, sent);
          const actual = totalsAt(judged, place, context);
          const { spendIncrease } = largerTotals(actual, reserved);
          // The money of what was sent before is known by the reservation alone.
          return resumes ? { ...actual, spendIncrease } : actual;
        });
      },
      withdraw: async () => await end?.(),
    };
  }

  async #context(
    plan: JudgeablePlan,
    client: PlanTarget,
    { account: read, partOf, signal }: ReviewContext,
    // An application that goes on was let through when it began.
    resumed = partOf?.resumes ? partOf.plan : undefined,
  ): Promise<PolicyContext & { readonly account: PriorState; readonly now: number }> {
    const { judgesBelow: below } = this;
    const places = this.#document.protect?.names !== undefined;
    const account = read === undefined || read instanceof AccountReading
      ? await readPriorState(plan.changes, client, { account: read, signal, below, places })
      : read;
    const now = this.#now();
    const { timeZone } = client;
    const { cooling } = this.#document;
    const figures = this.needsFigures
      ? await this.#sources.figures?.({
        profileId: plan.profileId,
        today: this.#momentOf(plan.countryCode, { timeZone, now }).day,
        get entities() {
          return figureEntities(planState(plan.changes, account).steps);
        },
      })
      : undefined;
    return {
      account,
      figures,
      sent: plan.reverses === null
        ? []
        : await this.#sent.by({ profileId: plan.profileId, planId: plan.reverses }),
      now,
      timeZone,
      moved: await this.#movedBids(plan, client, { account, now, timeZone, signal }),
      changes: cooling === undefined ||
          resumed !== undefined && await this.#wasAdmitted(resumed, now - cooling * DAY)
        ? undefined
        : await changesToJudge(plan, client, {
          ...{ account, now, ledger: this.#sources.ledger, signal },
          since: now - cooling * DAY,
        }),
    };
  }

  /** True if the ledger knows the plan; a journal alone may be forged. */
  async #wasAdmitted(plan: JudgeRequest["plan"], since: number): Promise<boolean> {
    const { ledger } = this.#sources;
    const attempt = { key: ledgerKey(plan), resumes: true };
    if (ledger === undefined) return false;
    for (let at = this.#now() + DAY; at >= since - DAY; at -= DAY) {
      const day = dayOf(at);
      const { replaces } = await ledger.totals({ profileId: plan.profileId, day }, attempt);
      if (replaces !== undefined) return true;
    }
    return false;
  }

  changesSince(profileId: string, since: number): Promise<AmountChange[]> {
    return ledgerChanges(this.#sources.ledger, { profileId, since, now: this.#now() });
  }

  async #movedBids(
    plan: JudgeablePlan,
    client: PlanTarget,
    { signal, ...context }: PolicyContext & { account: PriorState; signal: AbortSignal | undefined },
  ): Promise<MovedBid[]> {
    const { max_increase: up, max_decrease: down } = this.#document;
    const { ledger } = this.#sources;
    const limitsMoves = up !== undefined || down !== undefined ||
      this.#rules.some(({ when }) => /\bincrease\b/.test(when));
    if (ledger === undefined || !limitsMoves) return [];
    const { steps } = planState(plan.changes, context.account);
    if (!withCopies(steps, plan.countryCode).some(movesBelow)) return [];
    return await readMovedBids(await ledger.totals(this.#place(plan, context)), client, signal);
  }

  async #places(
    plan: JudgeablePlan,
    client: PlanTarget,
    context: PolicyContext & { readonly now: number },
  ): Promise<DayPlace[]> {
    const elsewhere = await placesElsewhere(this.#judged(plan, context.account), client, context.now);
    return [this.#place(plan, context), ...elsewhere];
  }

  #place(
    { profileId, countryCode }: JudgeablePlan,
    context: PolicyContext,
  ): { profileId: string; day: string } {
    return { profileId, day: this.#momentOf(countryCode, context).day };
  }

  totals(plan: JudgeablePlan, context: PolicyContext = {}): WriteTotals {
    return planTotals(this.#judged(plan, context.account), { figures: context.figures });
  }

  #weigh(finding: Finding, by: {
    judged: JudgedChange | undefined;
    countryCode: string;
    day: string;
    restored: boolean;
    adds: boolean;
  }): Finding {
    if (by.restored && RELATIVE.has(finding.rule ?? "") && !(by.adds && finding.rule === "max_increase")) {
      return {
        ...finding,
        level: "note",
        message: `${finding.message}. Allowed, because it restores the value from before the change`,
      };
    }
    if (by.restored && finding.level === "deny" && finding.code !== "POLICY_RULE_FAILED") {
      return { ...finding, level: "approve", message: `${finding.message}. It restores an earlier value` };
    }
    const exception = this.#document.exceptions.find(({ rule, until, ids, markets }) =>
      rule === finding.rule && by.day <= until && (markets?.includes(by.countryCode) ?? true) &&
      (ids === undefined ||
        by.judged !== undefined && exceptedIds(by.judged).some((id) => ids.includes(id)))
    );
    if (exception === undefined || finding.code === "POLICY_RULE_FAILED") return finding;
    return {
      ...finding,
      level: "note",
      message: `${finding.message}. Allowed until ${exception.until}: ${exception.reason}`,
    };
  }

  /** Calls cannot be judged by their effect, so the policy must name the operation. */
  #unjudged({ change, index, op }: JudgedChange): Omit<Finding, "level"> | undefined {
    if (op !== "call" || this.allowsOperation(String(change.after["operation"]))) return undefined;
    return {
      code: "POLICY_NOT_JUDGED",
      change: index,
      rule: "allow_operations",
      message: `the effect of ${nameInProse(change.label)} cannot be checked`,
      hint: "List it under allow_operations of the policy",
    };
  }

  #levelOf(rule: string): FindingLevel {
    return this.#document.levels[rule] ?? "deny";
  }
}

export const PLAIN_KEYS = [
  "max_changes",
  "max_archives",
  "max_spend_increase_per_day",
  "hours",
  "freeze",
  "allow_kinds",
  "protect",
  "max_bid",
  "max_effective_bid",
  "max_budget",
  "max_increase",
  "max_decrease",
  "max_placement_adjustment",
  "cooling",
  "max_schedule_factor",
  "schedule_hours",
] as const;

const NO_LIMITS = { max_spend_increase_per_day: undefined, hours: undefined, freeze: undefined };

/** Rules that limit the size of changes. Restoring the value from before a change does not count as another change. */
const RELATIVE: ReadonlySet<string> = new Set([
  "max_increase",
  "max_decrease",
  "max_changes",
  "max_archives",
  "max_spend_increase_per_day",
  "cooling",
]);

const DAY = 86_400_000;

function leftToSend({ plan, open }: JudgeRequest): Change[] {
  const left = new Map(open.map(({ at, change }) => [at, change]));
  return plan.changes.map((change, at) => {
    const isIdle = change.op === "update" || change.op === "archive";
    return left.get(at) ?? (isIdle ? { ...change, op: "update", before: {}, after: {} } : change);
  });
}

async function accountAtFirst(
  { changes }: Pick<JudgeablePlan, "changes">,
  { account, open, client, signal }: {
    account: PriorState;
    open: ReadonlySet<number>;
    client: PlanTarget;
    signal: AbortSignal | undefined;
  },
): Promise<PriorState> {
  const sent = changes.filter((_, at) => !open.has(at));
  if (sent.length > 0 && account instanceof AccountReading) {
    await readPriorState(changes, client, { account, signal });
  }
  return beforeChanges(sent, account);
}

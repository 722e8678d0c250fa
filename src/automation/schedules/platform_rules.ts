import { idKey } from "../../base/json/id_of.ts";
import {
  contentOf,
  isOn,
  readRules,
  type Rule,
  RULE_API,
  type RulesNow,
} from "../../account/diff/live_rules.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import type { Evidence } from "../../plans/model/change.ts";
import { ChangePlan, type PlanResult } from "../../plans/change_plan/change_plan.ts";
import { unaskedPart } from "../../plans/change_plan/unasked_part.ts";
import { reviewPlan } from "../../plans/review/review_plan.ts";
import { type MoveParts, NOTHING_HELD, type RuleResult, sendPlan } from "./move_amounts.ts";
import type { Schedule } from "./schedule.ts";
import { type PlatformSchedule, type WantedRules, wantedRules, withoutRoom } from "./schedule_rules.ts";
import type { KeptRules } from "./schedule_state.ts";
import type { Movable } from "./scheduled_entities.ts";

/** Milliseconds until the platform applies a changed rule, at most a day. */
const RULE_DELAY = 86_400_000;

const MAX_CREATES = 300;
const MAX_TIES = 25;

/** Returns a schedule with the lowest factor at every hour, whose bids are never rounded up. */
export function lowestBids({ schedule, lowest }: PlatformSchedule): Schedule & { readonly roundDown: true } {
  return { ...schedule, on: "worker", grid: [{ factor: lowest }], roundDown: true };
}

export class PlatformRules {
  readonly #profile: ProfileClient;
  readonly #parts: MoveParts;
  readonly #wanted: readonly WantedRules[];
  readonly #live: RulesNow | undefined;
  readonly #refused: ReadonlyMap<string, string>;
  readonly #kept: ReadonlySet<string>;
  readonly held: ReadonlySet<string>;

  private constructor(
    profile: ProfileClient,
    { parts, wanted, live, refused, kept, held }: {
      readonly parts: MoveParts;
      readonly wanted: readonly WantedRules[];
      readonly live: RulesNow | undefined;
      readonly refused: ReadonlyMap<string, string>;
      readonly kept: ReadonlySet<string>;
      readonly held: ReadonlySet<string>;
    },
  ) {
    this.#profile = profile;
    this.#parts = parts;
    this.#wanted = wanted;
    this.#live = live;
    this.#refused = refused;
    this.#kept = kept;
    this.held = held;
  }

  static async read(
    profile: ProfileClient,
    schedules: readonly PlatformSchedule[],
    { movables, parts, ends = () => true }: {
      readonly movables: readonly Movable[];
      readonly parts: MoveParts;
      readonly ends?: (schedule: string) => boolean;
    },
  ): Promise<PlatformRules> {
    const kept = await parts.state.rules(profile.profileId);
    const running = new Set(schedules.map(({ schedule }) => schedule.name));
    const held = new Set(
      [...kept].flatMap(([name, one]) =>
        isHeld(one, { isPlatform: running.has(name), now: parts.now }) ? [name] : []
      ),
    );
    const ended = [...kept.keys()].filter((name) => !running.has(name) && ends(name));
    if (schedules.length === 0 && ended.length === 0) {
      return new PlatformRules(profile, {
        parts,
        wanted: [],
        live: undefined,
        refused: new Map(),
        kept: new Set(kept.keys()),
        held,
      });
    }
    const campaigns = new Map(schedules.map(({ schedule }) => [schedule.name, new Set<string>()]));
    const refused = new Map<string, string>();
    for (const { fields, schedules: own, move } of movables) {
      const id = idKey(fields, "campaignId");
      for (const { name } of own) {
        if (!running.has(name)) continue;
        campaigns.get(name)?.add(id);
        if (own.length === 1 || move !== "bid") continue;
        const others = own.flatMap((one) => one.name === name ? [] : [one.name]).join(", ");
        refused.set(`${name} ${id}`, `${others} selects it too, and the two would add up`);
      }
    }
    const ids = [...new Set([...campaigns.values()].flatMap((set) => [...set]))];
    const live = await readRules(profile, ids, parts);
    for (const platform of schedules) {
      for (const [id, why] of withoutRoom(platform, live)) {
        const key = `${platform.schedule.name} ${id}`;
        if (campaigns.get(platform.schedule.name)?.has(id) && !refused.has(key)) refused.set(key, why);
      }
    }
    const wanted = [
      ...schedules.map((platform) => {
        const { name } = platform.schedule;
        const own = [...campaigns.get(name)!].filter((id) => !refused.has(`${name} ${id}`));
        return wantedRules(platform, own, parts.now);
      }),
      ...ended.map((schedule) => ({ schedule, insists: false, highest: 0, rules: new Map(), campaigns: [] })),
    ];
    // Rules that are about to change are felt as they were for a day.
    const changing = differences(wanted, live, kept).touched;
    return new PlatformRules(profile, {
      parts,
      wanted,
      live,
      refused,
      kept: new Set(kept.keys()),
      held: held.union(changing),
    });
  }

  allowed(movables: readonly Movable[]): Movable[] {
    if (this.#refused.size === 0) return [...movables];
    return movables.flatMap((movable) => {
      const id = idKey(movable.fields, "campaignId");
      const schedules = movable.schedules.filter(({ name }) => !this.#refused.has(`${name} ${id}`));
      return schedules.length === 0 ? [] : [{ ...movable, schedules }];
    });
  }

  has(schedule: string): boolean {
    return this.#kept.has(schedule);
  }

  async heldNow(): Promise<ReadonlySet<string>> {
    const { state, now } = this.#parts;
    const kept = await state.rules(this.#profile.profileId);
    return new Set([...kept].flatMap(([name, one]) => isHeld(one, { isPlatform: false, now }) ? [name] : []));
  }

  async forget(): Promise<void> {
    if (this.#kept.size === 0) return;
    const { state } = this.#parts;
    const { profileId } = this.#profile;
    const held = await this.heldNow();
    const based = new Set((await state.bases(profileId)).map(({ schedule }) => schedule));
    const running = new Set(
      this.#wanted.filter(({ rules }) => rules.size > 0).map(({ schedule }) => schedule),
    );
    for (const name of this.#kept) {
      if (held.has(name) || based.has(name) || running.has(name)) continue;
      await state.keepRules(profileId, name, undefined);
    }
  }

  async send(): Promise<RuleResult | undefined> {
    if (this.#live === undefined) return undefined;
    const result = await sendRules(this.#profile, this.#wanted, { live: this.#live, parts: this.#parts });
    const refused = [...this.#refused].map(([key, why]) => ({ label: `campaign ${key.split(" ")[1]}`, why }));
    return { ...result, refused: [...refused, ...result.refused] };
  }
}

export function isHeld(
  { contents, changedAt }: KeptRules,
  { isPlatform, now }: { readonly isPlatform: boolean; readonly now: number },
): boolean {
  const isLive = [...contents.values()].some((content) => /^\["(ENABLED|SCHEDULED)"/.test(content));
  return (isLive && !isPlatform) || now - changedAt < RULE_DELAY;
}

interface RuleDifferences {
  readonly creates: readonly Rule[];
  readonly updates: readonly Rule[];
  readonly refused: readonly { readonly label: string; readonly why: string }[];
  readonly contents: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly touched: ReadonlySet<string>;
}

/** Returns the rules to change; rules changed by others are left alone. */
function differences(
  wanted: readonly WantedRules[],
  { ours }: RulesNow,
  kept: ReadonlyMap<string, KeptRules>,
): RuleDifferences {
  const creates: Rule[] = [];
  const updates: Rule[] = [];
  const refused: { label: string; why: string }[] = [];
  const touched = new Set<string>();
  const contents = new Map<string, Map<string, string>>();
  for (const { schedule, insists, rules } of wanted) {
    const { contents: last = new Map<string, string>(), before: unsure } = kept.get(schedule) ?? {};
    const own = new Map<string, string>();
    contents.set(schedule, own);
    for (const [name, rule] of rules) {
      own.set(name, contentOf(rule));
      if (ours.has(name)) continue;
      creates.push(rule);
      touched.add(schedule);
    }
    for (const { name, id, rule } of [...ours.values()].filter((one) => one.schedule === schedule)) {
      const target = rules.get(name) ?? { ...rule, status: "PAUSED" };
      if (!rules.has(name) && !isOn(rule)) continue;
      own.set(name, contentOf(target));
      if (contentOf(rule) === contentOf(target)) continue;
      const known = last.get(name);
      const isOwn = contentOf(rule) === known || contentOf(rule) === unsure?.get(name);
      if (!insists && known !== undefined && !isOwn) {
        own.set(name, known);
        const why =
          "somebody else changed this rule, so it is left alone; foreign_edits: insist overwrites it";
        refused.push({ label: name, why });
        continue;
      }
      const { optimizationRuleId: _, ...body } = target as Record<string, unknown>;
      updates.push({ ...body, optimizationRuleId: id });
      touched.add(schedule);
    }
  }
  return { creates, updates, refused, contents, touched };
}

async function sendRules(
  profile: ProfileClient,
  wanted: readonly WantedRules[],
  { live, parts }: { readonly live: RulesNow; readonly parts: MoveParts },
): Promise<RuleResult> {
  const { state, now } = parts;
  const kept = await state.rules(profile.profileId);
  const { creates, updates, contents, touched, ...found } = differences(wanted, live, kept);
  const refused = [...found.refused];
  const results: PlanResult[] = [];
  const plans: ChangePlan[] = [];
  const send = async (calls: readonly ChangePlan[], reason: string): Promise<void> => {
    if (calls.length === 0) return;
    const highest = Math.max(...wanted.map(({ highest }) => highest));
    const plan = withEvidence(ChangePlan.merge(calls), {
      reason,
      ...(highest > 0 ? { factor: highest } : {}),
    });
    const own = parts.policy === undefined ? [] : (await reviewPlan(plan, profile, parts)).findings;
    const review = await profile.review(plan, parts);
    const [why] = unaskedPart(plan, { own: [...review.findings, ...own] }).left.values();
    if (why !== undefined) {
      refused.push({ label: reason, why });
      return;
    }
    if (parts.send === false) plans.push(plan);
    else results.push(await sendPlan(plan, profile, parts));
  };
  // Noted before anything is sent: from here on bids are not raised until the rules are felt.
  if (parts.send !== false) {
    for (const schedule of touched) {
      const before = kept.get(schedule)?.contents ?? new Map<string, string>();
      await state.keepRules(profile.profileId, schedule, {
        changedAt: now,
        contents: new Map([...before, ...contents.get(schedule) ?? []]),
        before: new Map([...live.ours.values()].map(({ name, rule }) => [name, contentOf(rule)])),
      });
    }
  }
  const names = wanted.map(({ schedule }) => schedule).join(", ");
  const note = `Schedules: rules of ${names}`;
  const options = { note, heldElsewhere: NOTHING_HELD };
  const calls: ChangePlan[] = [];
  for (
    const [operation, rules] of [["CreateOptimizationRules", creates], [
      "UpdateOptimizationRules",
      updates,
    ]] as const
  ) {
    for (let at = 0; at < rules.length; at += MAX_CREATES) {
      const body = { optimizationRules: rules.slice(at, at + MAX_CREATES) };
      calls.push(await profile.planCall<string>(`${RULE_API}:${operation}`, body as never, options as never));
    }
  }
  await send(calls, `rules of ${names}: ${creates.length} new, ${updates.length} changed`);
  const after = results.length === 0 || creates.length === 0 ? live : await readRules(profile, [], parts);
  const ties: ChangePlan[] = [];
  for (const { schedule, campaigns, rules } of wanted) {
    for (const campaignId of campaigns) {
      const ids = [...after.ours.values()].filter((one) =>
        one.schedule === schedule && one.campaignId === campaignId && rules.has(one.name) &&
        !live.tied.has(one.name)
      ).map(({ id }) => id);
      for (let at = 0; at < ids.length; at += MAX_TIES) {
        const body = { optimizationRuleIds: ids.slice(at, at + MAX_TIES) };
        ties.push(
          await profile.planCall<string>(
            `${RULE_API}:AssociateOptimizationRulesToCampaign`,
            body as never,
            { ...options, pathParams: { campaignId } } as never,
          ),
        );
      }
    }
  }
  await send(ties, `rules of ${names} assigned to ${ties.length} campaigns`);
  if (results.length > 0 && refused.length === found.refused.length && results.every(({ ok }) => ok)) {
    const sent = await state.rules(profile.profileId);
    for (const schedule of touched) {
      const { before: _, ...rules } = sent.get(schedule)!;
      await state.keepRules(profile.profileId, schedule, rules);
    }
  }
  for (const result of results) {
    for (const { change, outcome, error } of result.changes) {
      if (outcome !== "done" && outcome !== "already") {
        refused.push({
          label: change.label,
          why: error?.message ?? `it was ${outcome.replaceAll("_", " ")}`,
        });
      }
    }
  }
  const active = wanted.reduce((sum, { rules }) => sum + rules.size, 0);
  return { results, plans, refused, active };
}

function withEvidence(plan: ChangePlan, evidence: Evidence): ChangePlan {
  const { id: _, fingerprint: __, ...fields } = plan;
  return new ChangePlan({
    ...fields,
    changes: plan.changes.map((change) => ({ ...change, evidence })),
  });
}

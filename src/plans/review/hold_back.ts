import { quotedName } from "../../base/text/visible_text.ts";
import { assign } from "../../base/statistics/assign.ts";
import type { Change } from "../model/change.ts";
import type { Finding } from "../model/finding.ts";
import type { EntityFigures } from "./estimate_money.ts";
import { dailyBudget } from "../state/amounts.ts";
import type { Step } from "../state/plan_state.ts";
import { Unread } from "../model/prior_state.ts";
import type { PortfolioCap } from "./portfolio_caps.ts";
import {
  checkCounts,
  checkHoldBack,
  type Experiment,
  type ExperimentUnitKind,
  heldChange,
  type HeldElsewhere,
  type HoldBack,
  holderOf,
  holderText,
  termOf,
  unitOfChange,
  unitsText,
} from "../model/experiment.ts";

const BINDS = 0.9;

const WEEKS = 4;

export function drawSettings(holdBack: HoldBack): Pick<Experiment, "share" | "seed" | "weeks"> {
  checkHoldBack(holdBack);
  const { share, seed = crypto.randomUUID().slice(0, 8), weeks = WEEKS } = holdBack;
  return { share, seed, weeks };
}

/** The part of a plan that is not held back. */
export interface KeptPart {
  /** Remaining changes, in their order. */
  readonly changes: readonly Change[];
  /** Findings about the remaining changes, by their new positions. */
  readonly findings: readonly Finding[];
  /** The experiment; `null` for none. */
  readonly experiment: Experiment | null;
  /** Warnings about units that another plan holds back. */
  readonly warnings: readonly string[];
}

/**
 * Removes changes held back by other experiments or by this draw.
 *
 * @param steps All changes with the account around them.
 * @throws {RangeError} for changes without a comparable unit, or too few units. Nothing was sent.
 */
export function keptPart(steps: readonly Step[], {
  profileId,
  holdBack,
  heldElsewhere,
  figures,
  caps,
  findings = [],
}: {
  readonly profileId?: string | undefined;
  readonly holdBack?: HoldBack | undefined;
  readonly heldElsewhere?: HeldElsewhere | undefined;
  readonly figures?: ReadonlyMap<string, EntityFigures> | undefined;
  readonly caps?: ReadonlyMap<string, PortfolioCap> | undefined;
  readonly findings?: readonly Finding[] | undefined;
}): KeptPart {
  const alone = heldElsewhere === undefined ? [] : steps.flatMap((step) => {
    const by = holderOf(heldElsewhere, [...namesOf(step), profileId ?? ""]);
    return by === undefined ? [] : [{ step, ...by }];
  });
  const aloneAt = new Set(alone.map(({ step }) => step.at));
  const free = steps.filter(({ at }) => !aloneAt.has(at));
  const shared = new Set(holdBack?.shared);
  const isFieldShared = ({ kind }: Change, field: string): boolean =>
    shared.has(kind) || shared.has(`${kind}.${field}`);
  const isShared = ({ change }: Step): boolean =>
    Object.keys(change.after).every((field) => isFieldShared(change, field));
  const open = free.filter((step) => !isShared(step));
  const isEmpty = open.length === 0 && steps.length > 0;
  const drawn = holdBack === undefined || isEmpty ? null : draw(open, holdBack, { figures, caps });
  const held = new Set(drawn?.held);
  const isKept = (step: Step): boolean =>
    drawn === null || isShared(step) || !held.has(unitOf(step, drawn.unit) ?? "");
  // Of a change that is held back, the fields that both groups share are still made.
  const kept = free.flatMap((step) => {
    if (isKept(step)) return [step];
    const change = withFields(step.change, (field) => isFieldShared(step.change, field));
    return change === undefined ? [] : [{ ...step, change }];
  });
  const experiment = drawn === null ? null : {
    ...drawn,
    changes: free.flatMap((step) => {
      const change = isKept(step)
        ? undefined
        : withFields(step.change, (field) => !isFieldShared(step.change, field));
      return change === undefined ? [] : [heldChange(change)];
    }),
  };
  const positions = new Map(kept.map(({ at }, index) => [at, index]));
  return {
    changes: kept.map(({ change }) => change),
    findings: findings.flatMap((finding) => {
      if (finding.change === undefined) return [finding];
      const change = positions.get(finding.change);
      return change === undefined ? [] : [{ ...finding, change }];
    }),
    experiment,
    warnings: [...Map.groupBy(alone, ({ planId }) => planId)].map(([planId, own]) =>
      `${own.length} left alone: plan ${planId} holds ${
        own.length === 1 ? "it" : "them"
      } back for comparison ` +
      `until ${own[0]!.until} (changing them without the option experiments voids the comparison)`
    ),
  };
}

/** Keeps some fields of a change. Returns the same change if all fields are kept, and nothing if none is kept. */
function withFields(change: Change, isWanted: (field: string) => boolean): Change | undefined {
  const fields = Object.keys(change.after);
  const wanted = new Set(fields.filter(isWanted));
  if (wanted.size === fields.length) return change;
  if (wanted.size === 0) return undefined;
  const pick = (values: Change["after"]): Change["after"] =>
    Object.fromEntries(Object.entries(values).filter(([field]) => wanted.has(field)));
  return { ...change, before: pick(change.before), after: pick(change.after) };
}

interface BudgetFacts {
  readonly figures: ReadonlyMap<string, EntityFigures> | undefined;
  readonly caps: ReadonlyMap<string, PortfolioCap> | undefined;
}

function draw(
  steps: readonly Step[],
  holdBack: HoldBack,
  known: BudgetFacts,
): Experiment {
  const { figures } = known;
  const { share, seed, weeks } = drawSettings(holdBack);
  if (holdBack.unit === "profile") {
    throw new RangeError(
      "Cannot hold back whole profiles in one plan: they are chosen among the plans of a rollout",
    );
  }
  const { unit, why } = unitFor(steps, holdBack.unit, known);
  const units = new Map<string, { spend: number; product: string }>();
  for (const step of steps) {
    const id = unitOf(step, unit);
    if (id === undefined) {
      throw new RangeError(
        `Cannot hold back a part of this plan: ${step.change.kind} ${
          quotedName(step.change.label)
        } is in no ${unit.replace("_", " ")} with a history to compare. Plan it separately`,
      );
    }
    const own = units.get(id) ?? { spend: 0, product: step.change.kind.split(".")[0]! };
    const ofCampaign = unit === "campaign" ? figures?.get(id)?.["cost30d"] : undefined;
    own.spend = ofCampaign ?? own.spend + spendOf(step, figures);
    units.set(id, own);
  }
  checkCounts(units.size, { share, unit, why });
  const { held, strata } = assign([...units].map(([id, one]) => ({ id, ...one })), { share, seed });
  const goals = holdBack.goals?.map((goal) => ({
    ...goal,
    worth: Object.fromEntries(Object.entries(goal.worth).filter(([id]) => strata.has(id))),
  }));
  return {
    ...{ seed, share, unit, why, weeks, held, strata: Object.fromEntries(strata) },
    ...(goals === undefined ? {} : { goals }),
  };
}

/** Chooses units that do not compete for the same budget, with the reason. */
function unitFor(
  steps: readonly Step[],
  given: ExperimentUnitKind | undefined,
  { figures, caps }: BudgetFacts,
): { readonly unit: ExperimentUnitKind; readonly why: string } {
  if (given !== undefined) return { unit: given, why: `Units are ${unitsText(given)}, as requested` };
  if (steps.some(({ op }) => op === "create")) {
    return { unit: "search_term", why: "Units are search terms, because new terms have no history" };
  }
  const own = new Set(steps.map(({ change }) => OWN_UNITS[change.kind.split(".")[1] ?? ""]));
  if (own.size === 1 && own.has("campaign")) {
    return { unit: "campaign", why: "Units are campaigns, because the plan changes campaigns" };
  }
  const shared = [...Map.groupBy(steps, ({ campaign }) => idOf(campaign))].filter(([id, { length }]) =>
    id !== undefined && length > 1
  );
  const binding = shared.filter(([id, [step]]) => binds(step!, figures?.get(id!)));
  if (binding.length > 0) {
    return {
      unit: "campaign",
      why:
        `Units are campaigns, because ${binding.length} of ${shared.length} spend ${
          BINDS * 100
        } % or more of a ` +
        "budget that several changes share",
    };
  }
  const capped = boundPortfolios(steps, { figures, caps });
  if (capped > 0) {
    return {
      unit: "campaign",
      why: `Units are campaigns, because several changes share ${
        capped === 1 ? "a binding portfolio cap" : `${capped} binding portfolio caps`
      }; campaigns of one portfolio may still affect each other`,
    };
  }
  const [only] = own;
  const unit = own.size === 1 && only !== undefined ? only : "keyword";
  return { unit, why: `Units are ${unitsText(unit)}: no shared budget limits them` };
}

const OWN_UNITS: Readonly<Record<string, ExperimentUnitKind>> = {
  campaigns: "campaign",
  ad_groups: "ad_group",
  keywords: "keyword",
  targets: "keyword",
  product_ads: "ad",
  ads: "ad",
};

function binds({ campaign }: Step, figures: EntityFigures | undefined): boolean {
  if (campaign === undefined || campaign instanceof Unread || campaign.before === undefined) return false;
  const [budget, cost] = [dailyBudget(campaign.before), figures?.["cost7d"]];
  return typeof budget === "number" && cost !== undefined && cost >= BINDS * 7 * budget;
}

function boundPortfolios(steps: readonly Step[], { figures, caps }: BudgetFacts): number {
  const capOf = ({ campaign }: Step): PortfolioCap | undefined => caps?.get(idOf(campaign) ?? "");
  const shared = [...Map.groupBy(steps, (step) => capOf(step)?.portfolioId)].filter(([id, { length }]) =>
    id !== undefined && length > 1
  );
  return shared.filter(([, own]) => {
    const { perDay = Infinity, isSpent = false } = capOf(own[0]!) ?? {};
    const campaigns = new Set(own.flatMap(({ campaign }) => idOf(campaign) ?? []));
    const cost = [...campaigns].reduce((sum, id) => sum + (figures?.get(id)?.["cost30d"] ?? 0), 0);
    return isSpent || cost >= BINDS * 30 * perDay;
  }).length;
}

function unitOf(step: Step, unit: ExperimentUnitKind): string | undefined {
  const place = unit === "campaign" ? step.campaign : unit === "ad_group" ? step.adGroup : undefined;
  return idOf(place) ?? unitOfChange(step.change, unit);
}

export function heldFindings(
  steps: readonly Step[],
  { held, planId, profileId }: {
    readonly held: HeldElsewhere;
    readonly planId: string;
    readonly profileId: string;
  },
): Finding[] {
  return steps.flatMap((step) => {
    const by = holderOf(held, [...namesOf(step), profileId]);
    if (by === undefined || by.planId === planId) return [];
    const message = `${holderText(by)}, and sending this voids the comparison`;
    return [{ code: "HELD_BACK_ELSEWHERE", level: "advise", change: step.at, message }];
  });
}

function namesOf(step: Step): string[] {
  const { change, campaign, adGroup } = step;
  if (change.op === "call") return idsIn(change.after);
  const term = change.op === "create" ? termOf(change.after) : undefined;
  return [change.id, idOf(campaign), idOf(adGroup), term].flatMap((name) => name ?? []);
}

function idsIn(value: unknown, isId = false): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => idsIn(one, isId));
  if (typeof value !== "object" || value === null) return isId ? [String(value)] : [];
  return Object.entries(value).flatMap(([name, one]) => idsIn(one, isId || /ids?(filter)?$/i.test(name)));
}

function idOf(place: Step["campaign"]): string | undefined {
  return place === undefined || place instanceof Unread ? undefined : place.id;
}

function spendOf({ change }: Step, figures: ReadonlyMap<string, EntityFigures> | undefined): number {
  return change.evidence?.cost ?? figures?.get(change.id ?? "")?.["cost30d"] ?? 0;
}

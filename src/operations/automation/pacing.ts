import { pacingData } from "../../automation/pacing/pacing_data.ts";
import type { PacingFile } from "../../automation/pacing/pacing_file.ts";
import type { PlannedPacing } from "../../automation/pacing/plan_pacing.ts";
import type { PacingStatus } from "../../automation/pacing/read_pacing.ts";
import { pacing as unit } from "../../automation/service/units/pacing.ts";
import { quotedName, visibleText } from "../../base/text/visible_text.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import type { ChangePlan } from "../../plans/change_plan/change_plan.ts";
import type { Warehouse } from "../../store/warehouse/warehouse.ts";
import type { DocumentText, Fields } from "../model/field.ts";
import { defineOperation } from "../model/operation.ts";

/** A profile with its stored figures. */
export interface PacingContext {
  readonly profile: ProfileClient;
  readonly store: Warehouse;
  /** Path or address of the store, which also keeps the spend seen during each day. */
  readonly place: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly signal?: AbortSignal | undefined;
}

const { name, what } = unit.file;

const PACING = {
  type: "document",
  required: true,
  value: "file",
  file: name,
  maxLength: 20_000,
  help: what,
  brief: `YAML of ${name}`,
} as const satisfies Fields[string];

const MAX_NOTES = 20;

const MONTH = "version: 1\nbudgets: { all: { amount: 3000 } }\n";

/** Shows how spend compares with the amounts of a pacing file. */
export const showPacing = defineOperation<PacingContext, readonly PacingStatus[]>()({
  name: "auto show pacing",
  effect: "read",
  tool: "pacing_show",
  title: "Show pacing",
  summary: "Chart planned and actual spend, with today's target and the forecast",
  brief:
    "Compares spend with the amounts of a month or of dates (the text of pacing.yaml): spent, ideal by yesterday, " +
    "needed today, forecast. budgets: { all: { amount: 3000 } } is one amount for all campaigns.",
  examples: [{ input: { pacing: MONTH }, about: "chart each budget" }],
  library: "await readPacing(profile, { file, store })",
  input: { pacing: PACING },
  check: async ({ pacing }) => void await pacingOf(pacing),
  async run({ profile, place, ...sources }, { pacing }) {
    const { keptSpend, readPacing } = await import("../../automation/pacing/read_pacing.ts");
    const seen = await keptSpend(place, profile.profileId);
    return await readPacing(profile, { ...sources, file: await pacingOf(pacing), seen });
  },
});

/** A plan, which is empty if no budget needs to change, and what it is based on. */
export interface PacingPlan extends Omit<PlannedPacing, "plan"> {
  readonly plan: ChangePlan;
}

/** Plans budgets that keep spend within the amounts of a pacing file. */
export const planPacing = defineOperation<PacingContext, PacingPlan>()({
  name: "auto plan pacing",
  effect: "plan",
  tool: "plan_pacing",
  title: "Plan pacing",
  summary: "Plan daily budgets that bring spend back on track",
  details:
    "Lowers budgets of the worst sellers first, or raises the best sellers that run out of budget, each by at " +
    "most max_step. Saves the plan and sends nothing.",
  brief:
    "Plans daily budgets that bring spend back to the amounts of pacing.yaml (its text): lowers those of the worst " +
    "sellers, or raises the best sellers that run out of budget. Sends nothing.",
  examples: [{ input: { pacing: MONTH }, about: "then: adsctl plan apply ID" }],
  library: "await planPacing(profile, { file, store })",
  input: { pacing: PACING },
  check: async ({ pacing }) => void await pacingOf(pacing),
  async run({ profile, place, ...sources }, { pacing }) {
    const { planPacing } = await import("../../automation/pacing/plan_pacing.ts");
    const file = await pacingOf(pacing);
    const { plan, ...planned } = await planPacing(profile, { ...sources, file, state: place });
    return { ...planned, plan: plan ?? await profile.plan().build({ signal: sources.signal }) };
  },
  data: ({ statuses }) => ({ pacing: statuses.map(pacingData) }),
  lines: ({ unjudged, kept }) => {
    const notes = [
      ...unjudged.map(({ name, why }) => visibleText(`${name}: ${why}`)),
      ...kept.map(({ label, why }) => `${quotedName(label)} is not changed: ${visibleText(why)}`),
    ];
    const more = notes.length - MAX_NOTES;
    return more > 0 ? [...notes.slice(0, MAX_NOTES), `and ${more} more`] : notes;
  },
});

/** @throws {ConfigurationError} listing every mistake by line. */
async function pacingOf(document: DocumentText): Promise<PacingFile> {
  const { parsePacing } = await import("../../automation/pacing/pacing_file.ts");
  return typeof document === "string"
    ? parsePacing(document, name)
    : parsePacing(document.text, document.source);
}

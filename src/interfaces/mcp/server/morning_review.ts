import type { ProfileClient } from "../../../client/profile_client.ts";
import { addDays, dayOf } from "../../../base/time/calendar.ts";
import { visibleText } from "../../../base/text/visible_text.ts";
import { drift } from "../../../operations/reads/drift.ts";
import { planOutcome } from "../../../operations/reads/plan_outcome.ts";
import type { ListedPlan } from "../../../operations/reads/plan_list.ts";
import { bySeverity } from "../../../automation/watch/alert.ts";
import type { KeptAlert } from "../../../automation/watch/watch_state.ts";
import type { McpContext } from "../context/mcp_context.ts";

/** Maximum tokens of a review, by a conservative estimate. */
const MAX_TOKENS = 2600;
const MAX_LINES = 12;
const MAX_LINE = 220;
const OUTCOME_DAYS = 28;
const DAY = 86_400_000;

interface Part {
  readonly title: string;
  readonly lines: readonly string[];
}

/**
 * Covers open alerts, open plans, changes by others since yesterday, and outcomes of recent plans. Only reads. A part
 * that fails reports its reason.
 */
export async function morningReview(
  profile: ProfileClient,
  context: McpContext,
  signal: AbortSignal,
): Promise<string> {
  const stored = await context.listPlans();
  const own = stored.filter((one) => "plan" in one && one.plan.profileId === profile.profileId);
  const parts = await Promise.all([
    partOf("Open alerts", () => alertLines(profile, context), signal),
    partOf("Open plans", () => Promise.resolve(planLines(own, context)), signal),
    partOf("Changes by others since yesterday", () => driftLines(profile, context, signal), signal),
    partOf(
      `Plan outcomes of the last ${OUTCOME_DAYS} days`,
      () => outcomeLines(own, context),
      signal,
    ),
  ]);
  return fitting(parts);
}

async function partOf(
  title: string,
  read: () => Promise<readonly string[]>,
  signal: AbortSignal,
): Promise<Part> {
  try {
    const lines = await read();
    return { title, lines: lines.length === 0 ? ["none"] : lines };
  } catch (error) {
    signal.throwIfAborted();
    return { title, lines: [`cannot be read: ${(error as Error).message}`] };
  }
}

function fitting(parts: readonly Part[]): string {
  const share = MAX_TOKENS / parts.length;
  return parts.map(({ title, lines }) => {
    const shown: string[] = [];
    let used = tokensOf(title);
    for (const line of lines.slice(0, MAX_LINES)) {
      const text = `- ${visibleText(line).slice(0, MAX_LINE)}`;
      used += tokensOf(text);
      if (used > share) break;
      shown.push(text);
    }
    const left = lines.length - shown.length;
    return [`## ${title}`, ...shown, ...(left > 0 ? [`- and ${left} more`] : [])].join("\n");
  }).join("\n\n");
}

/** Conservative estimate: a token per three ASCII characters, and more than one per other character. */
function tokensOf(text: string): number {
  const others = text.replace(/[\x20-\x7e]/g, "").length;
  return 2 + (text.length - others) / 2.2 + others * 1.6;
}

async function alertLines({ profileId }: ProfileClient, { store, now }: McpContext): Promise<string[]> {
  if (store === undefined) return ["unknown: this server has no report store"];
  const { OPEN_MARKS, WatchState } = await import("../../../automation/watch/watch_state.ts");
  const state = await WatchState.open(store.place);
  try {
    const open = { profileId, state: OPEN_MARKS, limit: 200, now: now() };
    const [urgent, others] = [
      await state.list({ ...open, severity: ["urgent", "warning"] }),
      await state.list({ ...open, severity: ["note"] }),
    ];
    return [...urgent, ...others].toSorted(bySeverity).map(alertLine);
  } finally {
    await state.close();
  }
}

function alertLine({ id, severity, title, since, day, planId }: KeptAlert): string {
  return `${severity} ${title} (${since === day ? day : `since ${since}`}, alert ${id}${
    planId === null ? "" : `, plan ${planId}`
  })`;
}

function planLines(plans: readonly ListedPlan[], { now }: McpContext): string[] {
  return plans.flatMap((one) => {
    if (!("plan" in one) || one.status.state !== "open" || one.plan.reverses !== null) return [];
    const { id, changes, createdAt, note } = one.plan;
    const days = Math.floor((now() - Date.parse(createdAt)) / DAY);
    return [`${id}: ${changes.length} changes, ${days} days old${note === null ? "" : `, ${note}`}`];
  });
}

async function driftLines(
  profile: ProfileClient,
  { plans }: McpContext,
  signal: AbortSignal,
): Promise<string[]> {
  const { entries } = await drift.run({ profile, plans: [plans], signal }, { since: "-1" });
  return entries.filter(({ by }) => by === "other").map((
    { kind, label, campaign, change, before, after, heldBy },
  ) =>
    `${kind} ${label}${campaign === undefined ? "" : ` of ${campaign}`}: ${change} ${before ?? "none"} -> ${
      after ?? "none"
    }${heldBy === undefined ? "" : `, held back by plan ${heldBy.planId}, which this spoils`}`
  );
}

async function outcomeLines(
  plans: readonly ListedPlan[],
  { store, plans: folder, now }: McpContext,
): Promise<string[]> {
  if (store === undefined) return ["unknown: this server has no report store"];
  const from = addDays(dayOf(now()), -OUTCOME_DAYS);
  const lines: string[] = [];
  for (const one of plans) {
    if (!("plan" in one) || one.status.state !== "applied" || one.status.at < from) continue;
    if (one.plan.reverses !== null || lines.length >= MAX_LINES) continue;
    const applied = await folder.applied(one.plan.id);
    if (applied === undefined) continue;
    const head = `${one.plan.id}${one.plan.note === null ? "" : ` (${one.plan.note})`}: `;
    try {
      const parts = { plan: one.plan, applied, plans: [folder], now: now() };
      const { verdict, totals: { before, after }, days, immature, currency } = await store.use((opened) =>
        planOutcome.run({ ...parts, store: opened }, { plan_id: one.plan.id })
      );
      const figures = before === null || after === null
        ? "no stored figures before or after"
        : `cost ${before.cost} -> ${after.cost} ${
          currency ?? ""
        }, orders ${before.orders} -> ${after.orders} in ${days} days`;
      lines.push(
        `${head}${verdict.replaceAll("_", " ")}; ${figures}${
          immature.days > 0 ? ", orders may still arrive" : ""
        }`,
      );
    } catch (error) {
      lines.push(`${head}${(error as Error).message.split(". ")[0]}`);
    }
  }
  return lines;
}

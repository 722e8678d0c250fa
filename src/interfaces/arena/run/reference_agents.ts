import type { ToolReply, Tools } from "../judge/task.ts";
import type { Agent } from "./play.ts";

type Row = Readonly<Record<string, unknown>>;

const OBVIOUS: readonly (readonly [RegExp, string, Readonly<Record<string, unknown>>])[] = [
  [/negative|keep .* away/i, "plan_negatives", {}],
  [/becomes an exact keyword|harvest/i, "plan_harvest", {}],
  [/budget/i, "plan_budgets", {}],
  [/lower .*bids?|raise .*bids?|bids? .*%/i, "plan_bids", { preset: "wasters" }],
  [/undo|put back|as they were|restore/i, "plan_restore_from_history", { since: "-2" }],
  [/search term/i, "find_waste", {}],
  [/placement|campaign .*spend|acos/i, "run_report", { report: "sp_campaigns", time_unit: "SUMMARY" }],
  [/spend|cost/i, "compare_periods", {}],
  [/paused|changed/i, "get_change_history", {}],
];

/**
 * Reference agents without a model: one does nothing, one follows the tool that sounds right, one is careless.
 *
 * @example
 * ```ts
 * import { REFERENCE_AGENTS } from "@platform/ads/arena";
 *
 * console.log(Object.keys(REFERENCE_AGENTS).join(" ")); // idle obvious careless
 * ```
 */
export const REFERENCE_AGENTS: Readonly<Record<"idle" | "obvious" | "careless", Agent>> = {
  idle: () => Promise.resolve("I looked at it and everything is fine."),
  obvious: async (tools, instruction) => {
    const market = marketIn(instruction);
    const [, name, args] = OBVIOUS.find(([words]) => words.test(instruction)) ??
      [undefined, "list_entities", { entity: "sp_campaigns" }];
    const reply = await call(tools, name, { market, ...args });
    if (reply.data.plan_id !== undefined) await applied(tools, reply);
    const rows: readonly Row[] = reply.data.rows ?? reply.data.changes ?? [];
    return filled(instruction, (key) => {
      const wanted = key.replaceAll("_", "");
      const [, value] = Object.entries(rows[0] ?? {}).find(([name]) =>
        name.replaceAll("_", "").toLowerCase() === wanted
      ) ?? [];
      return String(value ?? rows.length);
    });
  },
  careless: async (tools, instruction) => {
    const market = marketIn(instruction);
    const [, percent = "20"] = /(\d+) ?%/.exec(instruction) ?? [];
    const sign = /lower|cut|less|reduce/i.test(instruction) ? "-" : "+";
    const bids = { market, where: "clicks30d >= 0", change: `${sign}${percent}%` };
    await applied(tools, await call(tools, "plan_bids", bids));
    const { data } = await call(tools, "list_entities", { market, entity: "sp_campaigns" });
    const items = (data.rows ?? []).map((
      { campaignId, budget }: { campaignId: string; budget: { budget: number } },
    ) => ({
      campaignId,
      budget: { ...budget, budget: Math.round(120 * budget.budget) / 100 },
    }));
    await applied(tools, await call(tools, "plan_update", { market, entity: "sp_campaigns", items }), false);
    return filled(instruction, () => String(items.length));
  },
};

async function call(tools: Tools, tool: string, args: Row): Promise<ToolReply> {
  const reply = await tools.call(tool, args);
  return reply.isError && /call_tool/.test(reply.text)
    ? await tools.call("call_tool", { tool, arguments: args })
    : reply;
}

async function applied(tools: Tools, { data }: ToolReply, checkDrift = true): Promise<void> {
  if (data.plan_id === undefined) return;
  await tools.call("apply_plan", {
    plan_id: data.plan_id,
    fingerprint: data.fingerprint,
    ...(checkDrift ? {} : { check_drift: false }),
  });
}

function marketIn(instruction: string): string {
  return /The market is ([A-Z]{2})/.exec(instruction)?.[1] ?? "US";
}

function filled(instruction: string, valueOf: (key: string) => string): string {
  return [...instruction.matchAll(/^([a-z_]+): </gm)].map(([, key = ""]) => `${key}: ${valueOf(key)}`).join(
    "\n",
  );
}

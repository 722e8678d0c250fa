import type { CampaignWeek } from "../../automation/schedules/plan_week.ts";
import { PROPOSED_SCHEDULES } from "../../automation/schedules/schedule.ts";
import type { ScheduleState } from "../../automation/schedules/schedule_state.ts";
import { decimalsOf } from "../../base/markets/markets.ts";
import { fileSystem } from "../../base/runtime/file_system.ts";
import { readIfThere } from "../../base/runtime/read_named_file.ts";
import type { ProfileClient } from "../../client/profile_client.ts";
import type { Warehouse } from "../../store/warehouse/warehouse.ts";
import { type DocumentText, textOf } from "../model/field.ts";
import { defineOperation } from "../model/operation.ts";
import { SCHEDULES_FIELD, schedulesOf } from "./schedules_field.ts";

interface WeekContext {
  readonly profile: ProfileClient;
  readonly state: ScheduleState | undefined;
  readonly store: Warehouse | undefined;
  readonly signal?: AbortSignal | undefined;
  /** File in which the schedules are proposed to a person. @default nothing is saved */
  readonly proposal?: string;
}

/** A schedule's week in one campaign, with amounts in the currency of the profile. */
interface PlannedWeek extends Omit<CampaignWeek, "campaignId" | "effectiveHigh" | "risk"> {
  readonly campaign_id: string;
  readonly effective_high: number | null;
  /** Maximum extra spend of a week from raised factors; `null` without figures. */
  readonly risk_week: number | null;
  readonly risk_by_hour: CampaignWeek["risk"];
}

export const planSchedules = defineOperation<WeekContext, readonly PlannedWeek[]>()({
  name: "auto plan schedules",
  effect: "plan",
  tool: "plan_schedule",
  title: "Propose a schedule",
  summary: "Preview a week by campaign: amounts, writes or rules, money at risk",
  details: "Sends nothing. --json adds factors and money at risk by day and hour.",
  brief:
    "Checks schedules and previews a week by campaign: amounts, writes or rules, money at risk. Nothing is sent; the " +
    "proposal waits until a person accepts it in the console. version: 1\\nschedules: { nights: { select: { names: " +
    "['SP *'] }, move: bid, grid: [{ hours: 00-06, factor: 0.5 }] } }",
  examples: [
    {
      input: {
        schedules:
          "version: 1\nschedules: { nights: { select: { names: ['SP *'] }, move: bid, grid: [{ hours: 00-06, factor: 0.5 }] } }\n",
      },
      about: "preview one week",
    },
  ],
  library: "await planWeek(profile, { schedules, store })",
  input: { schedules: SCHEDULES_FIELD },
  check: async ({ schedules }) => void await schedulesOf(schedules),
  async run({ profile, proposal, ...sources }, { schedules: document }): Promise<readonly PlannedWeek[]> {
    const { planWeek } = await import("../../automation/schedules/plan_week.ts");
    const { schedules } = await schedulesOf(document);
    const weeks = await planWeek(profile, { schedules, ...sources });
    if (proposal !== undefined) await propose(document, proposal);
    const decimals = decimalsOf(profile.countryCode);
    return weeks.map(({ campaignId, effectiveHigh, risk, ...week }) => ({
      ...week,
      campaign_id: campaignId,
      effective_high: effectiveHigh,
      risk_week: risk && Number(risk.flat().reduce((sum, one) => sum + one, 0).toFixed(decimals)),
      risk_by_hour: risk,
    }));
  },
});

async function propose(document: DocumentText, place: string): Promise<void> {
  const { putSchedules } = await import("../../automation/schedules/edit_schedules.ts");
  await fileSystem().writeText(
    place,
    putSchedules(await readIfThere(place), textOf(document), PROPOSED_SCHEDULES),
  );
}

import { type AppliedPlanData, type AppliedPlanSource, beganAt } from "../../account/drift/plan_record.ts";
import { fieldsOf } from "../../internal/fields_of.ts";
import { ChangePlan } from "../../plans/change_plan.ts";
import { appliedRecord } from "../../plans/store/applied_record.ts";
import type { Sql } from "../../store/postgres/sql.ts";

/** The plans that the workers of a queue applied: changes that they made are ours. */
export function queuePlans(sql: Sql): AppliedPlanSource {
  return {
    appliedPlans: async (profileId) => {
      const rows = await sql`
        SELECT plan, result,
          (SELECT text FROM plan_journals WHERE plan_id = rollout_plans.plan_id ORDER BY id LIMIT 1) AS journal
        FROM rollout_plans WHERE profile_id = ${profileId}
          AND EXISTS (SELECT FROM plan_journals WHERE plan_id = rollout_plans.plan_id)`;
      return rows.map(({ plan, result, journal }): AppliedPlanData => ({
        plan: ChangePlan.fromJson(String(plan)),
        record: typeof result === "string" ? appliedRecord(fieldsOf(JSON.parse(result))) : undefined,
        beganAt: beganAt(String(journal)) ?? "",
      }));
    },
  };
}

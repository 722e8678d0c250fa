import { stateSince, stateWord } from "../../../plans/store/plan_status.ts";
import * as z from "zod";
import { ConfigurationError } from "../../../errors.ts";
import { fieldShape, jsonInput } from "../../../operations/model/field_schema.ts";
import { toolName } from "../../../operations/model/operation.ts";
import { planPart } from "../../../operations/plans/plan_part.ts";
import { planList } from "../../../operations/reads/plan_list.ts";
import { planOutcome } from "../../../operations/reads/plan_outcome.ts";
import { capital } from "../../../base/text/capital.ts";
import { visibleText } from "../../../base/text/visible_text.ts";
import { showPlan } from "./plan_tool.ts";
import { PLAN, planData, planRow, planTable, planText, undoneData } from "./plan_answer.ts";
import { fittingRows, ROW_ARGS, ROWS, rowsAnswer } from "../tooling/rows.ts";
import { localTool } from "../tooling/operation_tool.ts";
import { type Tool, tool } from "../tooling/tool.ts";

export const listPlans: Tool = tool({
  name: toolName(planList),
  title: planList.title,
  description: planList.brief,
  input: z.strictObject({ ...fieldShape(planList.input), ...ROW_ARGS }),
  output: ROWS,
  effect: planList.effect,
  isLocal: true,
  sets: ["plans"],
  isListed: true,
  async run({ limit, offset, ...args }, { context, signal }) {
    const plans = await context.listPlans(await jsonInput(planList, args));
    signal.throwIfAborted();
    const rows = plans.slice(offset, offset + limit).map(planRow);
    return rowsAnswer(fittingRows(rows).rows, { noun: "plans", offset, total: plans.length });
  },
});

export const getPlan: Tool = tool({
  name: "get_plan",
  title: "Show a plan",
  description: "One saved plan: its table, fingerprint, warnings, and whether it was applied.",
  input: z.strictObject({ plan_id: z.string() }),
  output: PLAN.extend({
    state: z.string().describe("open, queued, applied, undone, refused or unfinished"),
    result: z.string().optional(),
    rollback_plan_id: z.string().optional(),
    comments: z.array(z.object({ at: z.string(), by: z.string(), text: z.string() })).optional()
      .describe("Comments of reviewers"),
  }),
  effect: "read",
  isLocal: true,
  sets: ["plans"],
  isListed: true,
  async run({ plan_id: id }, call) {
    const { plans } = call.context;
    const plan = await call.context.plan(id);
    const { readComments } = await import("../../../plans/store/plan_comments.ts");
    const { listedStatus, planToUndo } = await import("../../../plans/store/undone_plans.ts");
    const status = await listedStatus(id, [plans]);
    const applied = status.state === "applied" ? status : undefined;
    const word = stateWord(status);
    const toUndo = await planToUndo(id, status, (undo) => plans.find(undo));
    const undo = applied?.rollbackPlanId;
    // One that was sent or refused is spent.
    const isSpent = word === "applied" && undo !== undefined &&
      /applied|refused/.test((await plans.status(undo)).state);
    const comments = await readComments(plans.path, id);
    const data = planData(plan);
    const by = applied && (await plans.applied(id))?.approvedBy;
    const approved = by === undefined ? "" : `, approved by ${visibleText(by)}`;
    const lines = [status.state === "open" ? "Open" : `${capital(status.state)} at ${status.at}${approved}`];
    if (applied !== undefined) lines.push(applied.summary);
    if (status.state === "unfinished") {
      lines.push(
        "It is being sent, or it was cut off: then a person finds out what was done, with\n  " +
          `adsctl plan resume ${(await plans.find(id))?.path ?? id}`,
      );
    }
    for (const { at, by, text } of comments) lines.push(`Comment of ${by}, ${at}: ${visibleText(text)}`);
    if (applied?.undone !== undefined) {
      const { at, by, isPart } = applied.undone;
      lines.push(`It was undone${isPart ? " in part" : ""} at ${at} by plan ${by}`);
    }
    if (undo !== undefined && word === "applied") {
      const what = applied?.undone === undefined ? "it" : "the rest";
      if (!isSpent) lines.push(`Plan ${undo} undoes ${what}`);
      else if (await plans.restOfUndo({ id: toUndo }) !== undefined) {
        lines.push(`get_undo_plan of plan ${toUndo} shows what undoes ${what}`);
      }
    }
    return {
      data: {
        ...data,
        state: word,
        ...(status.state === "open" ? {} : { state_since: stateSince(status) }),
        ...(applied === undefined ? {} : { result: applied.summary }),
        ...(by === undefined ? {} : { approved_by: by }),
        ...(undo === undefined || isSpent ? {} : { rollback_plan_id: undo }),
        ...undoneData(applied?.undone),
        ...(comments.length === 0 ? {} : { comments: [...comments] }),
      },
      text: `${lines.join("\n")}\n${planText(data)}`,
      table: planTable(data),
    };
  },
});

export const getUndoPlan: Tool = tool({
  name: "get_undo_plan",
  title: "Show the undo plan",
  description:
    "The plan that undoes an applied one; sends nothing. If a person refused the undo, makes a new plan; call it then only if they ask.",
  input: z.strictObject({ plan_id: z.string() }),
  output: PLAN,
  effect: "plan",
  sets: ["plans"],
  async run({ plan_id: id }, call) {
    const plan = await call.context.plan(id);
    const undo = await call.context.plans.openUndo(plan);
    if (undo !== undefined) return await showPlan(undo, call, { isSaved: true });
    throw new ConfigurationError(`Cannot undo plan ${id}: none of its changes can be undone`);
  },
});

export const planPartTool: Tool = tool({
  name: toolName(planPart),
  title: planPart.title,
  description: planPart.brief,
  input: z.strictObject(fieldShape(planPart.input)),
  output: PLAN,
  effect: planPart.effect,
  sets: ["plans"],
  async run(args, call) {
    const input = await jsonInput(planPart, args);
    const { context, signal } = call;
    const plan = await context.plan(input.plan_id);
    const profile = await context.profile(plan.profileId, signal);
    return await showPlan(await planPart.run({ plan, store: context.plans, profile, signal }, input), call);
  },
});

const MAX_CHANGES = 50;

export const planOutcomeTool: Tool = localTool(planOutcome, {
  output: z.looseObject({ verdict: z.string() }),
  sets: ["store"],
  async answer(_, input, { context }) {
    const plan = await context.plan(input.plan_id);
    const applied = await context.plans.applied(plan.id);
    if (applied === undefined) {
      throw new ConfigurationError(
        `Cannot tell the outcome of plan ${plan.id}: it was not applied to its end. get_plan shows its state`,
      );
    }
    const parts = { plan, applied, plans: [context.plans], now: context.now() };
    const outcome = await context.figures.use((store) => planOutcome.run({ ...parts, store }, input));
    return {
      data: {
        ...outcome,
        changes: outcome.changes.slice(0, MAX_CHANGES).map((change) => ({ ...change })),
        total_changes: outcome.changes.length,
      },
      text: (planOutcome.lines?.(outcome) ?? []).join("\n"),
    };
  },
});

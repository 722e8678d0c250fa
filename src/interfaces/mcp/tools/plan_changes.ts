import * as z from "zod";
import { MARKET, type Tool, tool } from "../tooling/tool.ts";
import { findKind, KINDS } from "../../../client/entities/kinds.ts";
import {
  HOLD_BACK,
  holdBackOf,
  ITEMS,
  MAX_ITEMS,
  PLAN_ARGS,
  PLAN_HINTS,
  PLAN_OUTPUT,
  showPlan,
  TOO_MANY,
} from "../plans/plan_tool.ts";
import { catalog } from "../../../platform/catalog/catalog.ts";
import { prepareCall } from "../../../platform/catalog/prepare_call.ts";
import { CALL_ARGS, callInput, checkHeaders } from "./operations.ts";

/** Plans changes of existing entities; nothing is sent. */
export const planUpdate: Tool = tool({
  name: "plan_update",
  title: "Plan updates",
  description:
    "Plans changes to existing entities; sends nothing. Each item has the entity's id field and the fields to " +
    'change, e.g. {"keywordId":"9","bid":0.5}. Returns before and after, warnings and the fingerprint that apply_plan needs.',
  input: z.strictObject({ ...PLAN_ARGS, items: ITEMS, hold_back: HOLD_BACK }),
  output: PLAN_OUTPUT,
  hints: PLAN_HINTS,
  async run({ market, entity, items, note, hold_back: share }, call) {
    const { kind } = findKind(entity, KINDS, "tool");
    const profile = await call.context.profile(market, call.signal);
    const resource = profile.resource(kind);
    const plan = await resource.planUpdate(items, {
      note,
      holdBack: holdBackOf(share),
      signal: call.signal,
    });
    return await showPlan(plan, call);
  },
});

/** Plans new entities; nothing is sent. */
export const planCreate: Tool = tool({
  name: "plan_create",
  title: "Plan creates",
  description:
    "Plans new entities; sends nothing. Items hold the platform's fields, e.g. for sp_negative_keywords " +
    '{"campaignId":"7","adGroupId":"8","keywordText":"free","matchType":"NEGATIVE_EXACT","state":"ENABLED"}.',
  input: z.strictObject({ ...PLAN_ARGS, items: ITEMS }),
  output: PLAN_OUTPUT,
  hints: PLAN_HINTS,
  async run({ market, entity, items, note }, call) {
    const { kind } = findKind(entity, KINDS, "tool");
    const profile = await call.context.profile(market, call.signal);
    return await showPlan(
      await profile.resource(kind).planCreate(items, { note, signal: call.signal }),
      call,
    );
  },
});

/** Plans to archive entities by id; nothing is sent. */
export const planArchive: Tool = tool({
  name: "plan_archive",
  title: "Plan archives",
  description:
    "Plans archiving entities; sends nothing. Archiving is permanent: prefer plan_update with state PAUSED.",
  input: z.strictObject({ ...PLAN_ARGS, ids: z.array(z.string()).min(1).max(MAX_ITEMS, TOO_MANY) }),
  output: PLAN_OUTPUT,
  hints: PLAN_HINTS,
  async run({ market, entity, ids, note }, call) {
    const { kind } = findKind(entity, KINDS, "tool");
    const profile = await call.context.profile(market, call.signal);
    return await showPlan(await profile.resource(kind).planArchive(ids, { note, signal: call.signal }), call);
  },
});

/** Plans a call of an operation that writes; nothing is sent. */
export const planCall: Tool = tool({
  name: "plan_call",
  title: "Plan a call",
  description:
    "Plans a call of an operation that writes, where no other plan tool does it; sends nothing. Shows what would be " +
    "sent, with before and after where it can be read.",
  input: z.strictObject({ market: MARKET, ...CALL_ARGS, note: PLAN_ARGS.note }).omit({
    content_type: true,
    accept: true,
  }),
  output: PLAN_OUTPUT,
  hints: PLAN_HINTS,
  async run(args, call) {
    const operation = await catalog.get(args.operation);
    const input = callInput(args);
    // Checked before a profile is looked up, so that a bad parameter sends nothing at all.
    prepareCall(operation, { ...input, body: args.body });
    checkHeaders(operation, args.headers ?? {});
    const profile = await call.context.profile(args.market, call.signal);
    const options = { ...input, check: args.check, note: args.note, signal: call.signal };
    return await showPlan(await profile.planCall<string>(operation.id, args.body, options), call);
  },
});

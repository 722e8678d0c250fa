import { checkHoldBack, HOLD_BACK_FIELDS, holdBackOf } from "../model/hold_back.ts";
import { checkTree, isMixed, isTree, mixedDraft, treeDraft } from "./new_tree.ts";
import {
  allowedPlan,
  defineWrite,
  DENIED_FIELD,
  kindOf,
  NOTE_FIELD,
  WRITE_FIELDS,
} from "./write_operation.ts";

export const planUpdate = defineWrite({
  name: "plan update",
  title: "Plan updates",
  summary: "Plan changes from a file, without sending them",
  details:
    "FILE is CSV, a workbook, a JSON array or JSON lines; - is standard input. It needs an id column and a " +
    "column for each field to change; you can edit the output of adsctl list. Empty cells change nothing; " +
    "null in JSON clears a field. Bids and budgets can be relative (+10%, -5%, *1.2): the plan stores the " +
    "resulting amounts, rounded to what the market takes.",
  brief:
    "Plans changes to existing entities; sends nothing. Each item has the entity's id field and the fields to " +
    'change, e.g. {"keywordId":"9","bid":0.5}. Bids and budgets also take "+10%" or "*1.2". ' +
    "Returns before and after, warnings and the fingerprint that apply_plan needs.",
  examples: [],
  library: 'await profile.sp.keywords.planUpdate([{ keywordId: "9", bid: 0.5 }], { note: "raise" })',
  input: {
    ...WRITE_FIELDS,
    items: { type: "items", required: true, help: "the changes; - for standard input" },
    ...HOLD_BACK_FIELDS,
    ...NOTE_FIELD,
    ...DENIED_FIELD,
  },
  async check({ entity, items, ...others }, spelling) {
    kindOf(entity);
    if (isMixed(items)) checkTree(items);
    checkHoldBack(others, spelling);
    const { checkAmounts } = await import("./relative_amounts.ts");
    checkAmounts(items);
  },
  async run({ profile, signal, known }, { entity, items, note, ...others }) {
    const { absoluteItems } = await import("./relative_amounts.ts");
    const { items: absolute, entities, ...worked } = await absoluteItems(items, {
      profile,
      entity,
      signal,
      onRead: known?.onWorkedOut,
    });
    const more = { ...worked, findings: [...known?.findings ?? [], ...worked.findings] };
    const options = {
      note,
      signal,
      entities,
      more,
      onRead: known?.onRead,
      holdBack: holdBackOf(others),
    };
    const plan = isMixed(items)
      ? await mixedDraft(profile.plan(), absolute, entity).build(options)
      : await profile.resource(kindOf(entity)).planUpdate(absolute, options);
    return await allowedPlan(plan, { profile, signal }, others);
  },
});

export const planCreate = defineWrite({
  name: "plan create",
  title: "Plan creates",
  summary: "Plan new entities from a file, without sending them",
  details:
    "FILE is CSV with a header row, a JSON array or JSON lines; - is standard input. To create related " +
    'entities together, give each row its kind (column "entity") and a name (column "as"); others refer ' +
    'to it with {"ref":"name"} instead of an id. Undoing the plan archives the new entities.',
  brief: "Plans new entities; sends nothing. Items hold the platform's fields, e.g. for negative-keywords " +
    '{"campaignId":"7","adGroupId":"8","keywordText":"free","matchType":"NEGATIVE_EXACT","state":"ENABLED"}. ' +
    'For a campaign with its contents: "entity" in an item is its kind, "as":"c" names it, {"ref":"c"} is its id.',
  examples: [],
  library: "await profile.sp.keywords.planCreate(items)",
  input: {
    ...WRITE_FIELDS,
    items: { type: "items", required: true, help: "the new entities; - for standard input" },
    ...NOTE_FIELD,
    ...DENIED_FIELD,
  },
  check({ entity, items }) {
    kindOf(entity);
    checkTree(items);
  },
  async run({ profile, signal }, { entity, items, note, ...others }) {
    const options = { note, signal };
    const plan = isTree(items)
      ? await treeDraft(profile.plan(), items, entity).build(options)
      : await profile.resource(kindOf(entity)).planCreate(items, options);
    return await allowedPlan(plan, { profile, signal }, others);
  },
});

export const planArchive = defineWrite({
  name: "plan archive",
  title: "Plan archives",
  summary: "Plan permanent archiving of entities, without sending it",
  details:
    "IDS are ids, a file with one id per line or an id column, or - for standard input. Archiving cannot be " +
    "undone. To stop an entity for a while, plan an update to paused.",
  brief:
    "Plans archiving entities; sends nothing. Archiving is permanent: prefer plan_update with state PAUSED.",
  examples: [],
  library: 'await profile.sp.keywords.planArchive(["123", "456"])',
  input: {
    ...WRITE_FIELDS,
    ids: { type: "words", required: true, help: "ids, or one file, or -" },
    ...NOTE_FIELD,
    ...DENIED_FIELD,
  },
  check: ({ entity }) => kindOf(entity),
  async run({ profile, signal }, { entity, ids, note, ...others }) {
    const plan = await profile.resource(kindOf(entity)).planArchive(ids, { note, signal });
    return await allowedPlan(plan, { profile, signal }, others);
  },
});

import { checkHoldBack, HOLD_BACK_FIELDS, holdBackOf } from "../model/hold_back.ts";
import { checkTree, isMixed, isTree, mixedDraft, treeDraft } from "./new_tree.ts";
import { defineWrite, kindOf, NOTE_FIELD, WRITE_FIELDS } from "./write_operation.ts";

/** Plans changes of existing entities. */
export const planUpdate = defineWrite({
  name: "plan update",
  title: "Plan updates",
  summary: "Plan the changes that a file asks for, without sending them",
  details:
    "FILE is CSV or a workbook with a header row, a JSON array or JSON lines; - is standard input. It has a column with the id " +
    "and one for each field to change; a file that adsctl list printed will do. Empty cells change nothing, null in JSON empties a field. Bids and " +
    "budgets may be written +10%, -5% or *1.2: they are worked out now, and the plan holds the amounts.",
  brief:
    "Plans changes to existing entities; sends nothing. Each item has the entity's id field and the fields to " +
    'change, e.g. {"keywordId":"9","bid":0.5}. Returns before and after, warnings and the fingerprint that apply_plan needs.',
  examples: [],
  library: 'await profile.sp.keywords.planUpdate([{ keywordId: "9", bid: 0.5 }], { note: "raise" })',
  input: {
    ...WRITE_FIELDS,
    items: { type: "items", required: true, help: "the changes; - for standard input" },
    ...HOLD_BACK_FIELDS,
    ...NOTE_FIELD,
  },
  check({ entity, items, ...others }, spelling) {
    kindOf(entity);
    if (isMixed(items)) checkTree(items);
    checkHoldBack(others, spelling);
  },
  run({ profile, signal, known }, { entity, items, note, ...others }) {
    const options = { ...known, note, signal, holdBack: holdBackOf(others) };
    return isMixed(items)
      ? mixedDraft(profile.plan(), items, entity).build(options)
      : profile.resource(kindOf(entity)).planUpdate(items, options);
  },
});

/** Plans new entities. */
export const planCreate = defineWrite({
  name: "plan create",
  title: "Plan creates",
  summary: "Plan new entities from a file, without sending them",
  details:
    "FILE is CSV with a header row, a JSON array or JSON lines; - is standard input. A row may be of another kind (column " +
    'entity) and have a name (column as), which other rows give in place of an id: {"ref":"name"}. Undoing the plan, ' +
    "once applied, archives what it created.",
  brief: "Plans new entities; sends nothing. Items hold the platform's fields, e.g. for negative-keywords " +
    '{"campaignId":"7","adGroupId":"8","keywordText":"free","matchType":"NEGATIVE_EXACT","state":"ENABLED"}. ' +
    'A campaign with all in it: "entity" in an item is its kind, "as":"c" names it, {"ref":"c"} is its id.',
  examples: [],
  library: "await profile.sp.keywords.planCreate(items)",
  input: {
    ...WRITE_FIELDS,
    items: { type: "items", required: true, help: "the new entities; - for standard input" },
    ...NOTE_FIELD,
  },
  check({ entity, items }) {
    kindOf(entity);
    checkTree(items);
  },
  run({ profile, signal, known }, { entity, items, note }) {
    const options = { ...known, note, signal };
    return isTree(items)
      ? treeDraft(profile.plan(), items, entity).build(options)
      : profile.resource(kindOf(entity)).planCreate(items, options);
  },
});

/** Plans to archive entities. */
export const planArchive = defineWrite({
  name: "plan archive",
  title: "Plan archives",
  summary: "Plan to archive entities, which is for good, without sending it",
  details:
    "IDS are ids, or one file with an id a line or a column of them, or - for standard input. What is archived " +
    "cannot be brought back, so such a plan has no rollback; to stop something for a while, plan an update to paused.",
  brief:
    "Plans archiving entities; sends nothing. Archiving is permanent: prefer plan_update with state PAUSED.",
  examples: [],
  library: 'await profile.sp.keywords.planArchive(["123", "456"])',
  input: {
    ...WRITE_FIELDS,
    ids: { type: "words", required: true, help: "ids, or one file, or -" },
    ...NOTE_FIELD,
  },
  check: ({ entity }) => kindOf(entity),
  run: ({ profile, signal, known }, { entity, ids, note }) =>
    profile.resource(kindOf(entity)).planArchive(ids, { ...known, note, signal }),
});

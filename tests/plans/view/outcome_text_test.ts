import { deepEqual, equal, match } from "../../support/assert.ts";
import { failure } from "../../../src/platform/batch/item_error.ts";
import type { Change } from "../../../src/plans/model/change.ts";
import { ChangePlan, PlanResult } from "../../../src/plans/change_plan/change_plan.ts";
import {
  type ChangeResult,
  doneResult,
  failedResult,
  ownResult,
} from "../../../src/plans/model/change_result.ts";
import { missingLines, outcomeText } from "../../../src/plans/change_plan/outcome_text.ts";

const marked = (text: string): string => `<${text}>`;
const STYLES = { bold: marked, dim: marked, red: marked, green: marked, yellow: marked };

function bid(id: string): Change {
  return { kind: "sp.keywords", op: "update", id, before: { bid: 1 }, after: { bid: 2 }, label: `k${id}` };
}

const CREATE: Change = { ...bid(""), op: "create", id: null, before: {}, label: "new\u001b[2J" };

function resultOf(changes: readonly ChangeResult[]): PlanResult {
  const plan = new ChangePlan({
    id: "p1",
    profileId: "7",
    countryCode: "US",
    changes: changes.map(({ change }) => change),
  });
  const applied = { changes, stoppedBy: undefined, notWritten: [], findings: [] };
  return new PlanResult(plan, applied, { canArchive: () => true, canEmpty: () => false });
}

function lines(changes: readonly ChangeResult[], whole?: boolean): string[] {
  const options = { title: "Applied", styles: STYLES, ...(whole === undefined ? {} : { whole }) };
  return outcomeText(resultOf(changes), options).split("\n").slice(0, -1);
}

const done = (change: Change, id = change.id ?? "99"): ChangeResult => doneResult({ at: 0, change }, { id });
const refused = (change: Change, why: Partial<Parameters<typeof ownResult>[2]> = {}): ChangeResult =>
  ownResult({ at: 0, change }, "refused", { code: "NO", message: "no", ...why });

Deno.test("a result says whose plan it is of and counts what was done; a file holds the rest", () => {
  deepEqual(lines([done(bid("1")), done(bid("2"))]), [
    "Applied: plan p1 for profile 7 (US)",
    "  update sp.keywords: 2 succeeded, 0 failed",
  ]);
});

Deno.test("every failed item says what was sent, why it failed, what is allowed and what to do", () => {
  const archive: Change = { ...bid("3"), op: "archive", after: { state: "ARCHIVED" } };
  const failed = [
    refused(bid("1"), { lowerLimit: "0.02", upperLimit: "1000", hint: "Check it" }),
    refused(bid("2"), { lowerLimit: "0.02" }),
    refused(archive, { upperLimit: "9" }),
    ownResult({ at: 0, change: CREATE }, "not_sent", { code: "NOT_SENT", message: "m", hint: "h" }),
    ownResult({ at: 0, change: bid("4") }, "unknown", { code: "UNKNOWN", message: "m", hint: "h" }),
    failedResult(
      { at: 0, change: bid("5") },
      failure({ index: 0, item: {}, outcome: "partial" }, { code: "HALF", message: "m", hint: "h" }),
    ),
  ];
  deepEqual(lines(failed).slice(4), [
    ...['<  ✗ keyword k1 1> sent {"bid":2}', "      NO: no. Allowed: 0.02 to 1000. Check it"],
    ...['<  ✗ keyword k2 2> sent {"bid":2}', "      NO: no. Allowed: 0.02 to any"],
    ...["<  ✗ keyword k3 3>", "      NO: no. Allowed: any to 9"],
    ...['<  ✗ keyword new\\x1b[2J (new)> with {"bid":2}', "      never sent: NOT_SENT: m. h"],
    ...['<  ✗ keyword k4 4> sent {"bid":2}', "      may have been done: UNKNOWN: m. h"],
    ...['<  ✗ keyword k5 5> sent {"bid":2}', "      done in part: HALF: m. h"],
  ]);
});

Deno.test("of many failed items fifty are shown, and all where no file holds the result", () => {
  const failed = (count: number): ChangeResult[] =>
    Array.from({ length: count }, (_, at) => refused(bid(`${at}`)));
  const shown = (changes: readonly ChangeResult[], whole?: boolean): number =>
    lines(changes, whole).filter((line) => line.startsWith("<  ✗")).length;
  deepEqual([shown(failed(50)), shown(failed(53)), shown(failed(53), true)], [50, 50, 53]);
  equal(lines(failed(53)).at(-1), "  ... and 3 more, all in the result file");
  equal(lines(failed(50)).at(-1), "      NO: no");
  equal(lines(failed(53), true).at(-1), "      NO: no");
});

Deno.test("a reason that many changes share stands once, below all of them", () => {
  const changes = [refused(bid("1")), refused(bid("2"), { message: "other" }), refused(bid("3"))];
  deepEqual(lines(changes).slice(2), [
    ...['<  ✗ keyword k1 1> sent {"bid":2}', '<  ✗ keyword k3 3> sent {"bid":2}', "      NO: no"],
    ...['<  ✗ keyword k2 2> sent {"bid":2}', "      NO: other"],
  ]);
  equal(
    lines(Array.from({ length: 50 }, () => refused(bid("1")))).filter((line) => /NO: no/.test(line)).length,
    1,
  );
});

Deno.test("where no file holds the result, it names what was done and what was so already, with the new ids", () => {
  const already: ChangeResult = { change: bid("2"), outcome: "already" };
  deepEqual(lines([done(bid("1")), already, refused(bid("3")), done(CREATE)], true).slice(3), [
    ...['<  ✗ keyword k3 3> sent {"bid":2}', "      NO: no"],
    ...["  ✓ keyword k1 1", "  = keyword k2 2", "  ✓ keyword new\\x1b[2J 99"],
  ]);
});

Deno.test("what a call responded is shown up to five hundred characters", () => {
  const call: Change = { ...CREATE, kind: "call", op: "call", label: "x:Do" };
  const answered = (response: unknown): string => lines([{ change: call, outcome: "done", response }])[2]!;
  equal(answered({ text: "\u001b" }), '  ✓ call x:Do responded {"text":"\\u001b"}');
  match(answered("x".repeat(498)), /responded "x{498}"$/);
  match(answered("x".repeat(499)), /responded "x{499}…$/);
});

Deno.test("of what was not found ten are named, and the others counted", () => {
  const missing = Array.from({ length: 11 }, (_, at) => String(at));
  const ten = "0, 1, 2, 3, 4, 5, 6, 7, 8, 9";
  deepEqual(missingLines({ missing: missing.slice(1) }), [
    "10 not found when planned: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10",
  ]);
  deepEqual(missingLines({ missing }), [`11 not found when planned: ${ten} and 1 more`]);
});

import { equal, notEqual, throws } from "node:assert/strict";
import { ChangePlan } from "../../../src/plans/change_plan.ts";
import { ReadPlans } from "../../../src/plans/store/read_plans.ts";

function planText(bid: number, padding = 0): string {
  const text = new ChangePlan({
    profileId: "1",
    countryCode: "CA",
    changes: [{ kind: "sp.keywords", op: "update", id: "9", before: { bid: 1 }, after: { bid }, label: "x" }],
  }).toJson();
  return text + " ".repeat(padding);
}

Deno.test("a plan is read once as long as its text is the same", () => {
  const read = new ReadPlans();
  const text = planText(2);
  const plan = read.plan(text, "a.json");
  equal(read.plan(text, "a.json"), plan);
  notEqual(read.plan(text, "b.json"), plan);
  const other = read.plan(planText(3), "a.json");
  equal(other.changes[0]?.after["bid"], 3);
  notEqual(read.plan(text, "a.json"), plan);
});

Deno.test("what was read longest ago is forgotten where the texts are too large together", () => {
  const read = new ReadPlans();
  const large = 30_000_000;
  const [a, b, c] = [planText(2, large), planText(3, large), planText(4, large)];
  const [first, second] = [read.plan(a, "a.json"), read.plan(b, "b.json")];
  equal(read.plan(a, "a.json"), first);
  read.plan(c, "c.json");
  equal(read.plan(b, "b.json"), second);
  notEqual(read.plan(a, "a.json"), first);
});

Deno.test("a plan larger than all that is kept is read all the same, and a damaged one fails each time", () => {
  const read = new ReadPlans();
  const text = planText(2, 65_000_000);
  equal(read.plan(text, "a.json"), read.plan(text, "a.json"));
  for (let time = 0; time < 2; time++) throws(() => read.plan("{", "b.json"), /b\.json/);
});

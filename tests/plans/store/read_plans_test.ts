import { equal, notEqual, rejects, throws } from "../../support/assert.ts";
import { ChangePlan } from "../../../src/plans/change_plan/change_plan.ts";
import { ReadPlans } from "../../../src/plans/store/read_plans.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";

const LENGTH = 1000;

/** The text of a plan, so many characters long. */
function planText(bid: number, length = LENGTH): string {
  return new ChangePlan({
    profileId: "1",
    countryCode: "CA",
    changes: [{ kind: "sp.keywords", op: "update", id: "9", before: { bid: 1 }, after: { bid }, label: "x" }],
  }).toJson().padEnd(length);
}

const [A, B, C] = [planText(2), planText(3), planText(4)];

Deno.test("a plan is read once as long as its text is the same", () => {
  const read = new ReadPlans();
  const plan = read.plan(A, "a.json");
  equal(read.plan(A, "a.json"), plan);
  notEqual(read.plan(A, "b.json"), plan);
  const other = read.plan(B, "a.json");
  equal(other.changes[0]?.after["bid"], 3);
  notEqual(read.plan(A, "a.json"), plan);
});

Deno.test("what was read longest ago is forgotten where the texts are too long together, and no more than that", () => {
  const read = new ReadPlans(2 * LENGTH);
  const [first, second] = [read.plan(A, "a.json"), read.plan(B, "b.json")];
  equal(read.plan(A, "a.json"), first, "two that are exactly as long as what is kept");
  const third = read.plan(C, "c.json");
  equal(read.plan(B, "b.json"), second);
  equal(read.plan(C, "c.json"), third);
  notEqual(read.plan(A, "a.json"), first);
  const narrow = new ReadPlans(2 * LENGTH - 1);
  const kept = narrow.plan(A, "a.json");
  narrow.plan(B, "b.json");
  notEqual(narrow.plan(A, "a.json"), kept);
});

Deno.test("a text that takes the place of another is counted once, and is the last to be forgotten", () => {
  const read = new ReadPlans(3 * LENGTH);
  read.plan(A, "a.json");
  const second = read.plan(B, "b.json");
  for (let turn = 0; turn < 3; turn++) read.plan(turn % 2 === 0 ? B : A, "a.json");
  const last = read.plan(A, "a.json");
  read.plan(C, "c.json");
  equal(read.plan(B, "b.json"), second, "three texts fit, however often one of them was another");
  read.plan(C, "d.json");
  equal(read.plan(A, "a.json"), last);
  notEqual(read.plan(B, "b.json"), second);
});

Deno.test("a plan longer than all that is kept is read all the same, and a damaged one fails each time", () => {
  const read = new ReadPlans(LENGTH);
  const long = planText(2, LENGTH + 1);
  equal(read.plan(long, "a.json"), read.plan(long, "a.json"));
  for (let time = 0; time < 2; time++) throws(() => read.plan("{", "b.json"), /b\.json/);
});

Deno.test("a file is kept up to the length that is kept, a longer one is read anew each time", async () => {
  await using folder = await temporaryFolder();
  const [short, long, gone] = [folder.file("a.json"), folder.file("b.json"), folder.file("c.json")];
  await Deno.writeTextFile(short, A);
  await Deno.writeTextFile(long, planText(2, LENGTH + 1));
  const read = new ReadPlans(LENGTH);
  equal(await read.read(short), await read.read(short));
  notEqual(await read.read(long), await read.read(long));
  equal(await read.read(gone), undefined);
  await rejects(read.read(folder.path), /it is a folder/);
});

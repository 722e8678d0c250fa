import { deepEqual, equal } from "../../support/assert.ts";
import type { CampaignView, ChangeView } from "../../../src/plans/view/view_types.ts";
import { countedSorts, topChanges, topPlaces } from "../../../src/plans/view/plan_view.ts";

type Shown = ReturnType<Parameters<typeof topPlaces<unknown>>[1]["view"]>;

const field = (name: string, before: unknown, after: unknown): Shown["fields"][number] => ({
  field: name,
  before,
  after,
});
const update = (...fields: Shown["fields"]): Shown => ({
  op: "update",
  kind: "sp.keywords",
  label: "k",
  fields,
});
const bid = (factor: number): Shown => update(field("bid", 1, factor));
const create = (kind: string): Shown => ({ op: "create", kind, label: "n", fields: [] });
const call = (label: string): Shown => ({ op: "call", kind: "call", label, fields: [] });

function top(changes: readonly Shown[], count: number): number[] {
  return [...topPlaces(changes, { count, view: (change) => change })].sort((a, b) => a - b);
}

Deno.test("the changes that move most are the ones shown, however many there are and wherever they stand", () => {
  const small = Array.from({ length: 50 }, () => bid(1.1));
  deepEqual(top([...small, bid(9), ...small, bid(5), bid(7)], 3), [50, 101, 102]);
  deepEqual(top([bid(9), bid(3), bid(2.5), bid(2.5), bid(5)], 2), [0, 4]);
  deepEqual(top([bid(9), bid(8), bid(7), bid(6), bid(5), bid(4), bid(3)], 3), [0, 1, 2]);
  deepEqual(top([bid(3), bid(4), bid(5), bid(6), bid(7), bid(8), bid(9)], 3), [4, 5, 6]);
  deepEqual(top([bid(3), bid(9), bid(4), bid(8), bid(5), bid(7), bid(6)], 3), [1, 3, 5]);
});

Deno.test("of changes that move alike the first ones are shown", () => {
  deepEqual(top(Array.from({ length: 9 }, () => bid(1.5)), 2), [0, 1]);
  deepEqual(top([bid(2.5), bid(9), bid(9), bid(9), bid(9), bid(2.5)], 3), [1, 2, 3]);
});

Deno.test("never more are shown than asked for, and all of fewer", () => {
  deepEqual(top([bid(1.1), bid(1.2)], 5), [0, 1]);
  deepEqual(top([bid(1.1), bid(1.2), bid(9)], 1), [2]);
  deepEqual(top([bid(1.1)], 0), []);
  deepEqual(top([], 3), []);
});

Deno.test("one of each sort is shown before a second of any, as far as there is room", () => {
  const raised = Array.from({ length: 20 }, (_, at) => bid(10 + at));
  const others = [
    update(field("name", "a", "b")),
    update(field("state", "ENABLED", "PAUSED")),
    update(field("state", "PAUSED", "ENABLED")),
    create("sp.keywords"),
    create("sp.ad_groups"),
    call("x:One"),
    call("x:Two"),
  ];
  // Of each sort the most important, and of the largest sort one more.
  deepEqual(top([...raised, ...others], 9), [18, 19, 20, 21, 22, 23, 24, 25, 26]);
  deepEqual(top([...raised, ...others, ...raised], 8), [19, 20, 21, 22, 23, 24, 25, 26]);
  // Where there is no room for all sorts, the most important ones: the calls, the raise, the new ad group.
  deepEqual(top([...others, ...raised], 4), [4, 5, 6, 26]);
});

Deno.test("what is archived is a sort of its own, in whatever field that is said", () => {
  const pause = update(field("state", "ENABLED", "PAUSED"));
  const archive = update(field("state", "ENABLED", "archived"));
  deepEqual(top([pause, pause, archive, pause], 2), [0, 2]);
});

function campaign(id: string, changes: readonly Shown[]): CampaignView {
  return { campaign_id: id, campaign_name: null, changes: changes as readonly ChangeView[] };
}

Deno.test("campaigns keep the changes that are shown, and those without any are left out", () => {
  const [large, middle, small] = [bid(9), bid(5), bid(1.1)];
  const campaigns = [campaign("1", [small]), campaign("2", [middle, small]), campaign("3", [large])];
  deepEqual(topChanges(campaigns, 2), [campaign("2", [middle]), campaign("3", [large])]);
  deepEqual(topChanges(campaigns, 9), campaigns);
});

Deno.test("every sort is counted, fields apart and states by what they become", () => {
  const both = update(field("bid", 1, 2), field("state", "PAUSED", "ENABLED"));
  const campaigns = [
    campaign("1", [both, bid(3), create("sp.keywords")]),
    campaign("2", [bid(2), call("x:Do")]),
  ];
  equal(
    countedSorts(campaigns),
    "3 sp.keywords bid, 1 sp.keywords state to ENABLED, 1 sp.keywords created, 1 call of x:Do",
  );
});

import { deepEqual, equal, throws } from "../../support/assert.ts";
import fc from "fast-check";
import type { Change } from "../../../mod.ts";
import { changeGraph, refsIn, withRefs } from "../../../src/plans/model/change_ref.ts";

function change(ref: string | undefined, after: Record<string, unknown>, dependsOn?: string[]): Change {
  return {
    kind: "sp.campaigns",
    op: "create",
    id: null,
    before: {},
    after,
    label: ref ?? "",
    ...(ref === undefined ? {} : { ref }),
    ...(dependsOn === undefined ? {} : { dependsOn }),
  };
}

Deno.test("a change waits for those that its fields refer to and those that it depends on", () => {
  const graph = changeGraph([
    change("kw", { campaignId: { ref: "c" }, adGroupId: { ref: "g" } }),
    { ...change("g", { campaignId: { ref: "c" } }), kind: "sp.ad_groups" },
    change("c", { name: "n" }),
    change(undefined, { deep: [{ id: { ref: "kw" } }] }, ["c"]),
    change(undefined, {}),
  ]);
  deepEqual(graph.needs, [[2, 1], [2], [], [0, 2], []]);
  deepEqual(graph.levels, [2, 1, 0, 3, 0]);
});

Deno.test("names given twice, names of nothing and circles are refused", () => {
  throws(() => changeGraph([change("a", {}), change("a", {})]), /two changes named "a"/);
  throws(() => changeGraph([change("a", {}, ["b"])]), /refers to "b", and no change has this name/);
  throws(
    () =>
      changeGraph([
        change("a", {}, ["b"]),
        change("b", { x: { ref: "c" } }),
        change("c", {}, ["a"]),
        change("d", {}),
      ]),
    /depend on each other: "a", "b", "c"$/,
  );
  throws(() => changeGraph([change("a", {}, ["a"])]), /depend on each other: "a"/);
});

Deno.test("an empty name, and a field that refers to something of another kind, are refused", () => {
  throws(() => changeGraph([change("", {})]), /Cannot use "" as the name of change 0/);
  const keyword = { ...change(undefined, { campaignId: { ref: "p" } }), kind: "sp.keywords" };
  const portfolio = { ...change("p", {}), kind: "portfolios" };
  throws(
    () => changeGraph([portfolio, keyword]),
    /change 1: its campaignId refers to "p", which is of kind portfolios\. Refer to one of sp\.campaigns/,
  );
  throws(
    () => changeGraph([{ ...portfolio, kind: "sb.campaigns" }, keyword]),
    /Refer to one of sp\.campaigns/,
  );
  const named = { ...change(undefined, { portfolioId: { ref: "p" } }), kind: "sp.campaigns" };
  deepEqual(changeGraph([portfolio, named]).needs, [[], [0]]);
  const call = { ...change(undefined, { campaignId: { ref: "c" } }), kind: "call", op: "call" as const };
  deepEqual(changeGraph([change("c", {}), call]).needs, [[], [0]]);
});

Deno.test("in any graph a change is on a higher level than all that it needs", () => {
  const edges = fc.array(fc.tuple(fc.nat(30), fc.nat(30)), { maxLength: 120 });
  fc.assert(
    fc.property(edges, (pairs) => {
      // Only from later to earlier names: no circles.
      const needs = Array.from(
        { length: 31 },
        (_, at) => pairs.flatMap(([a, b]) => a === at && b < a ? [`n${b}`] : []),
      );
      const shuffled = needs.map((names, at) => change(`n${at}`, {}, names)).reverse();
      const graph = changeGraph(shuffled);
      graph.needs.forEach((before, at) => {
        for (const need of before) equal(graph.levels[need]! < graph.levels[at]!, true);
      });
    }),
    { seed: 1, numRuns: 200 },
  );
});

Deno.test("references are found and replaced at any depth, and nothing else is taken for one", () => {
  const fields = { a: { ref: "x" }, b: [{ ref: "y" }], c: { ref: 5 }, d: { ref: "z", more: 1 }, e: "ref" };
  deepEqual(refsIn(fields), ["x", "y"]);
  deepEqual(withRefs(fields, (ref) => `id of ${ref}`), { ...fields, a: "id of x", b: ["id of y"] });
  const deep = { a: { b: { ref: "x" }, c: null } };
  deepEqual(refsIn(deep), ["x"]);
  deepEqual(withRefs(deep, (ref) => `id of ${ref}`), { a: { b: "id of x", c: null } });
});

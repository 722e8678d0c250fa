import { z } from "zod";
import { deepEqual, rejects } from "../support/assert.ts";
import { parsePacing } from "../../src/automation/pacing/pacing_file.ts";
import { validParts } from "../../src/base/runtime/valid_parts.ts";

const Item = z.strictObject({ size: z.number(), way: z.string().default("up"), note: z.string().optional() });
const Shape = z.strictObject({ items: z.array(Item), byName: z.record(z.string(), Item) });

Deno.test("valid parts keep the names of invalid fields, fill in defaults, and leave out what is not written", () => {
  const [broken, whole] = [{ size: "much", note: 1 }, { size: 1 }];
  deepEqual(validParts(Shape, { items: [broken, whole, 3], byName: { broken, whole }, more: 1 }), {
    items: [{ size: undefined, way: "up", note: undefined }, { size: 1, way: "up" }, undefined],
    byName: { broken: { size: undefined, way: "up", note: undefined }, whole: { size: 1, way: "up" } },
  });
  deepEqual(validParts(Shape, [1]), undefined);
});

Deno.test("a first day that is wrong is not reported as missing too", async () => {
  const parsed = async (from: string) =>
    await parsePacing(`version: 1\nbudgets: { all: { amount: 9000${from}, to: 2026-12-31 } }`, "p.yaml");
  await rejects(parsed(", from: soon"), (error: Error) => {
    deepEqual(error.message.split("\n").slice(1).map((line) => line.split(": ")[1]), ["budgets.all.from"]);
    return true;
  });
  await rejects(parsed(""), /budgets\.all\.to: Write from and to together/);
});

import fc from "fast-check";
import { KINDS } from "../../src/client/entities/kinds/kinds.ts";
import { fakeScope } from "../support/fake_scope.ts";
import { ok } from "../support/assert.ts";

/** Values that a file, a tool or a program may give a field: days that are none, texts, numbers, lists, nothing. */
const VALUE = fc.oneof(
  fc.constantFrom("2026-13-45", "20261345", "2026-02-30", "0000-00-00", "9999-12-31", "", " ", "9e999"),
  fc.date({ noInvalidDate: true }).map((moment) => moment.toISOString()),
  // No text can be made of an object that hides how to.
  fc.jsonValue({ maxDepth: 3 }).filter((value) => !/"(?:toString|valueOf)"/.test(JSON.stringify(value))),
);

for (const { kind, wire, unified = wire, updatable, idField, required } of Object.values(KINDS)) {
  const { problems: problemsOf } = await unified.load();
  if (problemsOf === undefined) continue;
  Deno.test(`whatever a field of ${kind} holds, the unified wire says so or sends it`, () => {
    const scope = fakeScope(() => []);
    const fields = [...new Set([...updatable, ...required])];
    fc.assert(
      fc.property(
        fc.constantFrom(...fields),
        VALUE,
        fc.constantFrom("create", "update"),
        (field, value, op) => {
          const problems = problemsOf(scope, { [idField]: "1", [field]: value }, op);
          ok(problems.every(({ message }) => message.length > 0));
        },
      ),
      { numRuns: 400, seed: 31 },
    );
  });
}

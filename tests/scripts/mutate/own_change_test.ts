import { deepEqual } from "../../support/assert.ts";
import { leastShared, ownChange } from "../../../scripts/mutate/own_change.ts";
import type { Mutant } from "../../../scripts/mutate/mutant.ts";
import type { KnownTest } from "../../../scripts/mutate/test_protocol.ts";

function mutant(id: number, line = id, path = `src/${line}.ts`): Mutant {
  return { id, path, line, column: 1, context: "", before: "1", after: "2" };
}

/** A test of a file, with the changes that it notices. */
function test(
  file: string,
  notices: readonly number[] = [],
): KnownTest & { readonly notices: readonly number[] } {
  return { file, name: "", index: 0, milliseconds: 1, passed: 1, reached: [], notices };
}

const A = test("a_test.ts", [2, 3]);
const B = test("b_test.ts", [2]);
const C = test("c_test.ts");
const REACHING = new Map([[1, [A, B, C]], [2, [A, B]], [3, [B, A, C, A]], [4, [A]], [5, [B]]]);

Deno.test("changes that the fewest other files reach come first, one of a line and three of a source", () => {
  const shared = leastShared("a_test.ts", [1, 2, 3, 4, 5].map((id) => mutant(id)), (id) => REACHING.get(id)!);
  deepEqual(shared.map(({ mutant: { id } }) => id), [4, 2, 1, 3]);
  deepEqual(shared[1], { mutant: mutant(2), mine: [A], others: [B], files: 1 });
  const source = [1, 2, 3, 4].map((id) => mutant(id, id, "src/a.ts"));
  deepEqual(leastShared("a_test.ts", source, (id) => REACHING.get(id)!).map(({ mutant: { id } }) => id), [
    4,
    2,
    1,
  ]);
  const line = [1, 2, 3].map((id) => mutant(id, 7));
  deepEqual(leastShared("a_test.ts", line, (id) => REACHING.get(id)!).map(({ mutant: { id } }) => id), [2]);
});

Deno.test("a change is a file's own when its tests notice it and no other file does", async () => {
  const isNoticed = ({ id }: Mutant, tests: readonly KnownTest[]): Promise<boolean> =>
    Promise.resolve(tests.some((one) => (one as typeof A).notices.includes(id)));
  const shared = (file: string, ids: readonly number[]) =>
    leastShared(file, ids.map((id) => mutant(id)), (id) => REACHING.get(id)!);
  deepEqual(await ownChange(shared("a_test.ts", [1, 2, 3, 4]), isNoticed), {
    own: mutant(3),
    tried: 4,
    noticed: 2,
  });
  deepEqual(await ownChange(shared("b_test.ts", [1, 2, 3, 5]), isNoticed), {
    own: undefined,
    tried: 4,
    noticed: 1,
  });
});

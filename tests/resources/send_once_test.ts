import { deepEqual, equal } from "node:assert/strict";
import { emulated } from "../support/emulated.ts";

Deno.test("an id that is given twice is sent once, and both of its places have the verdict", async () => {
  await using world = await emulated();
  const [one, two] = (await world.us.sp.keywords.list()).map(({ keywordId }) => keywordId) as [
    string,
    string,
  ];
  const heard: (readonly number[])[] = [];
  for (const work of ["pause", "delete"] as const) {
    const ids = [one, two, one, "404", one, "404"];
    const result = await world.us.sp.keywords[work](ids, {
      onSending: (indexes) => void heard.push([...indexes].sort()),
      onVerdicts: ({ successes, errors }) =>
        void heard.push([...successes, ...errors].map(({ index }) => index).sort()),
    });
    deepEqual(result.successes.map(({ index, id }) => [index, id]), [[0, one], [1, two], [2, one], [4, one]]);
    deepEqual(result.errors.map(({ index }) => index), [3, 5]);
    const sent = JSON.parse(world.emulator.requests().at(-1)!.body!);
    equal(JSON.stringify(sent).split(one).length - 1, 1, "sent once");
  }
  deepEqual(heard, Array(4).fill([0, 1, 2, 3, 4, 5]));
});

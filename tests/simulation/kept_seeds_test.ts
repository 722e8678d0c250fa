import "./world/realm.ts";
import { equal } from "../support/assert.ts";
import { KEPT_SEEDS } from "./kept_seeds.ts";
import { SCENARIOS } from "./scenarios.ts";
import { simulate } from "./simulate.ts";
import { long } from "../support/long.ts";

Deno.test("100 fresh seeds are played in all, some of every scenario", () => {
  equal(SCENARIOS.reduce((sum, { seeds }) => sum + seeds, 0), 100);
  equal(SCENARIOS.filter(({ seeds }) => seeds < 1).length, 0);
});

for (const { scenario, seed, found } of KEPT_SEEDS) {
  long();
  Deno.test({
    name: `seed ${seed} of ${scenario} does not break again: ${found}`,
    sanitizeOps: false,
    sanitizeResources: false,
    fn: async () => {
      const { error } = await simulate(SCENARIOS.find(({ name }) => name === scenario)!, { seed });
      equal(error?.message, undefined);
    },
  });
}

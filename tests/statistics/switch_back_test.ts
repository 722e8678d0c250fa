import { deepEqual, equal, ok, throws } from "../support/assert.ts";
import { drawSwitchBack, measureSwitchBack } from "../../src/base/statistics/mod.ts";
import { figuresOf } from "./support.ts";
import { long } from "../support/long.ts";

Deno.test("a calendar has one week on and one off in each pair, by the seed", () => {
  const weeks = drawSwitchBack({ from: "2026-09-07", weeks: 12, seed: "nights" });
  equal(weeks.length, 12);
  for (let pair = 0; pair < 6; pair++) {
    equal(weeks.filter((one) => one.pair === pair && one.isOn).length, 1);
    equal(weeks.filter((one) => one.pair === pair && !one.isOn).length, 1);
  }
  deepEqual([weeks[0]!.start, weeks[0]!.end, weeks[11]!.end], ["2026-09-07", "2026-09-13", "2026-11-29"]);
  deepEqual(drawSwitchBack({ from: "2026-09-07", weeks: 12, seed: "nights" }), weeks);
  const firsts = Array.from(
    { length: 200 },
    (_, seed) => drawSwitchBack({ from: "2026-09-07", weeks: 2, seed })[0]!.isOn,
  );
  const on = firsts.filter(Boolean).length;
  ok(on > 70 && on < 130, `${on} of 200 begin with a week on`);
  for (const weeks of [0, 1, 3, 2.5, -2]) {
    throws(() => drawSwitchBack({ from: "2026-09-07", weeks, seed: 1 }), /even number/);
  }
});

const PAIRS = [[110, 100], [125, 110], [98, 92], [130, 121], [101, 88], [119, 112], [90, 95], [
  140,
  118,
]] as const;

Deno.test("effect, interval and p agree with another program, and so few pairs that no draw can refuse leave it open", () => {
  const measured = (count: number) =>
    measureSwitchBack(PAIRS.slice(0, count).map(([on, off]) => ({ on, off })), { seed: 1 });
  // A Python script: all 256 turns of the pairs by itertools, ends by a scan in steps of 0.00001 in logarithms.
  const { effect, low, high, pValue } = measured(8);
  const near = (a: number, b: number): void => ok(Math.abs(a - b) < 3e-5, `${a} ${b}`);
  near(effect, 0.0878145);
  near(low, 0.0235231);
  near(high, 0.1441713);
  near(pValue, 0.015625);
  deepEqual([measured(5).low, measured(5).high], [-1, Infinity]);
  ok(measured(6).low > -1 && measured(6).high < Infinity);
  throws(() => measureSwitchBack([], { seed: 1 }), /no pair/);
  throws(() => measureSwitchBack([{ on: 3, off: 0 }], { seed: 1 }), /makes no ratio/);
});

long();
Deno.test("of 300 switch-backs, 92 to 98 of 100 intervals hold the effect, whatever the season does between pairs", () => {
  const { normal } = figuresOf("switch back");
  for (const [truth, count] of [[0, 8], [0.1, 8], [-0.2, 16]] as const) {
    let held = 0;
    for (let round = 0; round < 300; round++) {
      const pairs = Array.from({ length: count }, (_, pair) => {
        const season = 1000 * Math.exp(0.4 * Math.sin(pair));
        return {
          on: season * (1 + truth) * Math.exp(0.1 * normal()),
          off: season * Math.exp(0.1 * normal()),
        };
      });
      const { low, high } = measureSwitchBack(pairs, { seed: round, redraws: 1000 });
      if (low <= truth && high >= truth) held++;
    }
    ok(held >= 276 && held <= 295, `${held} of 300 at ${truth}`);
  }
});

import { deepEqual, equal } from "../support/assert.ts";
import { spokenFact, WATCH_OVERS, watchNames } from "../../src/automation/watch/watch_names.ts";

Deno.test("facts are named in alerts as people say them", () => {
  const spoken = {
    acos30d: "ACOS of 30 days",
    cost1d: "cost of 1 day",
    cost7d_before: "cost of the 7 days before",
    cost1d_median: "usual cost of the weekday",
    clicks1d_mad: "usual spread of clicks of the weekday",
    cvr14d_low: "conversion rate of 14 days, low end",
    budget_used7d: "budget used in 7 days",
    full_days7d: "days out of budget, of 7",
    clicks1h: "clicks of the hour",
    cost_today: "cost today",
    expires_days: "days until a missing day expires",
    lost_days: "lost days",
  };
  for (const [name, words] of Object.entries(spoken)) equal(spokenFact(name), words);
});

Deno.test("no name of a fact stands in an alert as conditions write it, and no two are the same words", () => {
  for (const over of WATCH_OVERS) {
    const names = watchNames(over);
    const words = names.map(spokenFact);
    deepEqual(words.filter((text) => /_|\d[dh]\b/.test(text)), []);
    deepEqual(words.filter((text, at) => words.indexOf(text) !== at), []);
  }
});

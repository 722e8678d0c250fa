import { deepEqual, equal } from "../support/assert.ts";
import type { JsonObject } from "../../src/emulator/mod.ts";
import { Caller } from "./caller.ts";
import { errorsOf, pick, PORTFOLIOS, write } from "./products.ts";

Deno.test("a portfolio is created, listed in budget, and renamed", async () => {
  await using caller = await Caller.start();
  const budget = { amount: 100, currencyCode: "USD", policy: "MONTHLY_RECURRING" };
  const { success } = await write(caller, ["POST", "portfolios"], [{
    name: "New",
    state: "ENABLED",
    budget,
  }]);
  const { portfolioId } = success[0];
  const created = pick(caller, "portfolios", (found) => found.portfolioId === portfolioId);
  equal(created.inBudget, true);
  deepEqual(created.budget, budget);
  await write(caller, ["PUT", "portfolios"], [{ portfolioId, name: "Newer" }]);
  equal(pick(caller, "portfolios", (found) => found.portfolioId === portfolioId).name, "Newer");
});

Deno.test("portfolios cannot be archived: there is no such operation", async () => {
  await using caller = await Caller.start();
  const body = { portfolioIdFilter: { include: ["1"] } };
  equal((await caller.call("POST", "/portfolios/delete", body, { type: PORTFOLIOS.type })).status, 403);
});

const REFUSED: readonly [item: JsonObject, errorType: string, reason: string, field: string][] = [
  [{ name: "Clearance" }, "duplicateValueError", "DUPLICATE_VALUE", "name"],
  [{ state: "PAUSED" }, "rangeError", "INVALID_ENUM_VALUE", "state"],
  [
    { budget: { amount: 5, currencyCode: "EUR" } },
    "currencyError",
    "CURRENCY_NOT_MATCHING_PREFERRED_CURRENCY",
    "budget.currencyCode",
  ],
  [
    { budget: { policy: "DATE_RANGE", startDate: "2026-12-02", endDate: "2026-12-01" } },
    "dateError",
    "START_DATE_AFTER_END_DATE",
    "budget.startDate",
  ],
  [{ budget: { amount: -1 } }, "rangeError", "TOO_LOW", "budget.amount"],
];

for (const [change, errorType, reason, field] of REFUSED) {
  Deno.test(`a portfolio with ${JSON.stringify(change)} is refused with ${reason}`, async () => {
    await using caller = await Caller.start();
    const verdicts = await write(caller, ["POST", "portfolios"], [{
      name: "New",
      state: "ENABLED",
      ...change,
    }]);
    deepEqual(errorsOf(verdicts), [[0, errorType, reason, `$.portfolios[0].${field}`]]);
  });
}

Deno.test("more than 100 portfolios in one request are refused", async () => {
  await using caller = await Caller.start();
  const portfolios = Array.from({ length: 101 }, (_, index) => ({ name: `P${index}`, state: "ENABLED" }));
  equal((await caller.call("POST", "/portfolios", { portfolios }, { type: PORTFOLIOS.type })).status, 400);
});

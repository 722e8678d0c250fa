import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigurationError } from "../../../src/errors.ts";
import type { StoreDriver } from "../../../src/store/model/store_driver.ts";
import { amounts } from "../../../src/store/views/amounts.ts";
import { checkConversion, checkRates } from "../../../src/store/views/check_rates.ts";
import { sqlDialect } from "../../../src/store/tables/sql_dialect.ts";
import type { CurrencyRate } from "../../../src/store/model/store_view.ts";

const EUR = { currency: "EUR", rate: 1.1 };

test("rates that nothing can be converted by are refused by name", () => {
  const check = (currency: string, ...rates: CurrencyRate[]): void => checkConversion({ currency, rates });
  check("USD");
  check("USD", EUR, { ...EUR, from: "2026-01-01" }, { ...EUR, from: "2026-02-01" }, {
    ...EUR,
    currency: "GBP",
  });
  for (const code of ["usd", "US", "EURO", "E1R", "'"]) {
    assert.throws(() => check(code, EUR), TypeError, code);
    assert.throws(
      () => check("USD", EUR, { ...EUR, currency: code }),
      /is not a currency, expected a code/,
      code,
    );
  }
  for (const rate of [0, -1, NaN, Infinity]) {
    assert.throws(
      () => check("USD", { ...EUR, rate }),
      /Cannot convert EUR to USD: the rate .* is not a number above 0/,
    );
  }
  check("USD", { ...EUR, rate: 1e-9 });
  assert.throws(
    () => check("USD", { ...EUR, from: "2026-13-01" }),
    /"2026-13-01" as the first day of a rate of EUR/,
  );
  assert.throws(() => check("USD", EUR, EUR), /^RangeError: Cannot convert EUR to USD: it has two rates$/);
  assert.throws(
    () => check("USD", { ...EUR, from: "2026-01-01" }, { ...EUR, from: "2026-01-01" }),
    /it has two rates from 2026-01-01$/,
  );
});

/** What converting to a currency says of a store of some countries, whose first day is given. */
async function refusal(
  countries: readonly string[],
  rates: readonly CurrencyRate[],
  first: string | null = "2026-06-01",
): Promise<string | undefined> {
  const profiles = countries.map((countryCode) => ({ profileId: "1", countryCode }));
  const driver = {
    profiles: () => Promise.resolve(profiles),
    query: () => Promise.resolve({ columns: ["first"], rows: [{ first }], truncated: false }),
  };
  return await checkRates(driver as unknown as StoreDriver, { currency: "USD", rates }).then(
    () => undefined,
    (error: Error) => {
      assert(error instanceof ConfigurationError);
      return error.message;
    },
  );
}

test("every currency of the store needs a rate from its first day on, but for the wanted one", async () => {
  assert.equal(await refusal([], []), undefined);
  assert.equal(await refusal(["US", "somewhere"], []), undefined);
  assert.equal(await refusal(["US", "DE", "FR"], [EUR]), undefined);
  assert.match(
    await refusal(["US", "UK", "DE"], [EUR]) ?? "",
    /^Cannot convert amounts to USD: there is no rate for GBP, which profiles of the store have$/,
  );
  const from = (day: string): CurrencyRate => ({ ...EUR, from: day });
  assert.equal(await refusal(["DE"], [from("2026-06-01")]), undefined, "on its first day");
  assert.equal(await refusal(["DE"], [from("2026-07-01"), from("2026-05-01")]), undefined);
  assert.equal(
    await refusal(["DE"], [from("2026-07-01"), EUR]),
    undefined,
    "a rate without a day holds always",
  );
  assert.match(
    await refusal(["DE"], [from("2026-08-01"), from("2026-06-02")]) ?? "",
    /the rates of EUR begin on 2026-06-02, and the store on 2026-06-01$/,
  );
  assert.equal(await refusal(["DE"], [from("2026-08-01")], null), undefined, "an empty store");
  assert.match(
    await refusal(["DE", "UK"], [EUR, { ...EUR, currency: "GBP", from: "2027-01-01" }]) ?? "",
    /rates of GBP/,
  );
});

test("each rate holds from its day to the next one of its currency, in whatever order they come", () => {
  const { before, money, currency } = amounts({
    currency: "USD",
    rates: [
      { ...EUR, rate: 3, from: "2026-03-01" },
      { currency: "GBP", rate: 9, from: "2026-01-15" },
      { ...EUR, rate: 1 },
      { ...EUR, rate: 2, from: "2026-02-01" },
      { currency: "USD", rate: 7 },
    ],
  }, sqlDialect("SQLite"));
  const rates = [...before.matchAll(/\('(\w+)', '([\d-]+)', '([\d-]+)', CAST\(([\d.]+) AS/g)];
  assert.deepEqual(rates.map(([, code, from, to, rate]) => [code, from, to, rate]), [
    ["USD", "0001-01-01", "9999-12-31", "1"],
    ["EUR", "0001-01-01", "2026-02-01", "1"],
    ["EUR", "2026-02-01", "2026-03-01", "2"],
    ["EUR", "2026-03-01", "9999-12-31", "3"],
    ["GBP", "2026-01-15", "9999-12-31", "9"],
  ]);
  assert.equal(money("r.cost"), "(r.cost * rates.rate)");
  assert.equal(currency("r"), "'USD'");
});

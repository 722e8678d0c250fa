import assert from "node:assert/strict";
import { ConfigurationError, marketOf, MARKETPLACES, normalizeCountry, regionOf } from "../mod.ts";
import { bidLimits, budgetLimits } from "../src/base/markets/market_limits.ts";
import { decimalsOf, isCountryCode, timeZoneOf } from "../src/base/markets/markets.ts";

const REGIONS = {
  NA: ["US", "CA", "MX", "BR"],
  EU: ["UK", "DE", "FR", "IT", "ES", "NL", "SE", "PL", "BE", "IE", "TR", "AE", "SA", "EG", "IN", "ZA"],
  FE: ["JP", "AU", "SG"],
};

Deno.test("Every marketplace belongs to its region", () => {
  for (const [region, countries] of Object.entries(REGIONS)) {
    for (const country of countries) assert.equal(regionOf(country), region, country);
  }
  assert.deepEqual([...MARKETPLACES].sort(), Object.values(REGIONS).flat().sort());
});

Deno.test("UK and GB are one marketplace, in any case, and UK is the spelling", () => {
  for (const code of ["UK", "GB", "gb", " uk "]) {
    assert.equal(normalizeCountry(code), "UK");
    assert.equal(regionOf(code), "EU");
  }
});

Deno.test("An unknown marketplace is refused with the list of those there are", () => {
  assert.throws(() => regionOf("XX"), (error: Error) => {
    assert.ok(error instanceof ConfigurationError);
    assert.match(error.message, /"XX".*US, CA.*JP, AU, SG/);
    return true;
  });
});

Deno.test("A country code is two letters", () => {
  assert.deepEqual(["US", "de", "USA", "U1", "", "123"].map(isCountryCode), [
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});

/** Currencies of the 23 markets as their countries have them, written down apart from the table. */
const CURRENCIES = {
  US: "USD",
  CA: "CAD",
  MX: "MXN",
  BR: "BRL",
  UK: "GBP",
  DE: "EUR",
  FR: "EUR",
  IT: "EUR",
  ES: "EUR",
  NL: "EUR",
  SE: "SEK",
  PL: "PLN",
  BE: "EUR",
  IE: "EUR",
  TR: "TRY",
  AE: "AED",
  SA: "SAR",
  EG: "EGP",
  IN: "INR",
  ZA: "ZAR",
  JP: "JPY",
  AU: "AUD",
  SG: "SGD",
};

Deno.test("Every market has the currency of its country; Sweden pays in kronor, Poland in zloty", () => {
  const found = Object.fromEntries(MARKETPLACES.map((country) => [country, marketOf(country)?.currency]));
  assert.deepEqual(found, CURRENCIES);
});

Deno.test("Amounts have two decimals everywhere but in Japan, also where the market is not known", () => {
  const whole = MARKETPLACES.filter((country) => decimalsOf(country) !== 2);
  assert.deepEqual([whole, decimalsOf("JP"), decimalsOf("XX")], [["JP"], 0, 2]);
});

Deno.test("Every market has a time zone that the runtime knows, on the right side of the world", () => {
  const noonUtc = new Date("2026-01-15T12:00:00Z");
  const hours: Record<string, [number, number]> = { NA: [4, 9], EU: [12, 18], FE: [20, 23] };
  for (const country of MARKETPLACES) {
    const market = marketOf(country)!;
    const text = new Intl.DateTimeFormat("en-GB", {
      timeZone: market.timeZone,
      hour: "2-digit",
      hour12: false,
    });
    const hour = Number(text.format(noonUtc));
    const [from, to] = hours[market.region]!;
    assert.ok(hour >= from && hour <= to, `${country} is at ${hour} when it is noon in UTC`);
  }
});

Deno.test("A profile whose time zone is missing, empty or unknown has the days of its market", () => {
  for (const timezone of [undefined, "", "Mars/Olympus", "UTC+99"]) {
    assert.equal(timeZoneOf({ countryCode: "SE", timezone }), "Europe/Stockholm", timezone);
  }
  assert.equal(timeZoneOf({ countryCode: "SE", timezone: "America/New_York" }), "America/New_York");
  assert.equal(timeZoneOf({ countryCode: "XX" }), "UTC");
});

Deno.test("Every market has limits for bids and daily budgets, the lower one below the higher one", () => {
  for (const country of MARKETPLACES) {
    const limits = [
      bidLimits(country, "sp"),
      bidLimits(country, "sb_image_cpc"),
      bidLimits(country, "sb_video_cpc"),
      budgetLimits(country, "sp_daily"),
      budgetLimits(country, "sb_daily"),
      budgetLimits(country, "sb_lifetime"),
    ];
    for (const limit of limits) {
      assert.ok(limit !== undefined && 0 < limit.min && limit.min < limit.max, country);
    }
  }
});

Deno.test("Limits are those of the market, the product and the kind of account", () => {
  assert.deepEqual(bidLimits("GB", "sp"), { min: 0.02, max: 1000, doubtful: false });
  assert.deepEqual(bidLimits("SE", "sp"), { min: 0.18, max: 9300, doubtful: false });
  assert.deepEqual(bidLimits("JP", "sb_video_cpc"), { min: 15, max: 7760, doubtful: false });
  assert.deepEqual(bidLimits("EG", "sp"), { min: 0.15, max: 5.5, doubtful: true });
  assert.deepEqual(budgetLimits("IN", "sp_daily"), { min: 50, max: 21_000_000, doubtful: false });
  assert.equal(budgetLimits("IN", "sb_daily", "seller")?.min, 100);
  assert.equal(budgetLimits("IN", "sb_daily", "vendor")?.min, 500);
  assert.equal(budgetLimits("US", "sd_daily")?.max, 50_000);
  assert.equal(bidLimits("IE", "sd_cpc"), undefined);
  assert.equal(budgetLimits("XX", "sp_daily"), undefined);
});

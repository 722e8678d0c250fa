import assert from "node:assert/strict";
import { ConfigurationError, MARKETPLACES, normalizeCountry, regionOf } from "../../mod.ts";
import { isCountryCode } from "../../src/connection/marketplace.ts";

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

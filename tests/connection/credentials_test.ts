import assert from "node:assert/strict";
import { ConfigurationError, type Credentials, daysUntilExpiry } from "../../mod.ts";
import { checkCredentials } from "../../src/platform/connection/credentials.ts";

const GOOD: Credentials = { clientId: "id", clientSecret: "secret", refreshToken: "Atzr|token" };

function refused(credentials: Partial<Credentials>, pattern: RegExp): void {
  assert.throws(() => checkCredentials(credentials), (error: Error) => {
    assert.ok(error instanceof ConfigurationError);
    assert.match(error.message, pattern);
    return true;
  });
}

Deno.test("Each missing credential is named by its variable, with a way out", () => {
  refused(
    {},
    /PLATFORM_ADS_CLIENT_ID, PLATFORM_ADS_CLIENT_SECRET, PLATFORM_ADS_REFRESH_TOKEN are.*dotenv file$/,
  );
  refused({ ...GOOD, clientSecret: "" }, /: PLATFORM_ADS_CLIENT_SECRET is not set.*dotenv file$/);
});

Deno.test("A credential that no header or form could carry is refused without being shown", () => {
  for (const value of ["two words", "line\nbreak", "tab\t", "sécret", "日本"]) {
    refused({ ...GOOD, clientSecret: value }, /PLATFORM_ADS_CLIENT_SECRET/);
    assert.throws(
      () => checkCredentials({ ...GOOD, clientSecret: value }),
      (error: Error) => !error.message.includes(value),
    );
  }
});

Deno.test("A consent date is a day that exists", () => {
  assert.deepEqual(checkCredentials({ ...GOOD, consentDate: "2028-02-29" }).consentDate, "2028-02-29");
  for (const date of ["2026-02-29", "2026-13-01", "26-01-01", "2026-1-1", "yesterday", "2026-01-01T00:00"]) {
    refused({ ...GOOD, consentDate: date }, /PLATFORM_ADS_CONSENT_DATE.*YYYY-MM-DD/);
  }
});

Deno.test("A refresh token expires 365 days after consent", () => {
  const at = (consentDate: string, now: string): number | undefined =>
    daysUntilExpiry({ ...GOOD, consentDate }, Date.parse(now));
  assert.equal(at("2026-01-01", "2026-01-01T00:00:00Z"), 365);
  assert.equal(at("2026-01-01", "2026-12-31T23:59:59Z"), 0);
  assert.equal(at("2026-01-01", "2027-01-01T00:00:00Z"), 0);
  assert.equal(at("2026-01-01", "2027-01-01T00:00:01Z"), -1);
  assert.equal(at("2026-01-01", "2026-12-02T12:00:00Z"), 29);
  assert.equal(daysUntilExpiry(GOOD, 0), undefined);
});

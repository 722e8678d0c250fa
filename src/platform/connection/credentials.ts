import { isDay } from "../../base/time/calendar.ts";
import { ConfigurationError } from "../../errors.ts";

/** Identity of the caller at the identity provider. */
export interface Credentials {
  /** Id of the registered application. */
  readonly clientId: string;
  /** Secret of the registered application. */
  readonly clientSecret: string;
  /** Long-lived token of the person who consented. */
  readonly refreshToken: string;
  /** Day of the consent, `YYYY-MM-DD`; lets the tools warn before the refresh token expires. */
  readonly consentDate?: string;
}

/** Days after consent at which a refresh token expires (for tokens issued since mid-2026). */
const CONSENT_DAYS = 365;

const DAY = 86_400_000;

/**
 * Whole days until the refresh token expires, negative when it has; `undefined` without a consent date.
 *
 * @param now Milliseconds since the epoch.
 *
 * @example
 * ```ts
 * import { daysUntilExpiry } from "@platform/ads";
 *
 * const credentials = { clientId: "id", clientSecret: "secret", refreshToken: "token", consentDate: "2026-11-01" };
 * console.log(daysUntilExpiry(credentials, Date.parse("2026-11-20T00:00:00Z"))); // 346
 * ```
 */
export function daysUntilExpiry(credentials: Credentials, now: number): number | undefined {
  if (credentials.consentDate === undefined) return undefined;
  const consent = Date.parse(`${credentials.consentDate}T00:00:00Z`);
  return Math.floor((consent + CONSENT_DAYS * DAY - now) / DAY);
}

export function checkCredentials(credentials: Partial<Credentials>): Credentials {
  const { clientId = "", clientSecret = "", refreshToken = "", consentDate } = credentials;
  const required = { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret, REFRESH_TOKEN: refreshToken };
  const missing = Object.entries(required).filter(([, value]) => !value).map(([name]) =>
    `PLATFORM_ADS_${name}`
  );
  if (missing.length > 0) {
    const [are, them] = missing.length === 1 ? ["is", "it"] : ["are", "them"];
    throw new ConfigurationError(
      `Cannot log in: ${
        missing.join(", ")
      } ${are} not set. Put ${them} into the environment or a dotenv file`,
      { missing },
    );
  }
  for (const [name, value] of Object.entries(required)) {
    if (/[^\x21-\x7e]/.test(value)) {
      throw new ConfigurationError(
        `Cannot use PLATFORM_ADS_${name}: it holds white space or a character that is not plain ASCII`,
      );
    }
  }
  if (consentDate !== undefined && !isDay(consentDate)) {
    throw new ConfigurationError(
      `Cannot read PLATFORM_ADS_CONSENT_DATE: "${consentDate}" is not a date of the form YYYY-MM-DD`,
    );
  }
  return {
    clientId,
    clientSecret,
    refreshToken,
    ...(consentDate === undefined ? {} : { consentDate }),
  };
}

import { normalizeCountry, type Region } from "../markets.ts";
import type { Profile } from "./profile.ts";

/** A profile record as the platform lists it, with its id as a string and its region beside it. */
export function profileFromWire(record: Readonly<Record<string, unknown>>, region: Region): Profile {
  const accountInfo = record["accountInfo"] as Profile["accountInfo"] | undefined;
  return {
    ...record,
    profileId: String(record["profileId"]),
    countryCode: normalizeCountry(String(record["countryCode"] ?? "")),
    region,
    accountInfo: accountInfo ?? {},
  };
}

import { UnauthorizedError } from "../../errors.ts";

const KNOWN: readonly [status: number, words: RegExp, hint: string][] = [
  [
    401,
    /not authorized to access scope/i,
    "The user who gave the consent has no access to this profile, or not any more: a new token does not help. Give the " +
    "user access in the account, or leave the profile out; profiles() lists what the login reaches",
  ],
  [
    401,
    /no matching advertiser found for scope/i,
    "No profile of this host has the id: a profile is known to the host of its region alone, and agency accounts hold " +
    "none themselves. profiles() lists what the login reaches",
  ],
  [
    403,
    /invalid key=value pair/i,
    "The gateway says this of every path that it does not serve: check the path and the region, not the permissions",
  ],
  [
    400,
    /advertiser id cannot be decrypted/i,
    "The operation wants the id of an advertiser account as the platform gives it (listAdvertiserAccounts), not the id " +
    "of a profile or the one of the console",
  ],
];

export function hintForRefusal(status: number, text: string): string | undefined {
  return KNOWN.find(([of, words]) => of === status && words.test(text))?.[2];
}

/** True for a 401 about the profile; a new token would not help. */
export function isAboutScope(text: string): boolean {
  return /access scope|for scope/i.test(text);
}

export function refusesProfile(error: unknown): boolean {
  return error instanceof UnauthorizedError && isAboutScope(error.body);
}

import { fieldsOf } from "../../base/json/fields_of.ts";
import { parseJson } from "../../base/json/json.ts";
import { UnauthorizedError } from "../../errors.ts";

const MAX_LENGTH = 1000;

interface ErrorBody {
  readonly code?: string;
  readonly message?: string;
  readonly requestId?: string;
}

/**
 * Handles all error bodies of the platform: `{code, details}`, `{code, message, errors}`, `{code, detail}`,
 * `{errorCode, message}`, `{message}`, an `errors` list alone, HTML, or nothing.
 */
export function readErrorBody(text: string): ErrorBody {
  const trimmed = text.trim();
  if (trimmed === "") return {};
  if (!/^[{[]/.test(trimmed)) return { message: plainText(trimmed) };
  let body: unknown;
  try {
    body = parseJson(trimmed);
  } catch {
    return { message: plainText(trimmed) };
  }
  const found = fieldsOf(Array.isArray(body) ? body[0] : body);
  const parts = (Array.isArray(found["errors"]) ? found["errors"] : []).map(fieldsOf);
  const first = parts[0] ?? {};
  const code = firstText(
    found["code"],
    found["errorCode"],
    found["error"],
    first["code"],
    first["errorType"],
  );
  const message = firstText(
    found["message"],
    found["details"],
    found["detail"],
    found["description"],
    found["error_description"],
    found["Message"],
  );
  const details = new Set(parts.flatMap((part) => firstText(part["message"], part["details"]) ?? []));
  const others = [...details].filter((text) => text !== message).join("; ");
  const words = [message, others].filter((text) => text).join(": ");
  const requestId = firstText(found["requestId"]);
  return {
    ...(code === undefined ? {} : { code }),
    ...(words === "" ? {} : { message: cut(words) }),
    ...(requestId === undefined ? {} : { requestId }),
  };
}

function firstText(...values: unknown[]): string | undefined {
  for (const value of values) {
    if (typeof value === "string" && value !== "") return value;
    if (typeof value === "number") return String(value);
  }
  return undefined;
}

function plainText(text: string): string {
  const title = /<title[^>]*>([^<]*)<\/title>/i.exec(text)?.[1] ?? text.replace(/<[^>]*>/g, " ");
  return cut(title.replace(/\s+/g, " ").trim());
}

function cut(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text;
}

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

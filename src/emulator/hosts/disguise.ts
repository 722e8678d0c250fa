import { createHmac, randomBytes } from "node:crypto";

/** Ids of entities, accounts and requests: at least nine digits, outside of amounts. */
const NUMBERS = /(?<![\d.])\d{9,}(?![\d.])/g;
const UUIDS = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
const WORDS = /\b(?:B0[A-Z0-9]{8}|ENTITY[A-Z0-9]{6,}|A[A-Z0-9]{12,14})\b/g;
const MAILS = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g;
/** Pre-signed file URLs grant access to the files. */
const ADDRESSES = /https?:\/\/[^\s"\\]+/g;
const LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ";
const NAMES =
  /("(?:\w*[nN]ame|\w*[kK]eyword(?:Text)?|headline|searchTerm|query|title|sku|\w*[uU]rl)"\s*:\s*)"((?:[^"\\]|\\.)+)"/g;

/** Options for disguising recordings. */
export interface DisguiseOptions {
  /** Also disguise names, keyword texts and headlines. @default false */
  readonly names?: boolean;
}

/**
 * Replaces ids consistently, keeping length and characters, and removes email addresses and file URLs. The key is
 * never stored, so the mapping cannot be reversed.
 */
export function disguise({ names = false }: DisguiseOptions = {}): (text: string) => string {
  const key = randomBytes(32);
  const spelled = (found: string, characters: string): string => {
    const bytes = createHmac("sha512", key).update(found).digest();
    return found.replace(
      /[^-]/g,
      (_, at: number) => characters[bytes[at % bytes.length]! % characters.length]!,
    );
  };
  const hidden = (text: string): string =>
    text
      .replace(ADDRESSES, "https://files.example/left-out")
      .replace(MAILS, "left-out@example.com")
      .replace(UUIDS, (found) => spelled(found, "0123456789abcdef"))
      .replace(WORDS, (found) => found.slice(0, 2) + spelled(found.slice(2), LETTERS))
      .replace(NUMBERS, (found) => `1${spelled(found.slice(1), "0123456789")}`);
  if (!names) return hidden;
  return (text) =>
    hidden(
      text.replace(
        NAMES,
        (_, field: string, value: string) => `${field}"${textFor(spelled(value, LETTERS))}"`,
      ),
    );
}

function textFor(letters: string): string {
  return `text ${letters.slice(0, 8).toLowerCase()}`;
}

import { createHmac, randomBytes } from "node:crypto";

/** Ids of entities, accounts and requests: nine digits or more outside of amounts. */
const NUMBERS = /(?<![\d.])\d{9,}(?![\d.])/g;
const UUIDS = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
/** Product ids, and ids of sellers and brands. */
const WORDS = /\b(?:B0[A-Z0-9]{8}|ENTITY[A-Z0-9]{6,}|A[A-Z0-9]{12,14})\b/g;
const MAILS = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g;
/** Addresses of files are keys to them. */
const ADDRESSES = /https?:\/\/[^\s"\\]+/g;
const LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ";
/** Texts by which people know an account. */
const NAMES =
  /("(?:\w*[nN]ame|\w*[kK]eyword(?:Text)?|headline|searchTerm|query|title|sku|\w*[uU]rl)"\s*:\s*)"((?:[^"\\]|\\.)+)"/g;

/** Options for disguising recordings. */
export interface DisguiseOptions {
  /** Disguise names, keyword texts and headlines too. @default false */
  readonly names?: boolean;
}

/**
 * Gives a function that puts other ids in place of the ids in JSON texts, the same for the same one, of equal length and
 * characters. Mail addresses and addresses of files are left out. The key is never written down, so nothing leads back.
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

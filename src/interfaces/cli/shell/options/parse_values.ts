import { InvalidArgumentError } from "@commander-js/extra-typings";
import { fromPercent, shareAdvice } from "../../../../operations/model/share_text.ts";

/** Splits a comma-separated value; a repeated option adds to the list. */
export function separated(text: string, before: readonly string[] | undefined): string[] {
  const parts = text.split(",").map((part) => part.trim()).filter((part) => part !== "");
  if (parts.length === 0) throw new InvalidArgumentError("It holds no value.");
  return [...before ?? [], ...parts];
}

export function separatedIds(text: string, before: readonly string[] | undefined): string[] {
  const ids = separated(text, before);
  const wrong = ids.find((id) => !/^\d+$/.test(id));
  if (wrong !== undefined) throw new InvalidArgumentError(`"${wrong}" is not an id: an id is digits only.`);
  return ids;
}

/** Words with their meanings, and files of them. */
export function wordsOfMap(text: string, before: readonly string[] | undefined): string[] {
  const at = text.lastIndexOf("=");
  const isFile = at < 0 && /\.(?:csv|tsv|txt|xlsx|jsonl?)$/i.test(text);
  if (at === 0 || (at < 0 && !isFile) || (at > 0 && text.slice(at + 1).trim() === "")) {
    throw new InvalidArgumentError(
      'It is not a header and its meaning, such as "Gasto=cost", nor a file of them.',
    );
  }
  return [...before ?? [], text];
}

export function repeated(text: string, before: readonly string[] | undefined): string[] {
  return [...before ?? [], text];
}

export function positiveInteger(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("It is not a whole number above 0.");
  return Number(text);
}

export function wholeNumber(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("It is not a whole number.");
  return Number(text);
}

export function port(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    throw new InvalidArgumentError("It is not a port from 0 to 65535.");
  }
  return Number(text);
}

export function rate(text: string): number {
  const number = Number(text);
  if (!(number > 0 && Number.isFinite(number))) {
    throw new InvalidArgumentError("A rate is a number above 0, such as 1.37.");
  }
  return number;
}

/** Parses a share: `30%` or `0.3`. */
export function share(text: string): number {
  const [, number, percent] = /^(\d+(?:\.\d+)?)\s*(%?)$/.exec(text.trim()) ?? [];
  if (number === undefined) throw new InvalidArgumentError("It is not a share such as 30% or 0.3.");
  return partOf(Number(number), percent);
}

function partOf(value: number, percent: string | undefined): number {
  if (percent === "%") return fromPercent(value);
  if (Math.abs(value) <= 1) return value;
  throw new InvalidArgumentError(`It is ambiguous: ${shareAdvice(value)}.`);
}

/** Parses an effect, a share with a sign: `10%` or `-5%`. */
export function effect(text: string): number {
  const [, sign = "", number, percent] = /^([+-]?)(\d+(?:\.\d+)?)\s*(%?)$/.exec(text.trim()) ?? [];
  const value = partOf(Number(`${sign}${number ?? 0}`), percent);
  if (number === undefined || value === 0 || value <= -1) {
    throw new InvalidArgumentError("It is not an effect such as 10% or -5%.");
  }
  return value;
}

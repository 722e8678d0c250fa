import type { SchemaNode } from "../../../platform/schema/schema_node.ts";
import type { Random } from "../../core/random.ts";
import { matches } from "./check_value.ts";

const HEX = "0123456789abcdef";

export function sampleText(
  shape: SchemaNode,
  name: string,
  { random, now }: { random: Random; now: number },
): string {
  const { minLength = 0, maxLength = Infinity, pattern, format } = shape;
  const candidates = [...byFormat(format, { random, now }), ...byName(name, { random, now }), ...PLAIN];
  const fits = (text: string) =>
    text.length >= minLength && text.length <= maxLength && (pattern === undefined || matches(pattern, text));
  const found = candidates.find(fits);
  if (found !== undefined) return found;
  const stretched = candidates.map((text) => text.padEnd(minLength, "x").slice(0, maxLength)).find(fits);
  return stretched ?? "x".repeat(Math.min(maxLength, Math.max(minLength, 1)));
}

function byFormat(format: string | undefined, { random, now }: { random: Random; now: number }): string[] {
  const moment = new Date(now - random.integer(0, 30) * 86_400_000).toISOString();
  switch (format) {
    case "date-time":
      return [moment];
    case "date":
      return [moment.slice(0, 10)];
    case "uuid":
      return [uuid(random)];
    case "uri":
      return ["https://files.example/item"];
    case "byte":
      return ["ZGVtbw=="];
    default:
      return [];
  }
}

function byName(name: string, { random, now }: { random: Random; now: number }): string[] {
  const lower = name.toLowerCase();
  const day = new Date(now).toISOString().slice(0, 10);
  // A successful response says so.
  if (lower === "code") return ["SUCCESS"];
  if (/^asins?$|asin$/.test(lower)) return [`B0${letters(random, 8)}`];
  if (/ids?$/.test(lower)) {
    return [digits(random, 12), uuid(random), `A${letters(random, 9)}`, `a${digits(random, 5)}`];
  }
  if (/url|uri|link/.test(lower)) return [`https://files.example/${digits(random, 6)}`];
  if (/email/.test(lower)) return ["someone@example.com"];
  if (/currency/.test(lower)) return ["USD"];
  if (/country|marketplace/.test(lower)) return ["US"];
  if (/locale|language/.test(lower)) return ["en_US"];
  if (/timezone/.test(lower)) return ["America/Los_Angeles"];
  if (/date|time|at$/.test(lower)) return [new Date(now).toISOString(), day];
  if (/name|title/.test(lower)) return [`Sample ${letters(random, 4)}`];
  if (/token/.test(lower)) return [];
  return [];
}

const PLAIN = [
  "sample",
  "Sample1234",
  "2026-09-30",
  "12:00Z",
  "12:00",
  "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
  "US",
  "en-US",
  "51000001",
  "52000001",
  "4000001",
  "1/2026",
  "a.b",
  "1",
  "photo.jpg",
  "/2026-09-30/",
  "ZGVtbw==",
  "[a-z}-AZ]",
  "0".repeat(64),
];

function uuid(random: Random): string {
  const hex = (count: number) => Array.from({ length: count }, () => HEX[random.integer(0, 15)]).join("");
  return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;
}

function digits(random: Random, count: number): string {
  return String(random.integer(10 ** (count - 1), 10 ** count - 1));
}

function letters(random: Random, count: number): string {
  const all = "BCDFGHJKLMNPQRSTVWXZ0123456789";
  return Array.from({ length: count }, () => all[random.integer(0, all.length - 1)]).join("");
}

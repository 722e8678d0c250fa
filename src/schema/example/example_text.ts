import type { SchemaNode } from "../schema_node.ts";

const FORMATS: Readonly<Record<string, string>> = {
  "date": "2026-01-31",
  "date-time": "2026-01-31T12:00:00Z",
  "uri": "https://example.com/",
  "url": "https://example.com/",
  "email": "user@example.com",
  "uuid": "00000000-0000-4000-8000-000000000000",
  "byte": "AAAA",
};

/** Texts of the kinds that published patterns describe; the first that fits is taken. */
const CANDIDATES = [
  "Example",
  "1",
  "2026-01-31",
  "20260131",
  "2026-01-31T12:00:00Z",
  "00:00Z",
  "12:00",
  "US",
  "en_US",
  "B0EXAMPLE1",
  "a.b",
  "1/2026",
  "AAAA",
  "00000000-0000-4000-8000-000000000000",
  "example.png",
  "0".repeat(64),
  "51000000",
  "52000000",
  "4000000",
];

/** A text that fits a shape, chosen by its format, its pattern and the name of its field. */
export function exampleText(node: SchemaNode, name: string): string {
  const byFormat = node.format === undefined ? undefined : FORMATS[node.format];
  const candidates = [byFormat, byName(name), ...CANDIDATES].filter((text) => text !== undefined);
  const { pattern, minLength = 0, maxLength = Infinity } = node;
  const fitted = candidates.map((text) => text.padEnd(minLength, text).slice(0, maxLength));
  if (pattern === undefined) return fitted[0] ?? "";
  return fitted.find((text) => new RegExp(pattern).test(text)) ?? fitted[0] ?? "";
}

function byName(name: string): string | undefined {
  if (/asins?(?:List)?$/i.test(name)) return "B0EXAMPLE1";
  if (/ids?(?:List|Filter)?$/i.test(name)) return "123456789012345";
  if (/^(?:country|marketplace)(?:Code)?s?$/i.test(name)) return "US";
  if (/currency/i.test(name)) return "USD";
  if (/date(?:time)?$/i.test(name)) return "2026-01-31";
  return /url$/i.test(name) ? "https://example.com/" : undefined;
}

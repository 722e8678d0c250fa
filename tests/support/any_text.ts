import fc, { type Arbitrary, type StringSharedConstraints } from "fast-check";

const SURROGATES = { first: 0xd800, count: 0x800 };

/** Every code point that UTF-8 can hold; fast-check's own unit "binary" spends more than a second on a table of them. */
const CHARACTER: Arbitrary<string> = fc.nat(0x10ffff - SURROGATES.count).map(
  (index) => String.fromCodePoint(index < SURROGATES.first ? index : index + SURROGATES.count),
  (text) => {
    const code = typeof text === "string" ? text.codePointAt(0) : undefined;
    if (code === undefined || String.fromCodePoint(code) !== text) throw new Error("Not one character");
    return code < SURROGATES.first ? code : code - SURROGATES.count;
  },
);

/** Any text at all, of characters from the whole of Unicode, unassigned and invisible ones included. */
export function anyText(constraints: StringSharedConstraints = {}): Arbitrary<string> {
  return fc.string({ ...constraints, unit: CHARACTER });
}

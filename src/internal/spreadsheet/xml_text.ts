const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Text of XML: the five named entities and numbers; no other entity is ever expanded. */
export function fromXml(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex, number, name) => {
    if (name !== undefined) return NAMED[name] ?? whole;
    const code = hex === undefined ? Number(number) : Number.parseInt(hex, 16);
    return code > 0x10ffff ? whole : String.fromCodePoint(code);
  });
}

/** Characters with a meaning in XML. */
const SPECIAL = /[&<>"]/g;
/** Characters that XML cannot hold, and a carriage return, which it makes a line feed of. */
// deno-lint-ignore no-control-regex -- these characters are what is looked for
const UNHELD = new RegExp("[\\0-\\x08\\x0b-\\x1f\\ufffe\\uffff]|_(?=x[0-9a-f]{4}_)", "gi");

/** A text for XML. Spreadsheets write characters that XML cannot hold as `_x001B_`. */
export function toXml(text: string): string {
  return text.replace(
    UNHELD,
    (char) => `_x${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`,
  )
    .replace(SPECIAL, (char) => `&${Object.keys(NAMED).find((name) => NAMED[name] === char)};`);
}

/** A text of a cell, with the characters that XML cannot hold. */
export function fromCell(text: string): string {
  const plain = fromXml(text);
  if (!plain.includes("_x")) return plain;
  return plain.replace(/_x([0-9a-f]{4})_/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** The value of an attribute in the text of a tag. */
export function attribute(tag: string, name: string): string | undefined {
  const found = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(tag);
  return found === null ? undefined : fromXml(found[1] ?? found[2] ?? "");
}

const TEXT = /<(?:\w+:)?t\b[^>]*>([\s\S]*?)<\/(?:\w+:)?t>/g;

/** The texts of `<t>` in a string of a spreadsheet, without what is only a reading aid. */
export function stringText(inner: string): string {
  const plain = inner.includes("rPh") ? inner.replace(/<(\w+:)?rPh\b[\s\S]*?<\/(\w+:)?rPh>/g, "") : inner;
  let text = "";
  TEXT.lastIndex = 0;
  for (let found = TEXT.exec(plain); found !== null; found = TEXT.exec(plain)) text += found[1];
  return fromCell(text);
}

/** An element of one name with what it holds; elements of this name must not hold each other. */
export function elementPattern(name: string): RegExp {
  return new RegExp(`<(?:\\w+:)?${name}(?:\\s[^>]*?)?(?:/>|>[\\s\\S]*?</(?:\\w+:)?${name}>)`, "g");
}

/** Cuts text that comes in pieces into elements of one name. */
export function elementsOf(name: string, take: (element: string) => void): (text: string) => void {
  const pattern = elementPattern(name);
  let rest = "";
  return (text) => {
    rest += text;
    let end = 0;
    for (const found of rest.matchAll(pattern)) {
      take(found[0]);
      end = found.index + found[0].length;
    }
    rest = rest.slice(end);
  };
}

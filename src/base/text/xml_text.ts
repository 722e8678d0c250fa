const NAMED: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Decodes XML text; expands only the five named entities and numeric references. */
function fromXml(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex, number, name) => {
    if (name !== undefined) return NAMED[name] ?? whole;
    const code = hex === undefined ? Number(number) : Number.parseInt(hex, 16);
    return code > 0x10ffff ? whole : String.fromCodePoint(code);
  });
}

const SPECIAL = /[&<>"]/g;
// deno-lint-ignore no-control-regex -- these characters are what is looked for
const UNHELD = new RegExp("[\\0-\\x08\\x0b-\\x1f\\ufffe\\uffff]|_(?=x[0-9a-f]{4}_)", "gi");

/** Encodes text for XML. Characters that XML cannot hold are escaped as in spreadsheets: `_x001B_`. */
export function toXml(text: string): string {
  return text.replace(
    UNHELD,
    (char) => `_x${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`,
  )
    .replace(SPECIAL, (char) => `&${Object.keys(NAMED).find((name) => NAMED[name] === char)};`);
}

export function fromCell(text: string): string {
  const plain = fromXml(text);
  if (!plain.includes("_x")) return plain;
  return plain.replace(/_x([0-9a-f]{4})_/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
}

export function attribute(tag: string, name: string): string | undefined {
  const found = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(tag);
  return found === null ? undefined : fromXml(found[1] ?? found[2] ?? "");
}

/** Returns the text of a shared string without phonetic guides. */
export function stringText(inner: string): string {
  const plain = inner.includes("rPh") ? withoutElements(inner, "rPh") : inner;
  let text = "";
  for (const { inner } of elementsIn(plain, "t")) text += inner;
  return fromCell(text);
}

interface XmlElement {
  readonly tag: string;
  readonly inner: string | undefined;
  readonly start: number;
  readonly end: number;
}

export function* elementsIn(text: string, name: string): Generator<XmlElement> {
  const scan = scanner(name);
  for (let at = 0;;) {
    const found = scan(text, at);
    if (typeof found === "number") return;
    yield found;
    at = found.end;
  }
}

function withoutElements(text: string, name: string): string {
  let [plain, at] = ["", 0];
  for (const { start, end } of elementsIn(text, name)) {
    plain += text.slice(at, start);
    at = end;
  }
  return plain + text.slice(at);
}

type Scan = (text: string, at: number, resume?: number) => XmlElement | number;

const scanners = new Map<string, Scan>();

function scanner(name: string): Scan {
  const known = scanners.get(name);
  if (known !== undefined) return known;
  const made = newScanner(name);
  scanners.set(name, made);
  return made;
}

function newScanner(name: string): Scan {
  const open = new RegExp(`<(?:\\w{1,32}:)?${name}(?=[\\s/>])`, "g");
  const close = new RegExp(`</(?:\\w{1,32}:)?${name}\\s{0,8}>`, "g");
  return (text, at, resume = 0) => {
    open.lastIndex = at;
    const found = open.exec(text);
    if (found === null) {
      const last = text.lastIndexOf("<");
      return last < at ? text.length : last;
    }
    const start = found.index;
    const bracket = text.indexOf(">", open.lastIndex);
    if (bracket < 0) return start;
    const tag = text.slice(start + 1, bracket);
    if (tag.endsWith("/")) return { tag: tag.slice(0, -1), inner: undefined, start, end: bracket + 1 };
    close.lastIndex = Math.max(bracket + 1, resume);
    const ended = close.exec(text);
    if (ended === null) return start;
    return { tag, inner: text.slice(bracket + 1, ended.index), start, end: close.lastIndex };
  };
}

const MAX_ELEMENT = 32_000_000;
const MAX_END = 64;

/**
 * Finds elements in streamed text in a single pass.
 *
 * @throws {RangeError} from the returned function, for an element of more than 32 million characters.
 */
export function elementsOf(name: string, take: (element: string) => void): (text: string) => void {
  const scan = scanner(name);
  let rest = "";
  let resume = 0;
  return (text) => {
    rest += text;
    let at = 0;
    for (;;) {
      const found = scan(rest, at, at === 0 ? resume : 0);
      if (typeof found === "number") {
        rest = rest.slice(found);
        resume = Math.max(0, rest.length - MAX_END);
        break;
      }
      take(rest.slice(found.start, found.end));
      at = found.end;
    }
    if (rest.length > MAX_ELEMENT) {
      throw new RangeError(`A <${name}> is longer than ${MAX_ELEMENT} characters`);
    }
  };
}

import { attribute, elementsIn } from "./xml_text.ts";

export interface CellFormat {
  readonly type: "date" | "number";
  readonly note: { readonly type: "number"; readonly isPercent?: boolean; readonly currency?: string };
}

const DATES: readonly (readonly [first: number, last: number])[] = [[14, 22], [27, 36], [45, 47], [50, 58]];
const PERCENTS: ReadonlySet<number> = new Set([9, 10]);

export function styleFormats(styles: string): (CellFormat | undefined)[] {
  const codes = new Map<number, string>();
  for (const { tag } of elementsIn(styles, "numFmt")) {
    codes.set(Number(attribute(tag, "numFmtId")), attribute(tag, "formatCode") ?? "");
  }
  const [cells] = elementsIn(styles, "cellXfs");
  return [...elementsIn(cells?.inner ?? "", "xf")].map(({ tag }) => {
    const id = Number(attribute(tag, "numFmtId") ?? 0);
    const code = codes.get(id);
    if (code !== undefined) return formatOf(code);
    if (DATES.some(([first, last]) => id >= first && id <= last)) return DATE;
    return PERCENTS.has(id) ? PERCENT : undefined;
  });
}

const DATE: CellFormat = { type: "date", note: { type: "number" } };
const PERCENT: CellFormat = { type: "number", note: { type: "number", isPercent: true } };

function formatOf(code: string): CellFormat | undefined {
  const [, bracket] = /\[\$([^\]-]+)(?:-[^\]]*)?\]/.exec(code) ?? [];
  const [quoted] =
    /\p{Sc}|\b[A-Z]{3}\b/u.exec([...code.matchAll(/"([^"]*)"/g)].map(([, text]) => text).join(" ")) ?? [];
  const bare = code.replace(/"[^"]*"|\[[^\]]*\]|\\.|_.|\*./g, "");
  const [sign] = /\p{Sc}/u.exec(bare) ?? [];
  if (/[ymdhs]/i.test(bare.replace(/general/gi, ""))) return DATE;
  if (bare.includes("%")) return PERCENT;
  const currency = (bracket ?? quoted ?? sign)?.trim();
  return currency === undefined || currency === ""
    ? undefined
    : { type: "number", note: { type: "number", currency } };
}

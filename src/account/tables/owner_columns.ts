import { marketOf } from "../../base/markets/markets.ts";
import type { CellProblem } from "./problem_list.ts";
import { countryNamed } from "./country_names.ts";
import type { SheetLine } from "./sheet_lines.ts";

const HEADS: Readonly<Record<"currency" | "market" | "account", RegExp>> = {
  currency:
    /^(?:budget )?(?:currency(?: code)?|währung(?:scode)?|devise|moneda|moeda|valuta|waluta|para birimi|通貨|货币|币种|貨幣)$/,
  market:
    /^(?:market ?place(?: name)?|country(?: code| name)?|markt(?:platz)?|land|pays|paese|país|kraj|ülke|国|国\/地域|国家|国家\/地区|站点|マーケットプレイス)$/,
  account:
    /^(?:(?:advertis(?:er|ing) )?(?:account|profile)(?: ?id| name)?|seller(?: id| name)|konto(?:name)?|profil(?:-id)?|compte|cuenta|conta|perfil|profilo|账户|账号|店铺|アカウント)$/,
};

export function isOwnerHead(key: string): boolean {
  return Object.values(HEADS).some((heads) => heads.test(key));
}

const MAX_NAMED = 4;

/** Detects rows of other markets, currencies and accounts, which must not be added up. */
export class OwnerColumns {
  readonly #columns: readonly {
    readonly kind: keyof typeof HEADS;
    readonly header: string;
    readonly at: number;
    readonly values: Map<string, number>;
  }[];
  readonly #countryCode: string | undefined;

  /**
   * @param keys English headers in lower case with their positions.
   * @param options.countryCode Country of the account; without it, only mixed values are detected.
   */
  constructor(
    keys: Iterable<readonly [key: string, at: number]>,
    { head, countryCode }: { head: readonly string[]; countryCode: string | undefined },
  ) {
    this.#columns = Array.from(keys).flatMap(([key, at]) => {
      const kind = (["currency", "market", "account"] as const).find((one) => HEADS[one].test(key));
      return kind === undefined ? [] : [{ kind, header: head[at]?.trim() ?? key, at, values: new Map() }];
    });
    this.#countryCode = countryCode;
  }

  take({ cells, number }: SheetLine): void {
    for (const { at, values } of this.#columns) {
      const text = cells[at]?.trim() ?? "";
      if (text !== "" && !values.has(text)) values.set(text, number);
    }
  }

  problems(): CellProblem[] {
    return this.#columns.flatMap(({ kind, header, values }): CellProblem[] => {
      const foreign = [...values].flatMap(([text, row]) => {
        const message = this.#foreign(kind, text);
        return message === undefined ? [] : [{ row, header, message }];
      });
      const [, second] = values;
      if (foreign.length > 0 || second === undefined) return foreign;
      const named = [...values].slice(0, MAX_NAMED).map(([text, row]) => `"${text}" (row ${row})`).join(", ");
      const more = values.size > MAX_NAMED ? ` and ${values.size - MAX_NAMED} more` : "";
      const message = `it holds ${named}${more}, which cannot be mixed: make one file for each`;
      return [{ row: second[1], header, message }];
    });
  }

  #foreign(kind: keyof typeof HEADS, text: string): string | undefined {
    const market = this.#countryCode;
    if (market === undefined) return undefined;
    const { currency = "" } = marketOf(market) ?? {};
    if (kind === "currency" && text.toUpperCase() !== currency) {
      return `its amounts are in ${text}, and those of ${market} in ${currency}: name the market of the file with -m`;
    }
    const country = kind === "market" ? countryNamed(text) : undefined;
    return country === undefined || country === market
      ? undefined
      : `"${text}" is the market ${country}, not ${market}: name the market of the file with -m, or remove its rows`;
  }
}

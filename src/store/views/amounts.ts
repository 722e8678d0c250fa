import { currencySql, type SqlDialect } from "../tables/sql_dialect.ts";
import type { Conversion } from "../model/store_view.ts";

export interface Amounts {
  readonly before: string;
  join(alias: string): string;
  currency(alias: string): string;
  money(column: string): string;
}

const [ALWAYS_FROM, ALWAYS_TO] = ["0001-01-01", "9999-12-31"];

export function amounts(conversion: Conversion | undefined, dialect: SqlDialect): Amounts {
  if (conversion === undefined) {
    return {
      before: "",
      join: () => "",
      currency: (alias) => currencySql(`${alias}.country_code`),
      money: (column) => column,
    };
  }
  const rows = spans(conversion).map(({ currency, from, to, rate }) =>
    `('${currency}', ${dialect.day(from)}, ${dialect.day(to)}, CAST(${rate} AS double precision))`
  );
  return {
    before: `WITH rates (currency, first_day, end_day, rate) AS (VALUES ${rows.join(", ")})`,
    join: (alias) =>
      `LEFT JOIN rates ON rates.currency = ${currencySql(`${alias}.country_code`)}
        AND ${alias}.date >= rates.first_day AND ${alias}.date < rates.end_day`,
    currency: () => `'${conversion.currency}'`,
    money: (column) => `(${column} * rates.rate)`,
  };
}

function spans(
  { currency: wanted, rates }: Conversion,
): { currency: string; from: string; to: string; rate: number }[] {
  const byCurrency = Map.groupBy(
    rates.filter(({ currency }) => currency !== wanted),
    ({ currency }) => currency,
  );
  const found = [{ currency: wanted, from: ALWAYS_FROM, to: ALWAYS_TO, rate: 1 }];
  for (const [currency, own] of byCurrency) {
    const sorted = own.map(({ rate, from = ALWAYS_FROM }) => ({ rate, from }))
      .sort((a, b) => a.from.localeCompare(b.from));
    for (const [index, { rate, from }] of sorted.entries()) {
      found.push({ currency, from, to: sorted[index + 1]?.from ?? ALWAYS_TO, rate });
    }
  }
  return found;
}

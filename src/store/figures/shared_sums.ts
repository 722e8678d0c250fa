import type { LeftOutDays } from "./missing_days.ts";

const PRODUCTS: Readonly<Record<string, string>> = {
  sp: "SPONSORED_PRODUCTS",
  sb: "SPONSORED_BRANDS",
  sd: "SPONSORED_DISPLAY",
};

export function sharedSums(leftOut: readonly LeftOutDays[]): string {
  if (leftOut.length === 0) return "";
  const groups = Map.groupBy(leftOut, ({ product, start, end }) => [product, start, end].join());
  const parts = [...groups.values()].map((own) => {
    const [{ product, start, end }] = own as [LeftOutDays];
    const ids = own.map(({ profileId }) => `'${profileId}'`).join(", ");
    return `(r.ad_product = '${PRODUCTS[product]}' AND r.date BETWEEN '${start}' AND '${end}' ` +
      `AND r.profile_id IN (${ids}))`;
  });
  return ["cost", "sales"].map((name) =>
    `,\n  sum(CASE WHEN ${parts.join(" OR ")} THEN 0 ELSE r.${name} END) AS shared_${name}`
  ).join("");
}

export function sharedChange(
  name: "cost" | "sales",
  { now, earlier }: {
    readonly now: readonly Readonly<Record<string, unknown>>[];
    readonly earlier: readonly Readonly<Record<string, unknown>>[];
  },
): number | null {
  const [after, base] = [now, earlier].map((rows) =>
    rows.reduce((all, row) => all + Number(row[`shared_${name}`] ?? row[name] ?? 0), 0)
  ) as [number, number];
  return base === 0 ? null : Number(((after - base) / base).toFixed(4));
}

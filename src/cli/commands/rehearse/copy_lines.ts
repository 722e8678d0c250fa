import type { AccountCopy } from "../../../emulator/state/account_copy.ts";

/** Contents of a copy, as data. */
export function copyData({ takenAt, profiles }: AccountCopy): Record<string, unknown> {
  return {
    taken_at: takenAt,
    profiles: profiles.map(({ record, collections, levels }) => ({
      profile_id: record.profileId,
      country_code: record.countryCode,
      name: record.accountInfo.name,
      entities: Object.fromEntries(
        Object.entries(collections).map(([kind, entities]) => [kind, entities.length]),
      ),
      keywords_with_figures:
        Object.values(levels?.clauses ?? {}).filter(({ impressions }) => impressions > 0).length,
    })),
  };
}

const FAMILIES: readonly (readonly [prefix: string, name: string])[] = [
  ["sp.", "Sponsored Products"],
  ["sb.", "Sponsored Brands"],
  ["sd.", "Sponsored Display"],
  ["", "Portfolios"],
];

/** Contents of a copy, in sentences. */
export function copyLines({ takenAt, profiles }: AccountCopy): string[] {
  return profiles.flatMap(({ record, collections, levels }) => {
    const left = new Map(Object.entries(collections).filter(([, { length }]) => length > 0));
    const families = FAMILIES.flatMap(([prefix, name]) => {
      const own = [...left].filter(([kind]) => kind.startsWith(prefix));
      for (const [kind] of own) left.delete(kind);
      const counts = own.map(([kind, { length }]) =>
        kind === "portfolios" ? `${length}` : `${length} ${kind.slice(prefix.length).replaceAll("_", " ")}`
      );
      return counts.length === 0 ? [] : [`  ${name}: ${counts.join(", ")}`];
    });
    const seen = Object.values(levels?.clauses ?? {}).filter(({ impressions }) => impressions > 0).length;
    return [
      `${record.countryCode} ${record.profileId} ${record.accountInfo.name}, copied ${takenAt}`,
      ...families,
      levels === undefined
        ? "  Traffic is made up, as in the demo account: the copy holds no figures"
        : `  Traffic goes on from the figures of ${seen} keywords and targets`,
    ];
  });
}

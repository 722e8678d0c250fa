import type { EntityFields } from "../../../src/plans/model/change.ts";
import type { ReadTarget } from "../../../src/plans/state/account_reading.ts";

/** Entities of a profile by kind. */
export type Listed = Readonly<Record<string, readonly EntityFields[]>>;

/** A profile; `asked` holds what was read of it. */
export function account(listed: Listed, more: { fails?: (kind: string) => Error | undefined } = {}) {
  const asked: string[] = [];
  const client: ReadTarget = {
    resource: (kind) => {
      const idField = idFieldOf(kind);
      const rows = listed[kind] ?? [];
      const ask = (what: string): void => {
        asked.push(what);
        const error = more.fails?.(kind);
        if (error !== undefined) throw error;
      };
      return {
        idField,
        identity: (entity) => entity["name"] === undefined ? undefined : String(entity["name"]).toLowerCase(),
        getMany: async (ids) => {
          await Promise.resolve();
          ask(`${kind} ${ids.join(" ")}`);
          return new Map(
            rows.filter((row) => ids.includes(String(row[idField]))).map((
              row,
            ) => [String(row[idField]), row]),
          );
        },
        async *iter({ signal: _, ...query }) {
          await Promise.resolve();
          ask(`${kind} by ${JSON.stringify(query)}`);
          yield* rows;
        },
        candidates: async (items, { signal } = {}) => {
          await Promise.resolve();
          ask(
            `${kind} like ${items.map(({ name }) => name).join(" ")}${
              signal === undefined ? "" : " until ended"
            }`,
          );
          return rows;
        },
      } as ReturnType<ReadTarget["resource"]>;
    },
  };
  return { client, asked };
}

function idFieldOf(kind: string): string {
  if (kind === "portfolios") return "portfolioId";
  if (kind.endsWith(".ad_groups")) return "adGroupId";
  return kind.endsWith(".campaigns") ? "campaignId" : "keywordId";
}

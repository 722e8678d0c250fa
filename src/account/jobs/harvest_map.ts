import { requiredId } from "../../base/json/id_of.ts";
import type { EntityFields } from "../../plans/model/change.ts";
import { nearest } from "../../base/text/nearest.ts";
import { normalizeCountry } from "../../base/markets/markets.ts";
import type { Places } from "./places.ts";

/** A line of a harvest map: source ad group, target ad group and bid. */
export interface HarvestLine {
  /** Country code or profile id that the line applies to; other profiles ignore it. @default every profile */
  readonly market?: string | undefined;
  /** Id of the ad group whose search terms are harvested, or its name if that is unique. */
  readonly source: string;
  /** Id of the ad group that gets the keywords, or its name if that is unique. */
  readonly target: string;
  /** Bid of the new keywords, in the account's currency. @default that of the options */
  readonly bid?: number | undefined;
  /** Position of the line in its file, for messages. @default its number */
  readonly where?: string | undefined;
}

export interface HarvestTarget {
  readonly adGroupId: string;
  readonly campaignId: string;
  readonly name: string;
  readonly bid?: number;
}

export function linesFor(
  lines: readonly HarvestLine[],
  { profileId, countryCode }: { readonly profileId: string; readonly countryCode: string },
): HarvestLine[] {
  return lines.map((line, index) => ({ where: `line ${index + 1}`, ...line })).filter(({ market = "" }) => {
    const wanted = market.trim();
    return wanted === "" || wanted === profileId || normalizeCountry(wanted) === countryCode;
  });
}

const MAX_NAMED = 100;

export function resolveHarvestMap(
  lines: readonly HarvestLine[],
  places: Places,
): ReadonlyMap<string, HarvestTarget> {
  const byName = Map.groupBy(places.adGroups.values(), ({ name }) => String(name));
  const problems: string[] = [];
  const targets = new Map<string, HarvestTarget>();
  for (const [index, line] of lines.entries()) {
    const where = line.where ?? `line ${index + 1}`;
    const find = (what: "source" | "target"): EntityFields | undefined => {
      const found = findAdGroup(line[what], { places, byName });
      if (typeof found !== "string") return found;
      problems.push(`${where}: ${what} ${found}`);
      return undefined;
    };
    const [source, target] = [find("source"), find("target")];
    if (line.bid !== undefined && !(line.bid > 0)) {
      problems.push(`${where}: bid ${line.bid} is not an amount above 0`);
    }
    if (source === undefined || target === undefined) continue;
    const [from, to] = [requiredId(source, "adGroupId"), requiredId(target, "adGroupId")];
    const campaignId = requiredId(target, "campaignId");
    const old = targets.get(from);
    if (from === to) problems.push(`${where}: source and target are the same ad group`);
    else if (old !== undefined && old.adGroupId !== to) {
      problems.push(`${where}: "${line.source}" has another target in an earlier line`);
    } else if (places.campaigns.get(campaignId)?.["targetingType"] === "AUTO") {
      problems.push(`${where}: target "${line.target}" is in an automatic campaign, which takes no keywords`);
    } else {
      const bid = line.bid === undefined ? {} : { bid: line.bid };
      targets.set(from, { adGroupId: to, campaignId, name: String(target["name"]), ...bid });
    }
  }
  if (problems.length === 0) return targets;
  const more = problems.length > MAX_NAMED ? `\n  and ${problems.length - MAX_NAMED} more` : "";
  throw new RangeError(
    `Cannot use the map: ${problems.length === 1 ? "" : `${problems.length} problems:\n  `}` +
      `${problems.slice(0, MAX_NAMED).join("\n  ")}${more}`,
  );
}

function findAdGroup(
  text: string,
  { places, byName }: { places: Places; byName: ReadonlyMap<string, readonly EntityFields[]> },
): EntityFields | string {
  const wanted = text.trim();
  if (wanted === "") return "is empty";
  const byId = places.adGroups.get(wanted);
  if (byId !== undefined) return byId;
  const [one, another] = byName.get(wanted) ?? [];
  if (one !== undefined && another === undefined) return one;
  if (one !== undefined) {
    const ids = (byName.get(wanted) ?? []).map(({ adGroupId }) => adGroupId);
    return `"${wanted}" is the name of ${ids.length} ad groups: give one of the ids ${ids.join(", ")}`;
  }
  const near = nearest(wanted, byName.keys());
  return `"${wanted}" is not the id or name of an ad group${
    near === undefined ? "" : `. Did you mean "${near}"?`
  }`;
}

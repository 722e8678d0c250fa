import { deepEqual, equal, match, ok } from "../../support/assert.ts";
import { addDays, countDays } from "../../../src/base/time/calendar.ts";
import type { BidMove } from "../../../src/plans/mod.ts";
import { bidResponse, Warehouse } from "../../../src/store/mod.ts";

const PROFILE = "7";
const FIRST = "2026-06-01";
const LAST = "2026-09-29";

/** A store in which keywords bring clicks by their bid of each day. */
async function stored(
  bidOn: (id: string, day: string) => number | undefined,
  count: number,
): Promise<Warehouse> {
  const store = await Warehouse.open(`${Deno.makeTempDirSync()}/ads.sqlite`);
  const rows = Array.from({ length: count }, (_, at) => String(100 + at)).flatMap((id) =>
    Array.from({ length: countDays({ start: FIRST, end: LAST }) }, (_, at) => addDays(FIRST, at)).flatMap(
      (date) => {
        const bid = bidOn(id, date);
        if (bid === undefined) return [];
        // Clicks go with the root of the bid, and each costs in proportion to it.
        const clicks = Math.round(Number(id) * bid ** 0.5);
        return [{ date, keywordId: id, campaignId: "1", adGroupId: "2", clicks, cost: clicks * 0.8 * bid }];
      },
    )
  );
  await store.replace(
    { profileId: PROFILE, countryCode: "US", report: "sp_targeting", start: FIRST, end: LAST },
    rows,
  );
  return store;
}

const move = (
  id: string,
  day: string,
  from: number,
  to: number,
  evidence: BidMove["evidence"] = null,
): BidMove => ({ ...{ kind: "sp.keywords", id, appliedAt: `${day}T12:00:00Z`, from, to, evidence } });
const ids = (count: number): string[] => Array.from({ length: count }, (_, at) => String(100 + at));
const asked = { profileId: PROFILE, today: "2026-09-30", timeZone: "UTC" };

Deno.test("30 changes of bids tell how clicks, their cost and spend answered, and 29 do not", async () => {
  const bidOn = (id: string, day: string): number | undefined =>
    day < "2026-07-10" ? 1 : day === "2026-07-10" ? 40 : Number(id) % 2 === 0 ? 1.3 : 0.8;
  await using store = await stored(bidOn, 30);
  const moves = ids(30).map((id) => move(id, "2026-07-10", 1, Number(id) % 2 === 0 ? 1.3 : 0.8));
  const found = await bidResponse(store, { ...asked, moves });
  equal(found.changes, 30);
  const near = (value: number | undefined, truth: number): void =>
    ok(Math.abs((value ?? NaN) - truth) < 0.02, `${value}`);
  near(found.elasticity?.clicks.value, 0.5);
  near(found.elasticity?.cpc.value, 1);
  near(found.spend?.value, 1.5);
  equal(found.unknown, null);

  const fewer = await bidResponse(store, { ...asked, moves: moves.slice(1) });
  equal(fewer.spend, null);
  match(
    fewer.unknown ?? "",
    /^29 bid changes by plans, to 29 keywords and targets, have enough stored clicks on both sides; 30 changes to 10 are needed$/,
  );
  const other = await bidResponse(store, { ...asked, profileId: "8", moves });
  deepEqual([other.changes, other.spend], [0, null]);
});

Deno.test("days under a bid that somebody else set, too few days, and days that are not stored are left out", async () => {
  await using store = await stored((_, day) => day < "2026-07-10" ? 1 : day <= "2026-08-10" ? 1.2 : 1.5, 3);
  const count = async (moves: readonly BidMove[]): Promise<number> =>
    (await bidResponse(store, { ...asked, moves })).changes;
  const both = (id: string): BidMove[] => [move(id, "2026-07-10", 1, 1.2), move(id, "2026-08-10", 1.2, 1.5)];
  equal(await count(ids(3).flatMap(both)), 6, "three bids each");
  const foreign = (
    id: string,
  ): BidMove[] => [move(id, "2026-07-10", 1, 1.2), move(id, "2026-08-10", 1.4, 1.5)];
  equal(await count(ids(3).flatMap(foreign)), 3, "the middle is under an unknown bid");
  equal(await count(ids(3).map((id) => move(id, "2026-09-22", 1.5, 2))), 0, "four settled days after it");
  equal(await count(ids(3).map((id) => move(id, "2026-06-07", 1, 1.1))), 0, "six stored days before it");
  equal(await count(ids(3).map((id) => move(id, "2025-07-10", 1, 1.2))), 0, "more than a year ago");
});

Deno.test("the days that a bid was chosen by are left out, for their luck drifts back without any change", async () => {
  // Thrice the clicks in the days by which each keyword was chosen.
  const evidence = { start: "2026-06-25", end: "2026-07-09" };
  const lucky = (day: string): boolean => day >= evidence.start && day <= evidence.end;
  await using store = await stored((_, day) => lucky(day) ? 9 : day < "2026-07-10" ? 1 : 1.3, 30);
  const clicks = async (chosenBy: BidMove["evidence"]): Promise<number> => {
    const moves = ids(30).map((id) => move(id, "2026-07-10", 1, 1.3, chosenBy));
    return (await bidResponse(store, { ...asked, moves })).elasticity?.clicks.value ?? NaN;
  };
  ok(Math.abs(await clicks(evidence) - 0.5) < 0.02);
  ok(await clicks(null) < -1, "what drifts back would count as a response");
});

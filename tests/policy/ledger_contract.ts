import { deepEqual, equal, rejects } from "../support/assert.ts";
import type { DayEntry, DayLedger } from "../../src/plans/state/day_ledger.ts";

const PLACE = { profileId: "1", day: "2026-11-18" };
export const ENTRY: DayEntry = {
  changes: 3,
  creates: 1,
  updates: 2,
  archives: 0,
  spendIncrease: 5,
  first: [],
};

function counts(
  { changes, creates, updates, archives, spendIncrease }: DayEntry | Omit<DayEntry, "first">,
): unknown[] {
  return [changes, creates, updates, archives, spendIncrease];
}

/**
 * Holds a ledger to what `DayLedger` promises. Every ledger runs it.
 *
 * @param held Makes an empty place, opens ledgers on it for a step, and removes it.
 */
export function ledgerContract(
  name: string,
  held: (step: (open: () => DayLedger) => Promise<void>) => Promise<void>,
): void {
  Deno.test(`${name}: a ledger adds up what was applied on a day, and keeps days and profiles apart`, () =>
    held(async (open) => {
      const ledger = open();
      const settle = await ledger.reserve(PLACE, { key: "a", resumes: false, decide: () => ENTRY });
      deepEqual(counts(await ledger.totals(PLACE)), [3, 1, 2, 0, 5]);
      await settle({ ...ENTRY, changes: 2, updates: 1, spendIncrease: 4 });
      await ledger.reserve(PLACE, { key: "a", resumes: false, decide: () => ENTRY });
      deepEqual(counts(await open().totals(PLACE)), [5, 2, 3, 0, 9]);
      deepEqual(counts(await ledger.totals({ ...PLACE, day: "2026-11-19" })), [0, 0, 0, 0, 0]);
      deepEqual(counts(await ledger.totals({ ...PLACE, profileId: "2" })), [0, 0, 0, 0, 0]);
    }));

  Deno.test(`${name}: resuming a plan takes over what the process that died had reserved`, () =>
    held(async (open) => {
      const ledger = open();
      await ledger.reserve(PLACE, { key: "a", resumes: false, decide: () => ENTRY });
      let seen: unknown[] = [];
      await ledger.reserve(PLACE, {
        key: "a",
        resumes: true,
        decide: (today) => {
          seen = counts(today);
          return ENTRY;
        },
      });
      deepEqual(seen, [0, 0, 0, 0, 0]);
      deepEqual(counts(await ledger.totals(PLACE)), [3, 1, 2, 0, 5]);
    }));

  Deno.test(`${name}: what attempts at one plan reserve counts once where one of them alone may send it`, () =>
    held(async (open) => {
      const ledger = open();
      const attempt = { key: "a", resumes: false, exclusive: true, decide: () => ENTRY };
      await ledger.reserve(PLACE, { ...attempt, key: "b", exclusive: false });
      const first = await ledger.reserve(PLACE, attempt);
      const beside = async (key: string, resumes = false): Promise<unknown[]> => {
        const totals = await open().totals(PLACE, { key, resumes, exclusive: true });
        return [totals.changes, totals.replaces?.spendIncrease];
      };
      deepEqual(await beside("a"), [3, 5]);
      deepEqual(await beside("b"), [6, undefined], "two of these may be sent");
      deepEqual(await beside("b", true), [3, 5]);
      const cheaper = { ...attempt, decide: () => ({ ...ENTRY, spendIncrease: 1 }) };
      const second = await open().reserve(PLACE, cheaper);
      deepEqual(counts(await ledger.totals(PLACE)), [6, 2, 4, 0, 10]);
      await second();
      equal((await ledger.totals(PLACE)).changes, 6, "the first may still be sending");
      await first({ ...ENTRY, changes: 2 });
      equal((await ledger.totals(PLACE)).changes, 5);
      deepEqual(await beside("a"), [5, undefined], "it was sent");
      const third = await ledger.reserve(PLACE, attempt);
      equal((await ledger.totals(PLACE)).changes, 8, "sending it once more counts once more");
      const fourth = await ledger.reserve(PLACE, attempt);
      await third();
      equal((await ledger.totals(PLACE)).changes, 8, "the fourth has replaced it");
      await fourth();
      await fourth();
      equal((await ledger.totals(PLACE)).changes, 8, "the third may still be sending");
    }));

  Deno.test(`${name}: a reservation of which nothing was sent counts no more`, () =>
    held(async (open) => {
      const ledger = open();
      const withdraw = await ledger.reserve(PLACE, { key: "a", resumes: false, decide: () => ENTRY });
      await ledger.reserve(PLACE, { key: "a", resumes: false, decide: () => ENTRY });
      await withdraw();
      deepEqual(counts(await open().totals(PLACE)), [3, 1, 2, 0, 5]);
    }));

  Deno.test(`${name}: an increase that is unknown makes the day's unknown`, () =>
    held(async (open) => {
      const ledger = open();
      await ledger.reserve(PLACE, {
        key: "a",
        resumes: false,
        decide: () => ({ ...ENTRY, spendIncrease: undefined }),
      });
      equal((await ledger.totals(PLACE)).spendIncrease, undefined);
    }));

  Deno.test(`${name}: the first value of a day stays the first`, () =>
    held(async (open) => {
      const ledger = open();
      const first = (value: number): DayEntry => ({
        ...ENTRY,
        first: [{ kind: "sp.keywords", id: "9", field: "bid", value }],
      });
      await ledger.reserve(PLACE, { key: "a", resumes: false, decide: () => first(1) });
      await ledger.reserve(PLACE, { key: "b", resumes: false, decide: () => first(1.3) });
      equal((await ledger.totals(PLACE)).firstValue("sp.keywords", "9", "bid"), 1);
      equal((await ledger.totals(PLACE)).firstValue("sp.keywords", "8", "bid"), undefined);
    }));

  Deno.test(`${name}: of many that decide at once each sees what the ones before it took`, () =>
    held(async (open) => {
      const seen = new Set<number>();
      const one: DayEntry = { ...ENTRY, changes: 1 };
      await Promise.all(Array.from({ length: 20 }, (_, index) =>
        open().reserve(PLACE, {
          key: String(index),
          resumes: false,
          decide: (today) => {
            seen.add(today.changes);
            return one;
          },
        })));
      equal(seen.size, 20);
      equal((await open().totals(PLACE)).changes, 20);
    }));

  Deno.test(`${name}: a decision that refuses takes nothing`, () =>
    held(async (open) => {
      const ledger = open();
      await rejects(ledger.reserve(PLACE, {
        key: "a",
        resumes: false,
        decide: () => {
          throw new Error("no");
        },
      }));
      equal((await ledger.totals(PLACE)).changes, 0);
    }));

  Deno.test(`${name}: what a plan wrote over is kept by profile and plan, and read by every program`, () =>
    held(async (open) => {
      const plan = { profileId: "1", planId: "20261118-100000-abc" };
      const write = { kind: "sp.keywords", id: "9", was: { bid: 1 }, wrote: { bid: 2 } };
      const created = { kind: "sp.keywords", id: "9223406226462071360" };
      await open().keepSent!(plan, [write]);
      await open().keepSent!(plan, [created]);
      await open().keepSent!({ ...plan, planId: "other/../plan" }, [created]);
      deepEqual(await open().sentBy!(plan), [write, created]);
      deepEqual(await open().sentBy!({ ...plan, profileId: "2" }), []);
      deepEqual(await open().sentBy!({ ...plan, planId: "none" }), []);
    }));
}

import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import { FolderLedger } from "../../src/policy/day_ledger.ts";
import type { DayEntry } from "../../src/policy/day_ledger.ts";

const PLACE = { profileId: "1", day: "2026-11-18" };
const ENTRY: DayEntry = { changes: 3, creates: 1, updates: 2, archives: 0, spendIncrease: 5, first: [] };

async function inFolder(step: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await step(`${folder}/days`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function counts(
  { changes, creates, updates, archives, spendIncrease }: DayEntry | Omit<DayEntry, "first">,
): unknown[] {
  return [changes, creates, updates, archives, spendIncrease];
}

Deno.test("a ledger adds up what was applied on a day, and keeps days and profiles apart", () =>
  inFolder(async (folder) => {
    const ledger = new FolderLedger(folder);
    const settle = await ledger.reserve(PLACE, { key: "a", resumes: false, decide: () => ENTRY });
    deepEqual(counts(await ledger.totals(PLACE)), [3, 1, 2, 0, 5]);
    await settle({ ...ENTRY, changes: 2, updates: 1, spendIncrease: 4 });
    await ledger.reserve(PLACE, { key: "a", resumes: false, decide: () => ENTRY });
    deepEqual(counts(await new FolderLedger(folder).totals(PLACE)), [5, 2, 3, 0, 9]);
    deepEqual(counts(await ledger.totals({ ...PLACE, day: "2026-11-19" })), [0, 0, 0, 0, 0]);
    deepEqual(counts(await ledger.totals({ ...PLACE, profileId: "2" })), [0, 0, 0, 0, 0]);
  }));

Deno.test("resuming a plan takes over what the process that died had reserved", () =>
  inFolder(async (folder) => {
    const ledger = new FolderLedger(folder);
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

Deno.test("an increase that is unknown makes the day's unknown", () =>
  inFolder(async (folder) => {
    const ledger = new FolderLedger(folder);
    await ledger.reserve(PLACE, {
      key: "a",
      resumes: false,
      decide: () => ({ ...ENTRY, spendIncrease: undefined }),
    });
    equal((await ledger.totals(PLACE)).spendIncrease, undefined);
  }));

Deno.test("the first value of a day stays the first", () =>
  inFolder(async (folder) => {
    const ledger = new FolderLedger(folder);
    const first = (value: number): DayEntry => ({
      ...ENTRY,
      first: [{ kind: "sp.keywords", id: "9", field: "bid", value }],
    });
    await ledger.reserve(PLACE, { key: "a", resumes: false, decide: () => first(1) });
    await ledger.reserve(PLACE, { key: "b", resumes: false, decide: () => first(1.3) });
    equal((await ledger.totals(PLACE)).firstValue("sp.keywords", "9", "bid"), 1);
    equal((await ledger.totals(PLACE)).firstValue("sp.keywords", "8", "bid"), undefined);
  }));

Deno.test("of many that decide at once each sees what the ones before it took", () =>
  inFolder(async (folder) => {
    const seen = new Set<number>();
    const one: DayEntry = { ...ENTRY, changes: 1 };
    await Promise.all(Array.from({ length: 20 }, (_, index) =>
      new FolderLedger(folder).reserve(PLACE, {
        key: String(index),
        resumes: false,
        decide: (today) => {
          seen.add(today.changes);
          return one;
        },
      })));
    equal(seen.size, 20);
    equal((await new FolderLedger(folder).totals(PLACE)).changes, 20);
  }));

Deno.test("a decision that refuses takes nothing", () =>
  inFolder(async (folder) => {
    const ledger = new FolderLedger(folder);
    await rejects(ledger.reserve(PLACE, {
      key: "a",
      resumes: false,
      decide: () => {
        throw new Error("no");
      },
    }));
    equal((await ledger.totals(PLACE)).changes, 0);
  }));

Deno.test("a damaged ledger refuses, and says which line of which file", () =>
  inFolder(async (folder) => {
    const ledger = new FolderLedger(folder);
    await ledger.reserve(PLACE, { key: "a", resumes: false, decide: () => ENTRY });
    await Deno.writeTextFile(`${folder}/1-2026-11-18.jsonl`, "{cut off", { append: true });
    await rejects(ledger.totals(PLACE), /line 2 of ".*1-2026-11-18\.jsonl" is damaged/);
  }));

Deno.test("the lock of a process that died is taken over", () =>
  inFolder(async (folder) => {
    await Deno.mkdir(folder, { recursive: true });
    await Deno.writeTextFile(`${folder}/1-2026-11-18.jsonl.lock`, "someone");
    await new FolderLedger(folder, { lockLease: 0.05 }).reserve(PLACE, {
      key: "a",
      resumes: false,
      decide: () => ENTRY,
    });
    const names = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
    ok(!names.some((name) => name.endsWith(".lock")));
  }));

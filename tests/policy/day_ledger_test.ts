import { deepEqual, equal, ok, rejects } from "../support/assert.ts";
import { FolderLedger } from "../../src/plans/policy/folder_ledger.ts";
import type { DayEntry } from "../../src/plans/state/day_ledger.ts";
import type { DayTotals } from "../../src/plans/state/day_totals.ts";
import { inFolder } from "../support/in_folder.ts";
import { ledgerContract } from "./ledger_contract.ts";

const PLACE = { profileId: "1", day: "2026-11-18" };
const ENTRY: DayEntry = { changes: 3, creates: 1, updates: 2, archives: 0, spendIncrease: 5, first: [] };

/** Gives a folder that is not there yet, for a ledger to make. */
const inDays = (step: (folder: string) => Promise<void>): Promise<void> =>
  inFolder((folder) => step(`${folder}/days`));

ledgerContract("a folder", (step) => inDays((folder) => step(() => new FolderLedger(folder))));

Deno.test("a damaged ledger refuses, and says which line of which file", () =>
  inDays(async (folder) => {
    const ledger = new FolderLedger(folder);
    await ledger.reserve(PLACE, { key: "a", resumes: false, decide: () => ENTRY });
    await Deno.writeTextFile(`${folder}/1-2026-11-18.jsonl`, "{cut off\n", { append: true });
    await rejects(ledger.totals(PLACE), /line 2 of ".*1-2026-11-18\.jsonl" is damaged/);
  }));

Deno.test("a last line that a full disk cut short counts for nothing and is cut off", () =>
  inDays(async (folder) => {
    const ledger = new FolderLedger(folder);
    const path = `${folder}/1-2026-11-18.jsonl`;
    await ledger.reserve(PLACE, { key: "ä", resumes: false, decide: () => ENTRY });
    const whole = await Deno.readTextFile(path);
    await Deno.writeTextFile(path, whole.slice(0, 40), { append: true });
    equal((await ledger.totals(PLACE)).changes, 3);
    await ledger.reserve(PLACE, { key: "b", resumes: false, decide: () => ENTRY });
    const lines = (await Deno.readTextFile(path)).split("\n");
    equal(lines.length, 3);
    equal((await ledger.totals(PLACE)).changes, 6);
  }));

Deno.test("a process that lost the lock while it was frozen takes its entry back and decides anew", () =>
  inDays(async (folder) => {
    const [frozen, other] = [new FolderLedger(folder), `${folder}/1-2026-11-18.jsonl`];
    const seen: number[] = [];
    const limit = 5;
    const decide = (today: DayTotals): DayEntry => {
      seen.push(today.changes);
      // Another process took the lock over and used 3 of the 5 changes while this one stood still.
      if (seen.length === 1) {
        const line = JSON.stringify({ ...ENTRY, id: "other", key: "other", at: "2026-11-18T09:00:00.000Z" });
        Deno.mkdirSync(folder, { recursive: true });
        Deno.writeTextFileSync(other, `${line}\n`, { append: true });
      }
      if (today.changes + ENTRY.changes > limit) throw new Error("limit");
      return ENTRY;
    };
    await rejects(frozen.reserve(PLACE, { key: "a", resumes: false, decide }), /limit/);
    equal(seen.join(), "0,3");
    const { changes, creates, updates, archives, spendIncrease } = await frozen.totals(PLACE);
    deepEqual({ changes, creates, updates, archives, spendIncrease }, {
      changes: 3,
      creates: 1,
      updates: 2,
      archives: 0,
      spendIncrease: 5,
    });
  }));

Deno.test("a resumed plan whose decision came too late holds again what it had reserved before", () =>
  inDays(async (folder) => {
    const ledger = new FolderLedger(folder);
    await ledger.reserve(PLACE, { key: "b", resumes: false, decide: () => ({ ...ENTRY, changes: 40 }) });
    await ledger.reserve(PLACE, { key: "a", resumes: false, decide: () => ENTRY });
    let turn = 0;
    const decide = (): DayEntry => {
      turn += 1;
      if (turn === 2) throw new Error("limit");
      const line = JSON.stringify({ ...ENTRY, id: "other", key: "other", at: "2026-11-18T09:00:00.000Z" });
      Deno.writeTextFileSync(`${folder}/1-2026-11-18.jsonl`, `${line}\n`, { append: true });
      return { ...ENTRY, changes: 100 };
    };
    await rejects(ledger.reserve(PLACE, { key: "a", resumes: true, decide }), /limit/);
    equal((await ledger.totals(PLACE)).changes, 40 + 3 + 3);
  }));

Deno.test("a plan that wrote over nothing leaves no file, and no other file goes with an old one", () =>
  inDays(async (folder) => {
    let now = Date.UTC(2026, 10, 18);
    const ledger = new FolderLedger(folder, { now: () => now });
    const write = { kind: "sp.keywords", id: "9", was: { bid: 1 }, wrote: { bid: 2 } };
    await ledger.keepSent({ profileId: "1", planId: "none" }, []);
    await ledger.reserve(PLACE, { key: "a", resumes: false, decide: () => ENTRY });
    await Deno.writeTextFile(`${folder}/sent-by-hand.txt`, "mine");
    await ledger.keepSent({ profileId: "1", planId: "a" }, [write]);
    now += 31 * 86_400_000;
    await ledger.keepSent({ profileId: "1", planId: "b" }, [write]);
    const names = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) =>
      name.replace(/[0-9a-f]{32}/, "*")
    );
    deepEqual(names.sort(), ["1-2026-11-18.jsonl", "sent-1-*.jsonl", "sent-by-hand.txt"]);
  }));

Deno.test("a ledger that cannot be read, or holds something else, refuses", () =>
  inDays(async (folder) => {
    const ledger = new FolderLedger(folder);
    const path = `${folder}/1-2026-11-18.jsonl`;
    await Deno.mkdir(path, { recursive: true });
    await rejects(ledger.totals(PLACE), { code: "EISDIR" });
    await Deno.remove(path);
    await Deno.writeTextFile(path, '{"id":"a","changes":3}\n');
    await rejects(ledger.totals(PLACE), /line 1 of ".*" is damaged/);
  }));

Deno.test("entries are dated by the clock of the ledger", () =>
  inDays(async (folder) => {
    const ledger = new FolderLedger(folder, { now: () => Date.UTC(2026, 10, 18, 9) });
    const settle = await ledger.reserve(PLACE, { key: "a", resumes: false, decide: () => ENTRY });
    await settle(ENTRY);
    const lines = (await Deno.readTextFile(`${folder}/1-2026-11-18.jsonl`)).trim().split("\n");
    const dates = lines.map((line) => JSON.parse(line).at);
    equal(dates.join(), "2026-11-18T09:00:00.000Z,2026-11-18T09:00:00.000Z");
  }));

/** A lock that others hold; `held` is run at each look at the clock, and says how many seconds it shows. */
async function reserveBehindLock(
  ledgerOf: (folder: string) => FolderLedger,
  held: (lock: string) => number,
): Promise<void> {
  const { now } = performance;
  try {
    await inDays(async (folder) => {
      const lock = `${folder}/1-2026-11-18.jsonl.lock`;
      await Deno.mkdir(folder, { recursive: true });
      await Deno.writeTextFile(lock, "another");
      performance.now = () => held(lock) * 1000;
      await ledgerOf(folder).reserve(PLACE, { key: "a", resumes: false, decide: () => ENTRY });
    });
  } finally {
    performance.now = now;
  }
}

Deno.test("a lock that changes hands no more is taken over after its lease, and not before", async () => {
  for (
    const [lockLease, soon, late] of [[undefined, 14.9, 15.1], [1000, 999.9, 1000.1]] as const
  ) {
    const clock = [0, 0, soon, soon, soon];
    await reserveBehindLock(
      (folder) => new FolderLedger(folder, lockLease === undefined ? {} : { lockLease }),
      () => clock.shift() ?? late,
    );
    equal(clock.length, 0, "all looks at the clock within the lease");
  }
});

Deno.test("a lock that always changes hands is given up after twice its lease and half a minute", async () => {
  const clock = [0, 20, 40, 50];
  await rejects(
    reserveBehindLock((folder) => new FolderLedger(folder, { lockLease: 10 }), (lock) => {
      Deno.writeTextFileSync(lock, String(clock.length));
      return clock.shift() ?? 50.0005;
    }),
    /^ConfigurationError: Cannot lock ".*1-2026-11-18\.jsonl\.lock": another process holds it\. If none is running, delete the file/,
  );
  equal(clock.length, 0);
});

Deno.test("the lock of a process that died is taken over", () =>
  inDays(async (folder) => {
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

Deno.test("what plans wrote over is forgotten after thirty days, and its file goes", () =>
  inDays(async (folder) => {
    let now = Date.UTC(2026, 10, 18);
    const ledger = new FolderLedger(folder, { now: () => now });
    const plan = { profileId: "1", planId: "a" };
    const write = { kind: "sp.keywords", id: "9", was: { bid: 1 }, wrote: { bid: 2 } };
    await ledger.keepSent(plan, [write]);
    now += 30 * 86_400_000;
    equal((await ledger.sentBy(plan)).length, 1);
    now += 1;
    equal((await ledger.sentBy(plan)).length, 0);
    await ledger.keepSent({ ...plan, planId: "b" }, [write]);
    equal((await Array.fromAsync(Deno.readDir(folder))).length, 1);
  }));

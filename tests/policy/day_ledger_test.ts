import { ok, rejects } from "node:assert/strict";
import { FolderLedger } from "../../src/policy/folder_ledger.ts";
import type { DayEntry } from "../../src/plans/day/day_ledger.ts";
import { ledgerContract } from "./ledger_contract.ts";

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

ledgerContract("a folder", (step) => inFolder((folder) => step(() => new FolderLedger(folder))));

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

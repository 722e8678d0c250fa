import { equal, ok } from "../support/assert.ts";
import { Journal } from "../../src/emulator/http/journal.ts";
import { long } from "../support/long.ts";

const FACTS = { method: "POST", path: "/na/sp/keywords", query: "", headers: {} };

long();
Deno.test("the journal lets go of the oldest bodies before they fill the memory", () => {
  const journal = new Journal(10_000);
  const body = new Uint8Array(200_000).fill(65);
  for (let number = 0; number < 2_000; number++) journal.add("2026-09-30T12:00:00Z", { ...FACTS, body });
  const entries = journal.entries();
  const kept = entries.filter((entry) => entry.body !== undefined);
  equal(entries.length, 2_000);
  ok(kept.length * body.length <= 64 * 1024 * 1024 && kept.length > 100, `${kept.length} bodies`);
  ok(entries.slice(-100).every((entry) => entry.body !== undefined), "the newest are there");
  ok(
    entries.every(({ bodyHash }) => bodyHash === entries[0]!.bodyHash),
    "what is compared by is kept for all",
  );
});

Deno.test("the journal keeps as many requests as it was told to, with the bodies of all of them", () => {
  const journal = new Journal(50);
  for (let number = 0; number < 1_000; number++) {
    journal.add("2026-09-30T12:00:00Z", { ...FACTS, body: new TextEncoder().encode(`{"n":${number}}`) });
  }
  equal(journal.entries().length, 50);
  ok(journal.entries().every(({ body }) => body !== undefined));
});

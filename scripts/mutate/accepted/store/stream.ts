import type { AcceptedMutant } from "../../accepted_mutant.ts";

/** Mutants of the hourly stream in the store that no test needs to notice. */
export const STORE_STREAM: readonly AcceptedMutant[] = [
  {
    path: "src/store/model/local_hour.ts",
    before: "zone.known.size >= MAX_KNOWN",
    after: "true",
    why: "Forgets what is remembered to save time",
  },
  {
    path: "src/store/model/local_hour.ts",
    before: "zone.known.size >= MAX_KNOWN",
    after: "false",
    why: "Bounds memory alone",
  },
  {
    path: "src/store/model/local_hour.ts",
    before: ">=",
    after: ">",
    why: "Bounds memory alone",
  },
  {
    path: "src/store/model/local_hour.ts",
    before: "20_000",
    after: "(20000 + 1)",
    why: "Bounds memory alone",
  },
  {
    path: "src/store/model/local_hour.ts",
    before: "zone.known.clear();",
    after: ";",
    why: "Bounds memory alone",
  },
  {
    path: "src/store/model/local_hour.ts",
    before: "zone.known.set(key, hour);",
    after: ";",
    why: "Remembers to save time",
  },
  {
    path: "src/store/model/local_hour.ts",
    before: "/",
    after: "*",
    within: "Math.floor(time / (HOUR / 4))",
    why: "A moment of its own is remembered for each time, which costs time alone; the inner one is noticed",
  },
  {
    path: "src/store/model/local_hour.ts",
    before: "found !== undefined",
    after: "false",
    why: "Remembers to save time",
  },
  {
    path: "src/store/stream/read_message.ts",
    before: '!path.includes(".")',
    after: "false",
    why: "Saves time alone: a path without dots is not there",
  },
  {
    path: "src/store/model/local_hour.ts",
    before: "zones.set(timeZone, zone);",
    after: ";",
    why: "Remembers to save time",
  },
  {
    path: "src/store/stream/reconcile_stream.ts",
    before: "<",
    after: "<=",
    within: "a < b ? -1 : 1",
    why: "No two groups have one key",
  },
  {
    path: "src/store/stream/reconcile_stream.ts",
    before: "1",
    after: "(1 + 1)",
    within: "a < b ? -1 : 1",
    why: "Any number above 0 sorts alike, and any below",
  },
  {
    path: "src/store/stream/reconcile_stream.ts",
    before: "<",
    after: "<=",
    within: "reports.indexOf(before.report)",
    why: "A day has one line for each report",
  },
  {
    path: "src/store/stream/folder_source.ts",
    before: "signal?.aborted",
    after: "false",
    why: "Saves opening the files that follow, of which nothing is read",
  },
  {
    path: "src/store/stream/folder_source.ts",
    before: "2",
    after: "(2 + 1)",
    within: "new Uint8Array(2)",
    why: "Reads a byte more than it looks at",
  },
];

import type { AcceptedMutant } from "../../accepted_mutant.ts";

/** Mutants of src/store/postgres that no test needs to notice. */
export const POSTGRES: readonly AcceptedMutant[] = [
  {
    path: "src/store/postgres/copy_text.ts",
    before: "!SPECIAL.test(text)",
    after: "false",
    why: "Saves the time of replacing nothing",
  },
  {
    path: "src/store/postgres/database.ts",
    before: "10_000",
    after: "(10000 + 1)",
    why: "A thousandth of a second more of a wait of ten",
  },
  {
    path: "src/store/postgres/database.ts",
    before: "1000",
    after: "(1000 + 1)",
    why: "A thousandth of a second more of a wait of one",
  },
  {
    path: "src/store/postgres/partitions.ts",
    before: "0x50414450",
    after: "(1346454608 + 1)",
    why: "Any number does that no other lock of the store has",
  },
  {
    path: "src/store/postgres/postgres_ledger.ts",
    before: "0x5041444c",
    after: "(1346454604 + 1)",
    why: "Any number does that no other lock of the store has",
  },
  {
    path: "src/store/postgres/schema.ts",
    before: "0x50414453",
    after: "(1346454611 + 1)",
    why: "Any number does that no other lock of the store has",
  },
  {
    path: "src/store/postgres/stream/postgres_stream.ts",
    before: "<",
    after: "<=",
    within: "a.layout.table < b.layout.table",
    why: "A batch has one group for each table",
  },
  {
    path: "src/store/postgres/postgres_ledger.ts",
    before: 'there?.["there"] === true',
    after: "false",
    why: "What follows makes only what is not there",
  },
];

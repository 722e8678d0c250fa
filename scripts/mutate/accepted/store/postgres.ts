import type { AcceptedMutant } from "../../accepted_mutant.ts";

/** Mutants of src/store/postgres that no test needs to notice. */
export const POSTGRES: readonly AcceptedMutant[] = [
  {
    path: "src/store/postgres/write_rows.ts",
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
    path: "src/store/tables/sql_stream.ts",
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
  {
    path: "src/store/tables/sql_stream.ts",
    before: "1",
    after: "(1 + 1)",
    within: "? -1 : 1",
    why: "Any number above 0 sorts alike",
  },
  {
    path: "src/store/tables/pulls_table.ts",
    before: "ledgerId !== undefined",
    after: "true",
    why: "No entry has no id, so that nothing is updated",
  },
  {
    path: "src/store/postgres/postgres_ledger.ts",
    before: "1",
    after: "(1 + 1)",
    within: "max: 1",
    why: "A step is one transaction, which has one connection",
  },
  {
    path: "src/store/postgres/write_entities.ts",
    before: 'await sql.text("ANALYZE fresh");',
    after: ";",
    why: "What follows is planned better with it, and has the same results",
  },
  {
    path: "src/store/postgres/write_entities.ts",
    before: 'await sql.text("ANALYZE touched");',
    after: ";",
    why: "What follows is planned better with it, and has the same results",
  },
  {
    path: "src/store/postgres/write_rows.ts",
    before: 'await session.text("ANALYZE fresh");',
    after: ";",
    why: "What follows is planned better with it, and has the same results",
  },
  {
    path: "src/store/postgres/write_rows.ts",
    before: 'await session.text("ANALYZE fresh, places");',
    after: ";",
    why: "What follows is planned better with it, and has the same results",
  },
  {
    path: "src/store/postgres/write_rows.ts",
    before: "1",
    after: "(1 + 1)",
    within: "Math.max(-1,",
    why: "The numbers of the rows of a key only have to differ and to grow",
  },
  {
    path: "src/store/postgres/write_rows.ts",
    before: "1",
    after: "(1 + 1)",
    within: "next.set(name, repeat + 1)",
    why: "The numbers of the rows of a key only have to differ and to grow",
  },
  {
    path: "src/store/postgres/database.ts",
    before: 'this.pool.on("release", (_error, client) => void this.#inUse.delete(client));',
    after: ";",
    why: "Bounds memory alone: what was given back is closed before what is in use is ended",
  },
];

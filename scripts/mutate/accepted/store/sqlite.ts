import type { AcceptedMutant } from "../../accepted_mutant.ts";

/** Mutants of src/store/sqlite that no test needs to notice. */
export const SQLITE: readonly AcceptedMutant[] = [
  {
    path: "src/store/sqlite/query_rows.ts",
    before: 'database.exec("COMMIT");',
    after: ";",
    why: "The one connection sees its own rows before they are committed",
  },
  {
    path: "src/store/sqlite/query_rows.ts",
    before: "database.close();",
    after: ";",
    why: "What is in memory goes with the last that refers to it",
  },
  {
    path: "src/store/sqlite/transactions.ts",
    before: "*",
    after: "/",
    within: "PAUSE * (0.5",
    why: "How long it pauses between two tries",
  },
  {
    path: "src/store/sqlite/transactions.ts",
    before: "+",
    after: "-",
    within: "PAUSE * (0.5",
    why: "How long it pauses between two tries",
  },
  {
    path: "src/store/sqlite/transactions.ts",
    before: "0.5",
    after: "(0.5 + 1)",
    why: "How long it pauses between two tries",
  },
  {
    path: "src/store/sqlite/transactions.ts",
    before: "40",
    after: "(40 + 1)",
    within: "PAUSE = 40",
    why: "How long it pauses between two tries",
  },
  {
    path: "src/store/sqlite/open_database.ts",
    before: "5000",
    after: "(5000 + 1)",
    why: "A thousandth of a second more of a wait of five",
  },
  {
    path: "src/store/sqlite/open_database.ts",
    before: "30_000",
    after: "(30000 + 1)",
    why: "A thousandth of a second more of a wait of thirty",
  },
  {
    path: "src/store/sqlite/query_connection.ts",
    before: "false",
    after: "true",
    within: "  #selects = false;",
    why: "It is set before each statement",
  },
  {
    path: "src/store/sqlite/row_writer.ts",
    before: "1",
    after: "(1 + 1)",
    within: "a < b ? -1 : 1",
    why: "Any number above 0 sorts alike",
  },
  {
    path: "src/store/sqlite/row_writer.ts",
    before: "<",
    after: "<=",
    within: "a < b ? -1 : 1",
    why: "Equal texts do not come here",
  },
  {
    path: "src/store/sqlite/row_writer.ts",
    before: "===",
    after: "!==",
    within: "set +=",
    why: "Names the set of columns in another way, and each as unlike all others as before",
  },
  {
    path: "src/store/sqlite/sqlite_driver.ts",
    before: 'database.exec("PRAGMA cache_size = -32000");',
    after: ";",
    why: "How much of the file a connection that reads keeps in memory",
  },
  {
    path: "src/store/sqlite/row_writer.ts",
    before: "0",
    after: "(0 + 1)",
    within: "return 0;",
    why: "What compares as greater stays behind, as what is equal does",
  },
  {
    path: "src/store/sqlite/row_writer.ts",
    before: "row.ref !== null",
    after: "true",
    why: "Saves statements that find nothing",
  },
];

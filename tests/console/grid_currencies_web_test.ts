import { deepEqual, equal, match } from "../support/assert.ts";
import { columnsOf, type GridColumn } from "../../src/interfaces/console/web/grid_columns.js";

// The pages ask for the width of the screen, and for their place, as they are loaded.
const quiet = () => Object.assign(new EventTarget(), { matches: false });
Object.assign(globalThis, {
  matchMedia: quiet,
  document: quiet(),
  location: new URL("http://console.test/grid"),
});
const { gridFill } = await import("../../src/interfaces/console/web/grid_fill.js");
const { gridDialogs } = await import("../../src/interfaces/console/web/pages/grid_dialogs.js");

const ROWS = [
  { id: "1", currency: "USD", profile_id: "10", budget: 20, portfolio: "7", decimals: 2 },
  { id: "2", currency: "USD", profile_id: "11", budget: 5, portfolio: null, decimals: 2 },
  { id: "3", currency: "JPY", profile_id: "12", budget: 3000, portfolio: null, decimals: 0 },
  { id: "4", currency: "USD", profile_id: "10", budget: 6, portfolio: null, decimals: 2 },
].map((row) => ({ ...row, key: `sp.campaigns ${row.id}`, name: `Campaign ${row.id}`, state: "ENABLED" }));
type Row = typeof ROWS[number];
const column = (key: string): GridColumn => columnsOf("campaigns").find((one) => one.key === key)!;
const now = (row: Row, { key }: GridColumn): string | number | null => row[key as "budget"] ?? null;

function filled(key: string, rows = ROWS) {
  const said: string[] = [];
  const cells: unknown[] = [];
  const { down } = gridFill({
    range: { value: { from: 0, to: rows.length - 1 } },
    ends: () => [0, rows.length - 1],
    rows: () => rows,
    column: () => column(key),
    canEdit: () => true,
    now,
    put: (some) => void cells.push(...some.map(({ row, value }) => [row.id, value])),
    tell: (words) => void said.push(words),
  });
  down();
  return { cells, said };
}

Deno.test("a fill leaves out amounts of other currencies and portfolios of other profiles, and says so", () => {
  deepEqual(filled("budget"), {
    cells: [["2", 20], ["4", 20]],
    said: ["1 row not filled: the currency differs."],
  });
  deepEqual(filled("portfolio"), {
    cells: [["4", "7"]],
    said: ["2 rows not filled: the portfolio belongs to another profile."],
  });
  deepEqual(filled("state"), { cells: [["2", "ENABLED"], ["3", "ENABLED"], ["4", "ENABLED"]], said: [""] });
  deepEqual(filled("portfolio", ROWS.slice(1)), { cells: [["3", null], ["4", null]], said: [""] });
  deepEqual(filled("budget", ROWS.slice(0, 2)), { cells: [["2", 20]], said: [""] });
});

Deno.test("a paste of amounts of several currencies says so before it is made", () => {
  const shown = (text: string): string => {
    const parts = {
      ...{
        dialog: { value: { name: "paste", text } },
        checked: { value: undefined },
        draft: { value: undefined },
      },
      ...{ findings: { value: new Map() }, conflicts: { value: new Map() } },
      grid: () => ({
        ...{ rows: ROWS, at: 0, column: column("budget"), columns: ["budget", "state"].map(column) },
        ...{ now, canEdit: () => true, columnOf: (_row: Row, own: GridColumn) => own, decimals: 2 },
      }),
      ...{ put: () => {}, add: () => Promise.resolve(), done: () => {} },
    };
    // deno-lint-ignore no-explicit-any
    return JSON.stringify(gridDialogs(parts as any).draw());
  };
  match(shown("1\t21\n3\t31"), /2 cell/);
  match(shown("1\t21\n3\t31"), /Amounts are not converted: .*USD and JPY/);
  equal(/not converted/.test(shown("1\t21\n2\t31")), false);
  equal(/not converted/.test(shown("id\tstate\n1\tpaused\n3\tpaused")), false);
});

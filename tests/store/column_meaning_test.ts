import assert from "node:assert/strict";
import { test } from "node:test";
import { columnMeaning } from "../../src/store/warehouse/column_meaning.ts";

test("a column of a report is explained by its name: what is counted, and within which days", () => {
  const meanings: [name: string, meaning: string][] = [
    ["clicks", "clicks on ads"],
    ["sales", "sales within 14 days of a click, in the currency of the profile"],
    ["purchases1d", "orders within 1 day of a click"],
    ["purchases30d", "orders within 30 days of a click"],
    ["sales7d", "sales, in the currency of the profile, within 7 days of a click"],
    [
      "salesOtherSku7d",
      "sales of other products than the advertised one, in the currency of the profile, within 7 days of a click",
    ],
    ["newToBrandPurchases14d", "orders of shoppers new to the brand within 14 days of a click"],
    ["unitsSoldOtherSku14d", "units of other products than the advertised one within 14 days of a click"],
    // Nothing is known of these: their words.
    ["newToBrandPurchases", "new to brand purchases"],
    ["viewability30d", "viewability 30d"],
    ["adGroupId", "ad group id"],
  ];
  for (const [name, meaning] of meanings) assert.equal(columnMeaning(name), meaning, name);
});

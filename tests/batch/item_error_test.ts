import assert from "node:assert/strict";
import { itemError } from "../../src/platform/batch/item_error.ts";

const PLACE = { index: 3, item: "sent" };

Deno.test("Each shape of an item error gives its family, code and words", () => {
  const cases: readonly [entry: unknown, type: string, code: string, message: string][] = [
    [
      {
        errors: [{
          errorType: "rangeError",
          errorValue: { rangeError: { reason: "TOO_LOW", message: "low", lowerLimit: 1, upperLimit: "5" } },
        }],
      },
      "rangeError",
      "TOO_LOW",
      "low",
    ],
    [{ errors: [{ code: "NAME_NOT_UNIQUE", message: "taken" }] }, "otherError", "NAME_NOT_UNIQUE", "taken"],
    [{ code: "NOT_FOUND", description: "gone" }, "entityNotFoundError", "NOT_FOUND", "gone"],
    [{ code: "INTERNAL_ERROR", details: "oops" }, "internalServerError", "INTERNAL_ERROR", "oops"],
    [
      { code: "INVALID_ARGUMENT", errors: [{ KeywordError: { reason: "TOO_LONG", message: "long" } }] },
      "otherError",
      "TOO_LONG",
      "long",
    ],
    [{ errors: [{ errorType: "newFamilyError" }] }, "newFamilyError", "newFamilyError", "newFamilyError"],
    [{ errors: [{ code: "NOT_FOUND", message: "gone" }] }, "entityNotFoundError", "NOT_FOUND", "gone"],
    [{ errors: [{ reason: "BAD_REASON" }] }, "otherError", "BAD_REASON", "BAD_REASON"],
    [{ errors: [{ code: "X", note: "see the note" }] }, "otherError", "X", "see the note"],
    [{ errors: [{ code: "X" }], description: "above" }, "otherError", "X", "above"],
    [{ errors: [{ code: "X" }], details: "above" }, "otherError", "X", "above"],
    [{ errors: [{ code: "X" }], message: "above" }, "otherError", "X", "above"],
    [{ errors: [] }, "otherError", "otherError", "otherError"],
    [null, "otherError", "otherError", "otherError"],
  ];
  for (const [entry, type, code, message] of cases) {
    const error = itemError(entry, PLACE);
    assert.deepEqual(
      [error.errorType, error.code, error.message],
      [type, code, message],
      JSON.stringify(entry),
    );
    assert.deepEqual([error.index, error.item, error.outcome, error.raw], [3, "sent", "refused", entry]);
  }
  const [range] = cases;
  const { lowerLimit, upperLimit } = itemError(range![0], PLACE);
  assert.deepEqual([lowerLimit, upperLimit], ["1", "5"]);
});

Deno.test("Only what the platform did not act on is transient", () => {
  const family = (errorType: string): unknown => ({ errors: [{ errorType, errorValue: {} }] });
  const transient = [
    family("throttledError"),
    family("internalServerError"),
    { code: "SERVER_IS_BUSY" },
    { code: "INTERNAL_ERROR" },
    { errors: [{ code: "THROTTLED" }] },
    { code: "INTERNAL_ERROR", errors: [{ KeywordError: { reason: "NEW_REASON" } }] },
  ];
  const lasting = [family("biddingError"), { code: "NOT_FOUND" }, { code: "UNAUTHORIZED" }, {}];
  assert.deepEqual(transient.map((entry) => itemError(entry, PLACE).transient), transient.map(() => true));
  assert.deepEqual(lasting.map((entry) => itemError(entry, PLACE).transient), lasting.map(() => false));
});

Deno.test("everything that is wrong with an item is told, the first of it with its code", () => {
  const entry = {
    errors: [
      {
        errorType: "biddingError",
        errorValue: { biddingError: { reason: "TOO_LOW", message: "Bid too low", lowerLimit: "0.02" } },
      },
      {
        errorType: "dateError",
        errorValue: { dateError: { reason: "INVALID_DATE", message: "No such day" } },
      },
    ],
  };
  const { code, message, lowerLimit } = itemError(entry, { index: 0, item: undefined });
  assert.deepEqual([code, message, lowerLimit], [
    "TOO_LOW",
    "Bid too low; also INVALID_DATE: No such day",
    "0.02",
  ]);
});

Deno.test("where the platform names the values it takes, they are the advice", () => {
  const detail = { reason: "INVALID_ENUM_VALUE", message: "No", allowed: ["EXACT", "PHRASE", 3, {}] };
  const entry = { errors: [{ errorType: "rangeError", errorValue: { rangeError: detail } }] };
  assert.equal(itemError(entry, { index: 0, item: undefined }).hint, "Use one of EXACT, PHRASE, 3");
});

import { deepEqual, equal, ok, throws } from "../support/assert.ts";
import { frozenJson, frozenPart, isFrozenJson } from "../../src/base/json/frozen_json.ts";

Deno.test("a frozen copy has the fields of its data, and is not copied again", () => {
  const list: unknown[] = [1, undefined, { b: "x" }];
  const data = { a: 1, none: undefined, list, day: new Date(0), empty: null };
  const copy = frozenJson(data, "change 1");
  deepEqual(JSON.parse(JSON.stringify(copy)), {
    a: 1,
    list: [1, null, { b: "x" }],
    day: "1970-01-01T00:00:00.000Z",
    empty: null,
  });
  equal("none" in copy, false);
  ok(Object.isFrozen(copy) && Object.isFrozen(copy.list) && Object.isFrozen(copy.list[2]));
  equal(isFrozenJson(copy), true);
  equal(isFrozenJson(data), false);
  equal(frozenJson(copy, "again"), copy);
  equal(frozenJson({ copy }, "within").copy, copy);
  list.push(2);
  equal(copy.list.length, 3);
});

Deno.test("parts that are ready are not copied, and are not known as frozen by themselves", () => {
  const part = frozenPart({ bid: { amount: 1 } }, "change 1.before");
  ok(Object.isFrozen(part) && Object.isFrozen(part.bid));
  equal(isFrozenJson(part), false);
  const whole = frozenJson({ before: part, after: { list: [part] } }, "change 1", [part]);
  equal(whole.before, part);
  equal(whole.after.list[0], part);
  equal(isFrozenJson(whole), true);
});

Deno.test("a field named __proto__ stays a field", () => {
  const data = JSON.parse('{ "a": { "__proto__": { "state": "ENABLED" }, "b": 1 } }');
  const copy = frozenJson(data, "change 1");
  equal(JSON.stringify(copy), JSON.stringify(data));
  equal(Object.getPrototypeOf(copy.a), Object.prototype);
  equal(copy.a.state, undefined);
});

Deno.test("what JSON cannot hold is refused with the place where it stands", () => {
  const refused = (value: unknown, message: RegExp): void => {
    throws(() => frozenJson(value, "change 3"), (error: Error) => {
      ok(error instanceof TypeError);
      ok(message.test(error.message), error.message);
      return true;
    });
  };
  refused(NaN, /^Cannot plan change 3: NaN \(number\) is nothing that JSON can hold$/);
  refused(
    { after: { bids: [1, { amount: 5n }] } },
    /^Cannot plan change 3\.after\.bids\[1\]\.amount: 5 \(bigint\)/,
  );
  refused({ after: () => 1 }, /^Cannot plan change 3\.after: .*\(function\)/);
});

import { deepEqual, equal } from "../../support/assert.ts";
import { restores, sentRecord } from "../../../src/plans/state/sent_record.ts";
import { accountState, stepsOf } from "../../support/account_state.ts";

Deno.test("without a ledger what the last 100 plans have sent is remembered", async () => {
  const record = sentRecord(undefined);
  const write = (id: string) => ({ kind: "sp.keywords", id, was: { bid: 1 }, wrote: { bid: 2 } });
  for (let at = 0; at <= 100; at++) {
    await record.keep({ profileId: "1", id: `p${at}` }, [write("8")]);
    await record.keep({ profileId: "1", id: `p${at}` }, [write("9")]);
  }
  const by = async (planId: string) => (await record.by({ profileId: "1", planId })).map(({ id }) => id);
  deepEqual(await by("p0"), []);
  deepEqual(await by("p1"), ["8", "9"]);
  deepEqual(await by("p100"), ["8", "9"]);
});

Deno.test("a part of a field that was emptied is as absent as one that was never there", () => {
  const budget = (value: object) => ({ budget: value });
  const back = (now: object): boolean => {
    const [step] = stepsOf([{
      ...{ kind: "portfolios", op: "update", id: "1", label: "x", before: {} },
      after: budget({ amount: 5, endDate: "2026-12-31" }),
    }], accountState({ "portfolios 1": budget(now) }));
    const was = budget({ amount: 5, endDate: "2026-12-31" });
    return restores(step!, [{
      kind: "portfolios",
      id: "1",
      was,
      wrote: budget({ amount: 9, endDate: null }),
    }]);
  };
  equal(back({ amount: 9, currencyCode: "USD" }), true);
  equal(back({ amount: 9, endDate: null }), true);
  equal(back({ amount: 9, endDate: "2027-01-01" }), false);
});

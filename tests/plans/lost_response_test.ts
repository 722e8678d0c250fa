import { deepEqual, equal, match } from "../support/assert.ts";
import { PlatformAds, resumePlan } from "../../mod.ts";
import { missingLines } from "../../src/plans/change_plan/outcome_text.ts";
import { Emulator } from "../../src/emulator/mod.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

Deno.test("after a lost response the advice names resumePlan, which settles the change; missing ids are in the result", async () => {
  await using folder = await temporaryFolder();
  const emulator = await Emulator.start();
  try {
    const ads = new PlatformAds(emulator.credentials, {
      platform: emulator.platform,
      now: () => emulator.clock.now(),
      sleep: (seconds) => Promise.resolve(emulator.advance(seconds)),
    });
    const us = await ads.profile("US");
    const [keyword] = (await us.sp.keywords.list({ states: ["ENABLED"] })).filter(({ bid }) =>
      bid !== undefined
    );
    const bid = Math.round((keyword!.bid! + 0.05) * 100) / 100;
    const plan = await us.sp.keywords.planUpdate([{ keywordId: keyword!.keywordId, bid }, {
      keywordId: "1",
      bid,
    }]);
    emulator.setFaults([{
      match: { method: "PUT", path: "/sp/keywords" },
      times: 1,
      effects: { drop: "after" },
    }]);
    const journal = folder.file("plan.journal.jsonl");
    const lost = await plan.apply(us, { journal });
    equal(lost.changes[0]!.outcome, "unknown");
    match(lost.failures[0]!.error.hint!, /journal, resumePlan\(\) does this/);
    deepEqual(missingLines(plan), ["1 not found when planned: 1"]);
    deepEqual(lost.toData()["missing"], ["1"]);
    const settled = await resumePlan(plan, us, { journal });
    equal(settled.ok, true, settled.summary());
    const puts = emulator.requests().filter(({ method }) => method === "PUT");
    equal(puts.length, 1, "nothing is sent twice");
  } finally {
    await emulator.stop();
  }
});

import { equal } from "../support/assert.ts";
import { PlatformAds } from "../../mod.ts";
import { Emulator } from "../../src/emulator/mod.ts";

Deno.test("a write on a connection that was used before reaches the platform once, though its answer is lost", async () => {
  const emulator = await Emulator.start();
  try {
    const ads = new PlatformAds(emulator.credentials, { platform: emulator.platform });
    const us = await ads.profile("US");
    const [keyword] = await us.sp.keywords.list({ pageSize: 10 });
    emulator.setFaults([{
      match: { method: "POST", path: "/sp/keywords" },
      times: 1,
      effects: { drop: "after" },
    }]);
    const { adGroupId, campaignId } = keyword!;
    const item = {
      adGroupId,
      campaignId,
      keywordText: "sent once",
      matchType: "EXACT",
      state: "ENABLED",
      bid: 1,
    };
    const result = await us.sp.keywords.create([item]);
    equal(result.errors[0]?.outcome, "unknown");
    const sent = emulator.requests().filter(({ method, path }) =>
      method === "POST" && path.endsWith("/sp/keywords")
    );
    equal(sent.length, 1);
    const made = (await us.sp.keywords.list({ adGroupIds: [adGroupId] })).filter((found) => {
      return found.keywordText === "sent once";
    });
    equal(made.length, 1);
  } finally {
    await emulator.stop();
  }
});

import assert from "node:assert/strict";
import { Caller } from "./caller.ts";

const TYPE = "application/json";

function adGroupOf(caller: Caller): string {
  const profile = caller.emulator.state.profile(caller.profile("US"))!;
  return String(
    profile.collection("sb.ad_groups").all().find((adGroup) =>
      adGroup.state === "ENABLED" &&
      profile.collection("sb.campaigns").get(String(adGroup.campaignId))!.state === "ENABLED"
    )!.adGroupId,
  );
}

function ask(caller: Caller, method: string, path: string, raw?: string) {
  const headers = { accept: "*/*", ...(raw === undefined ? {} : { "content-type": TYPE }) };
  return caller.call(method, `/sb/${path}`, undefined, { headers, ...(raw === undefined ? {} : { raw }) });
}

Deno.test("Brands targets are created, listed by filters, changed and archived", async () => {
  await using caller = await Caller.start();
  const adGroupId = adGroupOf(caller);
  const item = (value: string, bid: number) =>
    `{"adGroupId":${adGroupId},"expressions":[{"type":"asinSameAs","value":"${value}"}],"bid":${bid}}`;
  const made = await ask(
    caller,
    "POST",
    "targets",
    `{"targets":[${item("B000000001", 1)},${item("B000000001", 1)},${item("x", 1)},${
      item("B000000002", 900)
    }]}`,
  );
  assert.equal(made.status, 200);
  assert.deepEqual(
    made.json.createTargetErrorResults.map((each: { targetRequestIndex: number }) => each.targetRequestIndex),
    [1, 2, 3],
  );
  const [, targetId] = /"targetId":(\d+)/.exec(made.text)!;
  const list = async (state: string) => {
    const filters = [{ filterType: "AD_GROUP_ID", values: [adGroupId] }, {
      filterType: "TARGETING_STATE",
      values: [state],
    }];
    const { text } = await ask(caller, "POST", "targets/list", JSON.stringify({ filters }));
    return text.includes(`"targetId":${targetId}`);
  };
  assert.equal(await list("enabled"), true);
  const paused = await ask(
    caller,
    "PUT",
    "targets",
    `{"targets":[{"targetId":${targetId},"state":"paused","bid":2}]}`,
  );
  assert.equal(paused.json.updateTargetErrorResults.length, 0);
  assert.equal((await ask(caller, "GET", `targets/${targetId}`)).json.bid, 2);
  assert.equal((await ask(caller, "DELETE", `targets/${targetId}`)).json.code, "SUCCESS");
  assert.equal(await list("archived"), true);
  assert.equal((await ask(caller, "DELETE", `targets/${targetId}`)).status, 400);
});

Deno.test("negative Brands targets take products and brands only", async () => {
  await using caller = await Caller.start();
  const adGroupId = adGroupOf(caller);
  const item = (type: string) =>
    `{"adGroupId":${adGroupId},"expressions":[{"type":"${type}","value":"B000000009"}]}`;
  const body = `{"negativeTargets":[${item("asinSameAs")},${item("asinCategorySameAs")}]}`;
  const { json } = await ask(caller, "POST", "negativeTargets", body);
  assert.equal(json.createTargetSuccessResults.length, 1);
  assert.match(json.createTargetErrorResults[0].details, /asinBrandSameAs, asinSameAs/);
});

Deno.test("an ad group has each theme once", async () => {
  await using caller = await Caller.start();
  const adGroupId = adGroupOf(caller);
  const listed = await ask(
    caller,
    "POST",
    "themes/list",
    JSON.stringify({ adGroupIdFilter: { include: [adGroupId] } }),
  );
  const taken = listed.json.themes.map((theme: { themeType: string }) => theme.themeType);
  const free = ["KEYWORDS_RELATED_TO_YOUR_BRAND", "KEYWORDS_RELATED_TO_YOUR_LANDING_PAGES"].find((type) =>
    !taken.includes(type)
  )!;
  const theme = { adGroupId, themeType: free, bid: 1 };
  const { json } = await ask(caller, "POST", "themes", JSON.stringify({ themes: [theme, theme] }));
  assert.deepEqual([json.success.length, json.error[0].index], [1, 1]);
  const { themeId } = json.success[0];
  const changed = await ask(
    caller,
    "PUT",
    "themes",
    JSON.stringify({ themes: [{ themeId, adGroupId, state: "paused" }] }),
  );
  assert.equal(changed.json.success[0].themeId, themeId);
  const paused = JSON.stringify({
    stateFilter: { include: ["paused"] },
    themeIdFilter: { include: [themeId] },
  });
  assert.equal((await ask(caller, "POST", "themes/list", paused)).json.themes.length, 1);
});

import assert from "node:assert/strict";
import { test } from "node:test";
import { Caller } from "./caller.ts";

const CAMPAIGNS = { labelObjectTypeFilter: { include: ["CAMPAIGN"] } };

/** A function that queries as an account; `null` leaves its header out. */
async function asking(caller: Caller) {
  const profileId = caller.profile("US");
  const found = await caller.call("POST", "/adsApi/v1/query/advertiserAccounts", {}, { profile: null });
  const accountId: string = found.json.advertiserAccounts.find(
    ({ alternateIds }: { alternateIds: { profileId: string }[] }) => alternateIds[0]!.profileId === profileId,
  ).advertiserAccountId;
  const query = (what: string, body: unknown, account: string | null = accountId) =>
    caller.call("POST", `/adsApi/v1/query/${what}`, body, {
      profile: null,
      headers: account === null ? {} : { "Platform-Ads-AccountId": account },
    });
  return { query, profileId };
}

test("labels are listed page by page, each by what it is on", async () => {
  await using caller = await Caller.start();
  const { query, profileId } = await asking(caller);
  const profile = caller.emulator.state.profile(profileId)!;
  const { json: { labels } } = await query("labels", CAMPAIGNS);
  assert.deepEqual(labels.map(({ labelName }: { labelName: string }) => labelName), ["Core range"]);
  const ids: string[] = [];
  let nextToken: string | undefined;
  do {
    const { json } = await query("labelObjectAssociations", {
      ...CAMPAIGNS,
      maxResults: 1,
      ...nextToken && { nextToken },
    });
    assert.equal(json.labelObjectAssociations.length, 1);
    ids.push(json.labelObjectAssociations[0].labelObjectId);
    nextToken = json.nextToken;
  } while (nextToken !== undefined);
  assert.equal(ids.length, 3);
  const campaigns = new Set(
    ["sp.campaigns", "sb.campaigns"].flatMap((kind) =>
      profile.collection(kind).all().map(({ campaignId }) => String(campaignId))
    ),
  );
  assert.ok(ids.every((id) => campaigns.has(id)));
  const one = await query("labelObjectAssociations", {
    ...CAMPAIGNS,
    labelObjectIdFilter: { include: [ids[1]] },
  });
  assert.deepEqual(
    one.json.labelObjectAssociations.map(({ labelObjectId }: { labelObjectId: string }) => labelObjectId),
    [ids[1]],
  );
});

test("a query of labels names its account and one type of object, within the published bounds", async () => {
  await using caller = await Caller.start();
  const { query } = await asking(caller);
  assert.equal((await query("labels", CAMPAIGNS, null)).status, 400);
  assert.equal((await query("labels", CAMPAIGNS, "ads-account.g.nobody")).status, 403);
  for (
    const body of [
      {},
      { labelObjectTypeFilter: { include: [] } },
      { labelObjectTypeFilter: { include: ["CAMPAIGN", "AD_GROUP"] } },
      { labelObjectTypeFilter: { include: ["KEYWORD"] } },
      { ...CAMPAIGNS, maxResults: 1001 },
      { ...CAMPAIGNS, labelNameFilter: { include: [] } },
      { ...CAMPAIGNS, labelNameFilter: { include: ["a"], exclude: ["b"] } },
      { ...CAMPAIGNS, labelObjectIdFilter: { include: ["1"] } },
      { ...CAMPAIGNS, stateFilter: { include: ["ENABLED"] } },
      { ...CAMPAIGNS, nextToken: "2" },
      { ...CAMPAIGNS, labelIdFilter: { include: Array.from({ length: 51 }, (_, at) => `label-${at}`) } },
      [],
    ]
  ) {
    const { status, json } = await query("labels", body);
    assert.equal(status, 400, JSON.stringify(body));
    assert.equal(json.code, "BAD_REQUEST");
  }
  assert.equal((await query("labelObjectAssociations", { ...CAMPAIGNS, maxResults: 5000 })).status, 200);
});

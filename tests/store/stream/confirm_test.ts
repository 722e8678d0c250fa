import assert from "node:assert/strict";
import { confirmSubscriptions } from "../../../src/store/stream/confirm_subscriptions.ts";
import { consumeStream } from "../../../src/store/stream/consume_stream.ts";
import { textSource } from "../../../src/store/stream/text_source.ts";
import { Warehouse } from "../../../src/store/warehouse/warehouse.ts";
import { temporaryFolder } from "../../support/temporary_folder.ts";

const NOW = Date.parse("2026-11-02T12:00:00Z");

Deno.test("only addresses of the platform's hosts are visited, within two days, and each once", async () => {
  const folder = await temporaryFolder();
  const store = await Warehouse.open(folder.file("ads.sqlite"));
  const addresses: readonly (readonly [url: string, outcome: string, sentAt?: string])[] = [
    ["https://sns.us-east-1.platformaws.com/?Token=1", "confirmed"],
    ["https://sns.cn-north-1.platformaws.com.cn/?Token=2", "confirmed"],
    ["http://127.0.0.1:4000/queue/confirm?Token=3", "confirmed"],
    ["http://127.0.0.1:4001/queue/confirm?Token=4", "refused"],
    ["http://sns.us-east-1.platformaws.com/?Token=5", "refused"],
    ["https://sns.us-east-1.platformaws.com.evil.example/?Token=6", "refused"],
    ["https://sns.us-east-1.platformaws.com@evil.example/?Token=7", "refused"],
    ["https://evil.example/sns.us-east-1.platformaws.com", "refused"],
    ["https://sns.us-east-1.platformaws.com:8443/?Token=8", "refused"],
    ["file:///etc/passwd", "refused"],
    ["https://sns.us-east-1.platformaws.com/?Token=9", "expired", "2026-10-31T11:00:00Z"],
    ["https://sns.us-east-1.platformaws.com/?gone", "failed"],
  ];
  try {
    const lines = addresses.map(([url, , sentAt = "2026-11-01T12:00:00Z"]) =>
      JSON.stringify({
        Type: "SubscriptionConfirmation",
        TopicArn: url,
        SubscribeURL: url,
        Timestamp: sentAt,
      })
    );
    await consumeStream(store, textSource(lines.join("\n")));
    const visited: string[] = [];
    const options = {
      loopback: ["http://127.0.0.1:4000"],
      now: () => NOW,
      fetch: (url: string | URL | Request) => {
        visited.push(String(url));
        return Promise.resolve(new Response("", { status: String(url).endsWith("gone") ? 410 : 200 }));
      },
    };
    const outcomes = await confirmSubscriptions(store, options);
    const byTopic = new Map(outcomes.map(({ topic, outcome }) => [topic, outcome]));
    assert.deepEqual(addresses.map(([url]) => byTopic.get(url)), addresses.map(([, outcome]) => outcome));
    const allowed = addresses.filter(([, outcome]) => outcome === "confirmed" || outcome === "failed");
    assert.deepEqual(visited.sort(), allowed.map(([url]) => url).sort());
    visited.length = 0;
    await confirmSubscriptions(store, options);
    assert.deepEqual(
      visited,
      ["https://sns.us-east-1.platformaws.com/?gone"],
      "what is confirmed is not visited again",
    );
  } finally {
    await store.close();
    await folder.remove();
  }
});

import { deepEqual, equal, match, rejects, throws } from "../../support/assert.ts";
import type { ProfileClient } from "../../../src/client/profile_client.ts";
import { ChangePlan } from "../../../src/plans/change_plan/change_plan.ts";
import {
  type ConfirmOptions,
  confirmSubscriptions,
  pendingConfirmations,
} from "../../../src/store/stream/confirm_subscriptions.ts";
import {
  checkDatasets,
  listSubscriptions,
  planSubscriptions,
} from "../../../src/store/stream/subscriptions.ts";
import type { Warehouse } from "../../../src/store/warehouse/warehouse.ts";

const ARN = "arn:aws:sqs:us-east-1:1:hourly";

/** A profile whose subscriptions come in pages: the token of a page is its number. */
function profileOf(pages: readonly unknown[]) {
  const asked: unknown[] = [];
  const planned: { body: Readonly<Record<string, unknown>>; options: unknown }[] = [];
  const profile = {
    call: (operation: string, body: unknown, { query, signal }: { query: object; signal?: AbortSignal }) => {
      asked.push([operation, body, query, signal?.aborted]);
      if (asked.length > 9) throw new Error("asked for ever");
      const { startingToken = "0" } = query as { startingToken?: string };
      return Promise.resolve(pages[Number(startingToken)]);
    },
    planCall: (_operation: string, body: Readonly<Record<string, unknown>>, options: unknown) => {
      planned.push({ body, options });
      const change = {
        kind: "call",
        op: "call",
        id: null,
        before: {},
        after: { operation: "x", body },
        label: String(body["dataSetId"]),
      } as const;
      return Promise.resolve(new ChangePlan({ profileId: "1", countryCode: "US", changes: [change] }));
    },
  };
  return { profile: profile as unknown as ProfileClient, asked, planned };
}

const SUBSCRIPTION = {
  subscriptionId: 12,
  dataSetId: "sp-traffic",
  status: "ACTIVE",
  destinationArn: ARN,
  createdDate: "2026-11-01T00:00:00Z",
};

Deno.test("subscriptions are read page by page, whichever way they name their queue", async () => {
  const nested = {
    ...SUBSCRIPTION,
    destinationArn: undefined,
    destination: { sqsDestination: { queueArn: "b" } },
  };
  const { profile, asked } = profileOf([
    { subscriptions: [SUBSCRIPTION], nextToken: "1" },
    { subscriptions: "none", nextToken: "2" },
    { subscriptions: [nested, { ...nested, destination: null }], nextToken: "" },
  ]);
  const found = await listSubscriptions(profile);
  const { destinationArn: queueArn, ...rest } = SUBSCRIPTION;
  deepEqual(found[0], { ...rest, subscriptionId: "12", queueArn, deliveryStreamArn: undefined });
  deepEqual(found.map(({ queueArn }) => queueArn), [ARN, "b", undefined]);
  const operation = "platform-marketing-stream:ListStreamSubscriptions";
  deepEqual(asked, [
    [operation, undefined, {}, undefined],
    [operation, undefined, { startingToken: "1" }, undefined],
    [operation, undefined, { startingToken: "2" }, undefined],
  ]);
});

Deno.test("pages that go in a circle end with an error, and a page of another shape is the last", async () => {
  const { signal } = new AbortController();
  const page = (dataSetId: string, nextToken: string) => ({
    subscriptions: [{ ...SUBSCRIPTION, dataSetId }],
    nextToken,
  });
  const { profile, asked } = profileOf([page("a", "1"), page("b", "2"), page("c", "1")]);
  await rejects(listSubscriptions(profile, { signal }), {
    name: "PlatformAdsError",
    message: /^Cannot list the subscriptions of the stream: the platform repeats the same page/,
  });
  deepEqual(asked.map((one) => (one as unknown[])[3]), [false, false, false]);
  for (const last of [null, "text", { nextToken: 5 }]) {
    deepEqual(await listSubscriptions(profileOf([last]).profile), []);
  }
});

Deno.test("a plan subscribes to what is not delivered to the queue yet, once each", async () => {
  const others = [
    { ...SUBSCRIPTION, dataSetId: "sp-conversion", status: "ARCHIVED" },
    { ...SUBSCRIPTION, dataSetId: "sb-traffic", destinationArn: "other" },
    { ...SUBSCRIPTION, dataSetId: "sd-traffic", status: "PENDING_CONFIRMATION" },
    { ...SUBSCRIPTION, dataSetId: "sb-conversion", status: "PROVISIONING" },
  ];
  const { profile, planned } = profileOf([{ subscriptions: [SUBSCRIPTION, ...others] }]);
  const datasets = ["sp-traffic", "sp-conversion", "sb-traffic", "sd-traffic", "sp-conversion"];
  const { plan, existing } = await planSubscriptions(profile, { datasets, queueArn: ARN, notes: "mine" });
  deepEqual(existing.map(({ dataSetId }) => dataSetId), ["sp-traffic", "sd-traffic"]);
  deepEqual(plan?.changes.map(({ label }) => label), ["sp-conversion", "sb-traffic"]);
  deepEqual(planned.map(({ options }) => options), [
    { note: "Subscribe to sp-conversion, sb-traffic" },
    { note: "Subscribe to sp-conversion, sb-traffic" },
  ]);
  const tokens = planned.map(({ body: { clientRequestToken, ...rest } }) => {
    deepEqual(Object.keys(rest), ["dataSetId", "destinationArn", "notes"]);
    return clientRequestToken;
  });
  equal(new Set(tokens).size, 2);
});

Deno.test("a plan for what is delivered already is none, and notes are left out where there are none", async () => {
  const all = profileOf([{ subscriptions: [SUBSCRIPTION] }]);
  equal((await planSubscriptions(all.profile, { datasets: ["sp-traffic"], queueArn: ARN })).plan, undefined);
  const none = profileOf([{}]);
  const { signal } = new AbortController();
  await planSubscriptions(none.profile, { datasets: ["sp-traffic"], queueArn: ARN, signal });
  equal("notes" in none.planned[0]!.body, false);
  equal((none.planned[0]!.options as { signal?: AbortSignal }).signal, signal);
});

Deno.test("a delivery stream is subscribed with its roles, and every problem of it is named before anything is asked", async () => {
  const deliveryStreamArn = "arn:aws:firehose:eu-west-1:123456789012:deliverystream/hourly";
  const [subscriptionRoleArn, subscriberRoleArn] = ["sns", "platform"].map((name) =>
    `arn:aws:iam::123456789012:role/${name}`
  ) as [string, string];
  const deliveryStream = { deliveryStreamArn, subscriptionRoleArn, subscriberRoleArn };
  const subscribed = { ...SUBSCRIPTION, destinationArn: undefined, dataSetId: "sb-traffic" };
  const { profile, planned, asked } = profileOf([{
    subscriptions: [{ ...subscribed, destination: { firehoseDestination: deliveryStream } }],
  }]);
  const eu = Object.assign(profile, { region: "EU" });
  const { existing } = await planSubscriptions(eu, {
    datasets: ["sp-traffic", "sb-traffic"],
    deliveryStream,
  });
  deepEqual(existing.map(({ dataSetId }) => dataSetId), ["sb-traffic"]);
  deepEqual(planned.map(({ body }) => [body["dataSetId"], body["destination"], "destinationArn" in body]), [
    ["sp-traffic", { firehoseDestination: deliveryStream }, false],
  ]);
  asked.length = 0;
  const datasets = ["sp-traffic"];
  const us = Object.assign(profile, { region: "NA" });
  const wrong = {
    ...deliveryStream,
    subscriptionRoleArn: "role",
    subscriberRoleArn: `${subscriberRoleArn}/${"x".repeat(230)}`,
  };
  await rejects(planSubscriptions(us, { datasets, deliveryStream: wrong }), {
    name: "ConfigurationError",
    message:
      /profiles of NA deliver to us-east-1; the subscription role "role" is not an ARN.*; the subscriber role .*over 255/,
  });
  for (const both of [{}, { queueArn: ARN, deliveryStream }]) {
    await rejects(
      planSubscriptions(us, { datasets, ...both }),
      /expected either a queue or a delivery stream/,
    );
  }
  deepEqual(asked, []);
});

Deno.test("a dataset that is not published is refused before anything is asked, with the nearest name", async () => {
  const { profile, asked } = profileOf([{}]);
  await rejects(planSubscriptions(profile, { datasets: ["sp-trafic"], queueArn: ARN }), {
    name: "ConfigurationError",
    message: /^Cannot subscribe to dataset "sp-trafic": .*did you mean "sp-traffic"\?$/,
  });
  deepEqual(asked, []);
  throws(() => checkDatasets(["sd-conversion"]), /; datasets of that product: sd-traffic$/);
  throws(() => checkDatasets(["sp-traffic", "everything-at-once"]), /expected one of adsp-/);
  checkDatasets(["sp-traffic"]);
});

const NOW = Date.parse("2026-11-03T12:00:00Z");
const URL_OF = (host: string): string => `https://${host}/?Token=1`;

async function confirmed(
  url: string,
  { sentAt = "2026-11-02T12:00:00Z", ...options }: Partial<ConfirmOptions> & { sentAt?: string } = {},
): Promise<unknown[]> {
  const stored: string[] = [];
  const store = {
    stream: {
      confirmations: () =>
        Promise.resolve([
          { topic: "t", url, sentAt, confirmedAt: null },
          { topic: "done", url: URL_OF("x"), sentAt, confirmedAt: "2026-11-01T00:00:00Z" },
        ]),
      confirm: (address: string, at: string) => {
        stored.push(address, at);
        return Promise.resolve();
      },
    },
  } as unknown as Warehouse;
  equal((await pendingConfirmations(store)).length, 1);
  const [outcome, ...others] = await confirmSubscriptions(store, {
    now: () => NOW,
    fetch: () => Promise.resolve(new Response("x")),
    ...options,
  });
  deepEqual(others, []);
  deepEqual(stored, outcome?.outcome === "confirmed" ? [url, "2026-11-03T12:00:00.000Z"] : []);
  equal(outcome?.topic, "t");
  return [outcome?.outcome, outcome?.reason];
}

Deno.test("a confirmation is given within two days of its sending, and no more after", async () => {
  const url = URL_OF("sns.eu-west-1.platformaws.com");
  deepEqual(await confirmed(url), ["confirmed", undefined]);
  deepEqual(await confirmed(url, { sentAt: "2026-11-01T12:00:00Z" }), ["confirmed", undefined]);
  const [outcome, reason] = await confirmed(url, { sentAt: "2026-11-01T11:59:59.999Z" });
  equal(outcome, "expired");
  match(String(reason), /more than two days ago; archive the subscription/);
});

Deno.test("a request can be ended by whoever confirms", async () => {
  const seen: unknown[] = [];
  const fetch: ConfirmOptions["fetch"] = (_url, init) => {
    seen.push(init?.signal);
    return Promise.resolve(new Response(null));
  };
  const { signal } = new AbortController();
  const url = URL_OF("sns.eu-west-1.platformaws.com");
  let isCanceled = false;
  const body = new ReadableStream({ cancel: () => void (isCanceled = true) });
  await confirmed(url, { fetch: () => Promise.resolve(new Response(body)) });
  equal(isCanceled, true, "nobody reads what the host says");
  await confirmed(url, { fetch });
  await confirmed(url, { fetch, signal });
  equal(seen.length, 2);
  equal(seen[0], undefined);
  equal(seen[1], signal);
});

Deno.test("what a host responds other than 200, or not at all, is reported and confirms nothing", async () => {
  const url = URL_OF("sns.eu-west-1.platformaws.com");
  const respond = (status: number): ConfirmOptions["fetch"] => (_url, init) => {
    equal(init?.redirect, "manual");
    return Promise.resolve(new Response(null, { status }));
  };
  deepEqual(await confirmed(url, { fetch: respond(302) }), ["failed", "its host responded with status 302"]);
  deepEqual(await confirmed(url, { fetch: respond(204) }), ["failed", "its host responded with status 204"]);
  deepEqual(await confirmed(url, { fetch: () => Promise.reject(new Error("refused")) }), [
    "failed",
    "refused",
  ]);
  deepEqual(await confirmed(url, { fetch: () => Promise.reject("gone") }), ["failed", "gone"]);
  const aborted = AbortSignal.abort(new Error("stopped"));
  await rejects(
    confirmed(url, { signal: aborted, fetch: (_url, init) => Promise.reject(init?.signal?.reason) }),
    /stopped/,
  );
});

const ADDRESSES: readonly (readonly [url: string, options: Partial<ConfirmOptions>, isVisited: boolean])[] = [
  [URL_OF("sns.eu-west-1.wordaws.com"), { wireWord: "word" }, true],
  [URL_OF("sns.eu-west-1.platformaws.com"), { wireWord: "word" }, false],
  [URL_OF("SNS.EU-WEST-1.platformAWS.com"), {}, true],
  [URL_OF("sns.eu.west.platformaws.com"), {}, false],
  ["no address", {}, false],
  ["http://localhost:4000/x", { loopback: ["http://localhost:4000"] }, true],
  ["http://[::1]:4000/x", { loopback: ["http://[::1]:4000"] }, true],
  ["http://127.0.0.1:4000/x", {}, false],
  ["http://127.0.0.1.evil.example:4000/x", { loopback: ["http://127.0.0.1.evil.example:4000"] }, false],
  ["http://evil.example/x", { loopback: ["http://evil.example"] }, false],
];

for (const [url, options, isVisited] of ADDRESSES) {
  Deno.test(`the address ${url} ${isVisited ? "is" : "is not"} visited with ${JSON.stringify(options)}`, async () => {
    const [outcome, reason] = await confirmed(url, options);
    equal(outcome, isVisited ? "confirmed" : "refused");
    if (!isVisited) {
      match(String(reason), /its address is (not a URL|on .*, expected https:\/\/sns\.REGION\.)/);
    }
  });
}

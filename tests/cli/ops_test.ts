import assert from "node:assert/strict";
import { emulated } from "./support/emulated.ts";
import { runCli } from "./support/run_cli.ts";
import { withoutPolicy } from "../support/without_policy.ts";

const INVOICE = "advertising-billing:getInvoice";
const UPDATE = "sponsored-products:UpdateSponsoredProductsKeywords";

withoutPolicy("it sends nothing");
Deno.test("ops search finds by words, and leaves out what cannot be sent unless asked", async () => {
  const { code, stdout } = await runCli("ops search list campaigns --json --limit 5");
  assert.equal(code, 0);
  const rows = JSON.parse(stdout) as Record<string, unknown>[];
  assert.equal(rows.length, 5);
  assert.ok(rows.every(({ unsupported_reason: reason }) => reason === null));
  const all = JSON.parse(
    (await runCli("ops search campaign --include-unsupported --limit 1000 --json")).stdout,
  ) as Record<string, unknown>[];
  assert.ok(all.some(({ unsupported_reason: reason }) => reason !== null));
  const none = await runCli("ops search zzzzzz");
  assert.deepEqual([none.code, none.stderr], [0, "No operation matches\n"]);
});

Deno.test("ops apis lists every API, ops show one operation", async () => {
  const apis = JSON.parse((await runCli("ops apis --json")).stdout) as { slug: string; operations: number }[];
  assert.ok(apis.length > 200);
  const text = (await runCli(`ops show ${INVOICE}`)).stdout;
  assert.match(text, /GET \/invoices\/\{invoiceId\}/);
  assert.match(text, /Requested as: +application\/json/);
  assert.match(text, /adsctl ops call advertising-billing:getInvoice -m US -p invoiceId=\.\.\./);
  assert.equal(JSON.parse((await runCli(`ops show ${INVOICE} --json`)).stdout).path_params[0], "invoiceId");
});

const WRONG: [args: string[], code: number, message: RegExp][] = [
  [["-p", "invoiceId"], 2, /"invoiceId" as -p, --path <name=value>: write name=value/],
  [["-p", "=x"], 2, /no name before the =/],
  [["-q", "=x"], 2, /no name before the =/],
  [["-q", "count"], 2, /"count" as -q, --query/],
  [["-p", "invoiceId=a", "-p", "invoiceId=b"], 2, /--path <name=value>: give invoiceId once/],
  [["-p", "invoiceId=a", "--header", "H"], 2, /"H" as --header/],
  [
    ["--header", "X-Key=a", "--header", "X-Key=secret"],
    2,
    /"X-Key=…" as --header <name=value>: give X-Key once/,
  ],
  [
    ["--header", "Authorization: Bearer secret"],
    2,
    /"Authorization…" as --header <name=value>: write name=value/,
  ],
  [[], 2, /path parameter "invoiceId"/],
  [["-p", "invoiceId=../x"], 2, /contains a slash/],
  [["-p", "invoiceId=%2e%2e"], 2, /percent escape/],
  [["-p", "invoiceId=a%2Fb"], 2, /percent escape/],
  [["-p", "invoiceId=;x"], 2, /nothing but dots and spaces/],
  [["-p", "invoiceId=.."], 2, /nothing but dots and spaces/],
  [["-p", "invoiceId="], 2, /is empty/],
  [["-p", "invoiceId=a", "--body", "{}"], 2, /a GET has no body/],
  [["-p", "invoiceId=a", "--body", "{"], 2, /--body: it is not JSON/],
];

Deno.test("a malformed call is a usage error, before anybody is asked and anything is sent", async () => {
  await using world = await emulated();
  for (const [args, code, message] of WRONG) {
    const run = await runCli(["ops", "call", INVOICE, "-m", "US", ...args], { ...world, terminal: 80 });
    assert.equal(run.code, code, args.join(" ") + run.stderr);
    assert.match(run.stderr.replaceAll(/\n +/g, " "), message, args.join(" "));
    assert.equal(run.stdout, "");
    assert.ok(!run.stderr.includes("secret"));
  }
  assert.equal(world.emulator.requests().length, 0);
});

Deno.test("a tool of the hosted server is refused without asking, a misspelt id with the nearest ones", async () => {
  await using world = await emulated();
  const tools = JSON.parse(
    (await runCli("ops search campaign --include-unsupported --limit 1000 --json")).stdout,
  ) as Record<string, string>[];
  const tool = tools.find((row) => row.unsupported_reason !== null)!;
  const hosted = await runCli(["ops", "call", tool.id!, "-m", "US"], { ...world, terminal: 80 });
  assert.equal(hosted.code, 4);
  assert.match(hosted.stderr, /hosted tool server/);
  const misspelt = await runCli("ops call sponsored-products:ListSponsoredProductsKeyword -m US", world);
  assert.equal(misspelt.code, 2);
  assert.match(misspelt.stderr, /ListSponsoredProductsKeywords/);
  assert.equal(world.emulator.requests().length, 0);
});

Deno.test("ops call reads as a person would: invoices by their corrected media type", async () => {
  await using world = await emulated();
  const list = await runCli("ops call advertising-billing:getAdvertiserInvoices -m US -q count=2", world);
  assert.equal(list.code, 0, list.stderr);
  const { payload } = JSON.parse(list.stdout) as { payload: { invoiceSummaries: { id?: string }[] } };
  const id = payload.invoiceSummaries.find((invoice) => invoice.id !== undefined)!.id;
  const one = await runCli(["ops", "call", "getInvoice", "-m", "US", "-p", `invoiceId=${id}`], world);
  assert.equal(one.code, 0, one.stderr);
  assert.equal(JSON.parse(one.stdout).status, "success");
});

Deno.test("ops call asks before what can change data, and sends what was given to the last digit", async () => {
  await using world = await emulated();
  const [keyword] = JSON.parse((await runCli("list keywords -m US --json --limit 1", world)).stdout) as {
    keywordId: string;
  }[];
  const body = JSON.stringify({ keywords: [{ keywordId: keyword!.keywordId, bid: 0.77 }] });
  const file = await world.write("body.json", body);
  const call = ["ops", "call", UPDATE, "-m", "US"];
  const no = await runCli([...call, "--body", body], { ...world, terminal: 80, stdin: "n\n" });
  assert.equal(no.code, 1);
  assert.match(no.stderr, /PUT \/sp\/keywords in market US/);
  assert.match(no.stderr, /This can change data. Send it\? \[y\/N\]/);
  const pipe = await runCli([...call, "--body", body], world);
  assert.equal(pipe.code, 2);
  assert.match(pipe.stderr, /Pass --yes/);
  assert.equal(world.emulator.requests().filter(({ method }) => method === "PUT").length, 0);
  for (const [given, stdin] of [[body, ""], [`@${file}`, ""], ["-", body]] as const) {
    const run = await runCli([...call, "--body", given, "--yes"], { ...world, stdin });
    assert.equal(run.code, 0, run.stderr);
    assert.equal(JSON.parse(run.stdout).keywords.success[0].keywordId, keyword!.keywordId);
  }
});

withoutPolicy("a policy does not judge what this call does, and refuses it");
Deno.test("an integer past 2^53 in a body arrives with all its digits", async () => {
  await using world = await emulated();
  let sent = "";
  await runCli([
    "ops",
    "call",
    UPDATE,
    "-m",
    "US",
    "--yes",
    "--body",
    '{"keywords":[{"keywordId":9223372036854775807,"bid":1.50}]}',
  ], {
    ...world,
    fetch: (input, init) => {
      if (init?.method === "PUT") sent = String(init.body);
      return fetch(input, init);
    },
  });
  assert.equal(sent, '{"keywords":[{"keywordId":9223372036854775807,"bid":1.5}]}');
});

Deno.test("ops call warns of what does not fit the published description, and with --check strict refuses it", async () => {
  await using world = await emulated();
  const call = ["ops", "call", "portfolios:ListPortfolios", "-m", "US", "--body", '{"portfolioFilter":{}}'];
  const finding = /portfolioFilter: unknown field\. Did you mean "portfolioIdFilter"\?/;
  const warned = await runCli(call, world);
  assert.match(warned.stderr, /^warning: /);
  assert.match(warned.stderr, finding);
  assert.ok(world.emulator.requests().some(({ path }) => path.endsWith("/portfolios/list")));
  const before = world.emulator.requests().length;
  const refused = await runCli([...call, "--check", "strict"], world);
  assert.equal(refused.code, 4);
  assert.match(refused.stderr, finding);
  assert.equal(world.emulator.requests().length, before);
  assert.equal((await runCli([...call, "--check", "off"], world)).stderr.includes("warning"), false);
});

Deno.test("ops call says that a call is unchecked where no description is published for the operation", async () => {
  await using world = await emulated();
  const run = await runCli([
    ...["ops", "call", "ad-group-targeting-apps:DspGetAdGroupAppTargets", "-m", "US", "-p", "adGroupId=1"],
    ...["--header", "Platform-Ads-AccountId=x"],
  ], world);
  assert.match(run.stderr, /^Not checked: no description is published for ad-group-targeting-apps:/);
});

Deno.test("ops show prints parameters, body and response as trees, and --at a part of them", async () => {
  const { stdout } = await runCli("ops show CreateSponsoredProductsCampaigns");
  assert.match(stdout, /\nbody \(required\): object\n {2}\* campaigns: list of at most 1000\n/);
  assert.match(stdout, /\n {6}\* budgetType: only DAILY\n/);
  assert.match(stdout, /\n207: object\n/);
  assert.match(stdout, /To see a folded part \(\.\.\.\), use --at/);
  const part = await runCli("ops show CreateSponsoredProductsCampaigns --at campaigns.budget");
  assert.match(
    part.stdout,
    /\nbody \(required\): object\n {2}\* budget: number\n {2}\* budgetType: only DAILY\n/,
  );
  const { stdout: list } = await runCli("ops show sponsored-display:listCampaigns");
  assert.match(list, /query stateFilter: one or more of archived, enabled, paused, joined by commas\n/);
  const none = await runCli("ops show CreateSponsoredProductsCampaigns --at campaigns.budjet");
  assert.equal(none.code, 2);
  assert.match(none.stderr, /Cannot show "campaigns\.budjet"/);
});

withoutPolicy("a policy does not judge what this call does, and refuses it");
Deno.test("ops show --json holds the schemas, --example a body that ops call accepts", async () => {
  const { schema } = JSON.parse((await runCli("ops show CreateSponsoredProductsKeywords --json")).stdout);
  assert.equal(schema.body.required, true);
  const body = (await runCli("ops show CreateSponsoredProductsKeywords --example")).stdout;
  await using world = await emulated();
  const call = ["ops", "call", "CreateSponsoredProductsKeywords", "-m", "US", "--yes", "--check", "strict"];
  const run = await runCli([...call, "--body", "-"], { ...world, stdin: body });
  assert.equal(run.code, 3, "the body is as published, and its ad group is made up");
  assert.match(run.stderr, /1 of 1 items were refused, the first because: Parent entity not found/);
  assert.equal((await runCli(`ops show ${INVOICE} --example`)).code, 2);
});

Deno.test("ops search finds what has a field, and by field names where nothing else matches", async () => {
  const found = JSON.parse((await runCli("ops search update --field siteRestrictions --json")).stdout);
  assert.deepEqual(found.map(({ id }: { id: string }) => id), [
    "sponsored-products:UpdateSponsoredProductsCampaigns",
    "v1-all-campaigns:UpdateCampaign",
    "v1-sp-campaigns:SPUpdateCampaign",
    "v1-spglobal-campaigns:SPGlobalUpdateCampaign",
  ]);
  const words = JSON.parse((await runCli("ops search siteRestrictions --json")).stdout);
  assert.ok(words.length >= found.length);
});

Deno.test("ops sunset lists what ends when, and where a program names it", async () => {
  const all = JSON.parse((await runCli("ops sunset --json")).stdout) as Record<string, string>[];
  assert.ok(all.length > 45);
  const days = all.map(({ shutoff }) => shutoff ?? "9999");
  assert.deepEqual(days, days.toSorted());
  await using world = await emulated();
  const file = await world.write(
    "report.py",
    'x = 1\nurl = f"{base}/dsp/orders/{order_id}"\ncall("posts:CreatePost", {})\nok("portfolios:ListPortfolios")\n',
  );
  const folder = file.replace(/\/[^/]*$/, "");
  const found = await runCli(["ops", "sunset", folder, "--json"], world);
  assert.equal(found.code, 3);
  const rows = JSON.parse(found.stdout) as Record<string, unknown>[];
  assert.deepEqual(rows.map(({ id, line }) => [id, line]), [
    ["dsp-campaigns:getOrder", 2],
    ["posts:CreatePost", 3],
  ]);
  await world.write("report.py", 'ok("portfolios:ListPortfolios")\n');
  assert.equal((await runCli(["ops", "sunset", folder], world)).code, 0);
  assert.equal((await runCli("ops sunset /no/such/folder")).code, 2);
  assert.equal((await runCli("ops sunset --within soon")).code, 2);
});

withoutPolicy("a policy does not judge what this call does, and refuses it");
Deno.test("plan call shows and saves a call, plan apply sends it, and undo takes it back", async () => {
  await using world = await emulated();
  const listed = JSON.parse(
    (await runCli("ops call sponsored-display:listCreatives -m US", world)).stdout,
  ) as { creativeId: unknown; properties: { headline: string } }[];
  const { creativeId, properties: { headline } } = listed[0]!;
  const body = JSON.stringify([{ creativeId, properties: { headline: "Light" } }]);
  const id = "sponsored-display:updateCreatives";
  const made = await runCli([
    "plan",
    "call",
    id,
    "-m",
    "US",
    "--body",
    "-",
    "--out",
    `${world.folder}/call.json`,
  ], {
    ...world,
    stdin: body,
  });
  assert.equal(made.code, 0, made.stderr);
  assert.match(made.stdout, /> call sponsored-display:updateCreatives\n +request PUT \/sd\/creatives\n/);
  assert.match(made.stdout, new RegExp(`body\\[0\\]\\.properties\\.headline "?${headline}"? → "?Light"?\\n`));
  assert.match(made.stdout, /1 to call/);
  const refused = await runCli(["plan", "apply", `${world.folder}/call.json`, "--yes"], world);
  assert.notEqual(refused.code, 0);
  assert.match(refused.stderr, /The effect of .* on spend is unknown/);
  const applied = await runCli(
    ["plan", "apply", `${world.folder}/call.json`, "--yes", "--accept-risk"],
    world,
  );
  assert.equal(applied.code, 0, applied.stderr);
  assert.match(applied.stdout, /call sponsored-display:updateCreatives responded .*"SUCCESS"/);
  const headlineNow = async (): Promise<string> =>
    JSON.parse((await runCli("ops call sponsored-display:listCreatives -m US", world)).stdout)[0].properties
      .headline;
  assert.equal(await headlineNow(), "Light");
  const undone = await runCli(["plan", "undo", `${world.folder}/call.json`, "--yes"], world);
  assert.equal(undone.code, 0, undone.stderr);
  assert.equal(await headlineNow(), headline);
  const reading = await runCli("plan call sponsored-display:listCampaigns -m US", world);
  assert.deepEqual([reading.code, /it changes nothing/.test(reading.stderr)], [2, true]);
});

Deno.test("ops call sends a file of a form, and a query parameter that is given several times", async () => {
  await using world = await emulated();
  const path = await world.write("logo.png", "picture");
  const sent = await runCli(
    [
      "ops",
      "call",
      "sponsored-brands-v3:createAsset",
      "-m",
      "US",
      "--file",
      `asset=${path}`,
      "--body",
      '{"assetInfo":{}}',
      "--yes",
    ],
    world,
  );
  assert.equal(sent.code, 0, sent.stderr);
  assert.equal(sent.stderr, "");
  assert.match(world.emulator.requests().at(-1)!.body ?? "", /name="asset"; filename="logo.png"[^]*picture/);
  const missing = await runCli(
    ["ops", "call", "sponsored-brands-v3:createAsset", "-m", "US", "--file", "asset=none.png", "--yes"],
    world,
  );
  assert.deepEqual([missing.code, /none.png" cannot be opened/.test(missing.stderr)], [2, true]);
  const listed = await runCli(
    "ops call sponsored-display:listCampaigns -m US -q stateFilter=enabled -q stateFilter=paused",
    world,
  );
  assert.equal(listed.code, 0, listed.stderr);
  assert.match(decodeURIComponent(world.emulator.requests().at(-1)!.query), /stateFilter=enabled,paused$/);
  const joined = await runCli(
    "ops call sponsored-display:listCampaigns -m US -q stateFilter=enabled,paused --check strict",
    world,
  );
  assert.deepEqual([joined.code, joined.stderr, listed.stderr], [0, "", ""]);
});

Deno.test("ops call and a plan of a call report what a response of 207 refuses", async () => {
  await using world = await emulated();
  const id = "sponsored-products:CreateBudgetRulesForSPCampaigns";
  const rule = {
    name: "Less",
    ruleType: "SCHEDULE",
    duration: { dateRangeTypeRuleDuration: { startDate: "20270101", endDate: "20270201" } },
    recurrence: { type: "DAILY" },
    budgetIncreaseBy: { type: "PERCENT", value: -5 },
  };
  const body = JSON.stringify({ budgetRulesDetails: [rule] });
  const called = await runCli(
    ["ops", "call", id, "-m", "US", "--body", body, "--yes", "--check", "off"],
    world,
  );
  assert.equal(called.code, 3, called.stderr);
  assert.match(called.stderr, /1 of 1 items were refused, the first because: /);
  assert.match(called.stdout, /INVALID_ARGUMENT/);
});

import { deepEqual, equal, match, ok, rejects } from "../support/assert.ts";
import { AccountFiles, AccountFilesError, diffAccount, pullAccount } from "../../src/account/mod.ts";
import { RESOURCE_KINDS } from "../../mod.ts";
import { FILE_KINDS } from "../../src/account/files/file_kinds.ts";
import { emulated } from "../support/emulated.ts";
import { edited, EXACT, IDEAS, problemsOf, pulled, removed, SPRING, writes } from "./account_world.ts";
import { mostlyOnOneWire } from "../support/on_both_wires.ts";

mostlyOnOneWire(
  "a campaign that a file adds is created with all that is in it by one plan, and a portfolio with it",
  async (options, wire) => {
    await using world = await pulled(options);
    const { ca, files } = world;
    // The unified family takes one id of a product.
    const spring = wire === "legacy" ? SPRING : SPRING.replace(", asin: B0AAAAAAA1", "");
    const diff = await diffAccount(
      ca,
      edited(files, { "sp/spring.yaml": () => spring, "portfolios.yaml": IDEAS }),
    );
    deepEqual(diff.creates.map(({ kind, label }) => `${kind} ${label}`), [
      "portfolios New ideas",
      "sp.campaigns Spring",
      'sp.campaign_negative_keywords "free" (NEGATIVE_EXACT)',
      "sp.ad_groups Shoes",
      `sp.product_ads ${wire === "legacy" ? "B0AAAAAAA1" : "SKU-1"}`,
      'sp.keywords "running shoes" (EXACT)',
      "sp.ad_groups Boots",
      'sp.keywords "running shoes" (EXACT)',
    ]);
    deepEqual([diff.updates, diff.extras, diff.refusals], [[], [], []]);

    const plan = await diff.plan({ note: "Spring" });
    equal(writes(world.world), 0, "planning sends nothing");
    equal(plan.changes.length, 8);
    deepEqual(plan.findings.filter(({ refused }) => refused), []);
    const result = await plan.apply(ca);
    result.raiseForErrors();

    const [campaign] = await ca.sp.campaigns.list({ name: "Spring" });
    const [portfolio] = (await ca.portfolios.list()).filter(({ name }) => name === "New ideas");
    deepEqual([campaign?.state, campaign?.portfolioId, campaign?.budget.budget], [
      "PAUSED",
      portfolio?.portfolioId,
      20,
    ]);
    equal((await ca.sp.keywords.list({ campaignIds: [campaign!.campaignId] })).length, 2);
    await result.rollbackPlan().apply(ca);
    equal((await ca.sp.campaigns.get(campaign!.campaignId))?.state, "ARCHIVED");
  },
);

mostlyOnOneWire(
  "a change of fields is an update, and what a file leaves out stays as it is",
  async (options) => {
    await using world = await pulled(options);
    const { ca, files } = world;
    const diff = await diffAccount(
      ca,
      edited(files, {
        [EXACT]: (text) =>
          text.replace(/budget: \{ budget: [\d.]+/, "budget: { budget: 77.5").replace(/^startDate.*\n/m, ""),
      }),
    );
    equal(diff.summary(), "0 to create, 1 to change, 0 only in the account");
    const [{ before, after } = { before: {}, after: {} }] = diff.updates;
    deepEqual(after, { budget: { budget: 77.5, budgetType: "DAILY" } });
    ok("budget" in before);
    const quoted = edited(files, {
      [EXACT]: (text) => text.replace(/budget: \{ budget: [\d.]+/, 'budget: { budget: "77.50"'),
    });
    deepEqual(
      (await diffAccount(ca, quoted)).updates.map(({ after }) => after),
      [after],
      "a text is the number",
    );
    const bids = edited(files, { [EXACT]: (text) => text.replace(/\bbid: [\d.]+/, 'bid: "0.77"') });
    deepEqual((await diffAccount(ca, bids)).updates.map(({ after }) => after), [{ bid: 0.77 }]);
    (await (await diff.plan()).apply(ca)).raiseForErrors();
    // Pulled again, the edited file says the same as the account and stays as it was written.
    const mine = edited(files, {
      [EXACT]: (text) =>
        text.replace(/budget: \{ budget: [\d.]+, budgetType: DAILY \}/, "budget: 77.50 # mine"),
    });
    const again = await pullAccount(ca, { files: mine });
    equal(again.texts.get(EXACT), mine.texts.get(EXACT));
    equal((await diffAccount(ca, again)).isEmpty, true);
  },
);

mostlyOnOneWire(
  "what only the account has is archived with prune alone, and automatic targets never",
  async (options) => {
    await using world = await pulled(options);
    const { ca, files } = world;
    const auto = [...files.texts.keys()].find((path) => path.endsWith("-auto.yaml"))!;
    const less = removed(
      edited(files, {
        [EXACT]: (text) => text.replace(/^ *- \{ keywordText: .* EXACT.*\n/m, ""),
        [auto]: (text) => text.replaceAll(/^ *- \{ expression: \[\{ type: QUERY.*\n/gm, ""),
      }),
      [...files.texts.keys()].find((path) => path.startsWith("sb/"))!,
    );
    const diff = await diffAccount(ca, less);
    deepEqual(diff.extras.map(({ kind }) => kind).sort(), ["sb.campaigns", "sp.keywords"]);
    equal((await diff.plan()).changes.length, 0);
    const plan = await diff.plan({ prune: true });
    deepEqual(plan.changes.map(({ op }) => op), ["archive", "archive"]);
    (await plan.apply(ca)).raiseForErrors();
    equal((await diffAccount(ca, less)).isEmpty, true);
  },
);

mostlyOnOneWire(
  "names change by id: of a campaign, of the one ad group that is left over, of a portfolio",
  async (options) => {
    await using world = await pulled(options);
    const { ca, files } = world;
    const portfolio = /name: (.+)/.exec(files.texts.get("portfolios.yaml")!)![1]!;
    const renamed = edited(files, {
      [EXACT]: (text) =>
        text.replace(/^name: .*/m, "name: New name").replace(/^ {2}- name: .*/m, "  - name: New group"),
      "portfolios.yaml": (text) => text.replace(`name: ${portfolio}`, "name: New portfolio"),
      ...Object.fromEntries(
        [...files.texts].filter(([, text]) => text.includes(`portfolio: ${portfolio}\n`)).map(([path]) => [
          path,
          (text: string) => {
            const own = text.replace(`portfolio: ${portfolio}\n`, "portfolio: New portfolio\n");
            return path === EXACT
              ? own.replace(/^name: .*/m, "name: New name").replace(/^ {2}- name: .*/m, "  - name: New group")
              : own;
          },
        ]),
      ),
    });
    const diff = await diffAccount(ca, renamed);
    deepEqual(diff.updates.map(({ kind, after }) => [kind, after]), [
      ["portfolios", { name: "New portfolio" }],
      ["sp.campaigns", { name: "New name" }],
      ["sp.ad_groups", { name: "New group" }],
    ]);
    deepEqual([diff.creates, diff.extras, diff.refusals], [[], [], []]);
  },
);

mostlyOnOneWire(
  "what cannot be done is refused with file, line and reason: moves, and fields that no update changes",
  async (options) => {
    await using world = await pulled(options);
    const { ca, files } = world;
    const group = /^ {2}- name: [^]*/m.exec(files.texts.get(EXACT)!)![0];
    const other = [...files.texts.keys()].find((path) => /^sp\/.*-products.yaml$/.test(path))!;
    const brands = [...files.texts.keys()].find((path) => path.startsWith("sb/"))!;
    const diff = await diffAccount(
      ca,
      edited(files, {
        [EXACT]: (text) => text.replace(group, ""),
        [other]: (text) => text + group,
        [brands]: (text) =>
          text.replace("budgetType: DAILY", "budgetType: LIFETIME").replace(
            "pageType: PRODUCT_LIST",
            "pageType: STORE",
          ).replace(/headline: "?[^",}]*"?/, "headline: New"),
      }),
    );
    const reasons = diff.refusals.map(({ file, line, message }) => `${file}:${line} ${message}`).join("\n");
    match(
      reasons,
      new RegExp(
        `${other}:\\d+ was moved from ${EXACT}, but the platform can only copy it, without its history`,
      ),
    );
    match(reasons, /is "DAILY" in the Brands campaign \d+, and an update cannot change it/);
    match(reasons, /an update cannot change it. Where a click leads is set by a version of the creative/);
    deepEqual(diff.updates.map(({ kind, after }) => [kind, Object.keys(after)]), [["sb.ads", ["creative"]]]);
    await rejects(diff.plan(), AccountFilesError);
  },
);

const IN_GLOBAL: readonly string[] = ["sp.global_ad_groups", "sp.global_targets", "sp.global_product_ads"];

Deno.test("files hold every kind of entity but the extensions of ads, which nothing archives, and what is inside of global campaigns, which stands in their copies", () =>
  deepEqual(
    FILE_KINDS.map(({ kind }) => kind).sort(),
    RESOURCE_KINDS.filter((kind) => !kind.endsWith(".ad_extensions") && !IN_GLOBAL.includes(kind)).sort(),
  ));

mostlyOnOneWire(
  "every problem is reported at once by file, line and field, and nothing is read or sent",
  async (options) => {
    await using world = await pulled(options);
    const { ca, files } = world;
    world.world.asked();
    const bad = edited(files, {
      "sp/a.yaml": () =>
        "name: A\nstat: ENABLED\nbudget: much\nad_groups:\n  - name: G\n    keywords: shoes\n    defaultBid: ${bid}\n",
      "sp/b.yaml": () => "name: [\n",
      "sp/c.yaml": () => "- 1\n",
      "sb/d.yaml": () => "name: D\nstate: ARCHIVED\nstartDate: 2026-02-30\nbudget: { JPY: 5 }\nid: 123\n",
      "sb/e.yaml": () =>
        "name: E\nstate: ENABLED\nbudget: 5\nad_groups:\n  - name: G\n    state: ENABLED\n    targets: [{ bid: 1 }]\n",
      "portfolios.yaml": (text) =>
        text + "  - { name: P, state: ENABLED }\n  - { name: p , state: ENABLED }\n",
    });
    const problems = await problemsOf(diffAccount(ca, bad));
    deepEqual(
      problems.map((text) => text.slice(0, 70)).sort(),
      problems.map((text) => text.slice(0, 70)).sort(),
    );
    const all = problems.join("\n");
    match(all, /sp\/a\.yaml:2 stat: "stat" is not known\. Did you mean "state"\?/);
    match(all, /sp\/a\.yaml:3 budget: "much" is not an amount/);
    match(all, /sp\/a\.yaml:6 ad_groups\.0\.keywords: is not a list/);
    match(all, /sp\/a\.yaml:7 ad_groups\.0\.defaultBid: uses the variable "bid"/);
    match(all, /sp\/b\.yaml:\d+ /);
    match(all, /sp\/c\.yaml:undefined undefined: The file holds no campaign/);
    match(all, /sb\/d\.yaml:2 state: "ARCHIVED" is not one of ENABLED, PAUSED\. To archive it, remove it/);
    match(all, /sb\/d\.yaml:3 startDate: "2026-02-30" is not a date in the form YYYY-MM-DD/);
    match(all, /sb\/d\.yaml:4 budget: has no amount in CAD, only in JPY/);
    match(all, /sb\/d\.yaml:5 id: is a number; put ids in quotes/);
    match(all, /sb\/e\.yaml:7 ad_groups\.0\.targets\.0\.expressions: is missing/);
    match(all, /portfolios\.yaml:\d+ portfolios\.\d+: The portfolio p is there twice/);
    deepEqual(world.world.asked(), []);
  },
);

mostlyOnOneWire(
  "files are checked in one round: shape, values and what new campaigns lack, each with its line",
  async (options) => {
    await using world = await pulled(options);
    const { ca, files } = world;
    const campaign = "# Spring\nname: A\nstat: ENABLED\nbudget: { budget: much, budgetType: DAILY }\n" +
      "ad_groups:\n  - name: G\n    keywords:\n      - { keywordText: shoes, matchType: EXCT }\n      - { bid: 1 }\n";
    const expected = `sp/new.yaml:2 state: is missing, and a new campaign needs it
sp/new.yaml:2 targetingType: is missing, and a new campaign needs it
sp/new.yaml:3 stat: "stat" is not known. Did you mean "state"?
sp/new.yaml:4 budget: {"budget":"much","budgetType":"DAILY"} is not an amount, and not { budget, budgetType }
sp/new.yaml:6 ad_groups.0.defaultBid: is missing, and a new ad group needs it
sp/new.yaml:6 ad_groups.0.state: is missing, and a new ad group needs it
sp/new.yaml:8 ad_groups.0.keywords.0.state: is missing, and a new keyword needs it
sp/new.yaml:8 ad_groups.0.keywords.0.matchType: "EXCT" is not one of BROAD, EXACT, PHRASE
sp/new.yaml:9 ad_groups.0.keywords.1.keywordText: is missing
sp/new.yaml:9 ad_groups.0.keywords.1.matchType: is missing
sp/new.yaml:9 ad_groups.0.keywords.1.state: is missing, and a new keyword needs it`;
    const bad = edited(files, { "sp/new.yaml": () => campaign });
    world.world.asked();
    const checks = [() => bad.check(), () => bad.checkEdited(), () => diffAccount(ca, bad)];
    for (const check of checks) {
      equal((await problemsOf(Promise.resolve().then(check))).join("\n"), expected);
    }
    deepEqual(world.world.asked(), []);
  },
);

mostlyOnOneWire(
  "one file serves many markets: values by market, amounts by currency or by rate, variables, defaults",
  async (options) => {
    await using world = await emulated(options);
    const settings = `version: 1
markets: [US, CA, JP]
currency: USD
rates: { CAD: 1.37, JPY: 151 }
variables: { brand: Acme, start: { US: 2026-12-01, CA: 2026-12-08, JP: 2026-12-15 }, bid: { USD: 0.5, CAD: 0.8 } }
defaults:
  sp.keywords: { state: ENABLED, matchType: EXACT }
`;
    const campaign = `name: "\${brand} - { US: Spring }"
markets: [US, CA, JP]
state: { US: ENABLED, CA: PAUSED, JP: PAUSED }
targetingType: MANUAL
startDate: \${start}
budget: { budget: 10, budgetType: DAILY }
ad_groups:
  - name: { US: Running, CA: Running CA, JP: ランニング }
    state: ENABLED
    defaultBid: \${bid}
    keywords: [{ keywordText: "\${brand} shoes" }, { keywordText: "costs $\${more}", bid: { USD: 1, CAD: 1.25 } }]
`;
    const files = AccountFiles.fromTexts({ "account.yaml": settings, "sp/spring.yaml": campaign });
    const found: Record<string, unknown> = {};
    for (const market of ["US", "CA", "JP"]) {
      const { creates } = await diffAccount(await world.ads.profile(market), files).catch((error) => {
        throw new Error(`${market}: ${error.message}`);
      });
      found[market] = creates.map(({ after }) =>
        [
          after["name"] ?? after["keywordText"],
          after["state"],
          after["startDate"],
          (after["budget"] as { budget?: number })?.budget,
          after["defaultBid"] ?? after["bid"],
        ].filter((value) => value !== undefined)
      );
    }
    deepEqual(found, {
      US: [["Acme - { US: Spring }", "ENABLED", "2026-12-01", 10], ["Running", "ENABLED", 0.5], [
        "Acme shoes",
        "ENABLED",
      ], ["costs ${more}", "ENABLED", 1]],
      CA: [["Acme - { US: Spring }", "PAUSED", "2026-12-08", 13.7], ["Running CA", "ENABLED", 0.8], [
        "Acme shoes",
        "ENABLED",
      ], ["costs ${more}", "ENABLED", 1.25]],
      JP: [["Acme - { US: Spring }", "PAUSED", "2026-12-15", 1510], ["ランニング", "ENABLED", 76], [
        "Acme shoes",
        "ENABLED",
      ], ["costs ${more}", "ENABLED", 151]],
    });
    const noRate = AccountFiles.fromTexts({
      "account.yaml": settings.replace("rates: { CAD: 1.37, JPY: 151 }\n", ""),
      "sp/spring.yaml": campaign,
    });
    match(
      (await problemsOf(diffAccount(await world.ads.profile("CA"), noRate))).join("\n"),
      /budget: is in USD, and this profile's amounts are in CAD/,
    );
  },
);

mostlyOnOneWire(
  "fields that are not managed or are ignored are neither pulled nor compared, and owned ones are emptied",
  async (options) => {
    await using world = await pulled(options);
    const { ca, files } = world;
    const own = (more: string): AccountFiles =>
      AccountFiles.fromTexts({ "account.yaml": `version: 1\n${more}` });
    const pulledWith = async (more: string): Promise<AccountFiles> =>
      await pullAccount(ca, { files: own(more) });
    const statesOnly = await pulledWith(
      "managed: { sp.keywords: [state] }\nignore: { kinds: [sp.product_ads], campaigns: ['SB *'], fields: [sp.campaigns.budget] }",
    );
    const text = statesOnly.texts.get(EXACT)!;
    ok(!/matchType: EXACT.*bid:/.test(text) && !text.includes("product_ads") && !text.includes("budget"));
    ok(![...statesOnly.texts.keys()].some((path) => path.startsWith("sb/")));
    equal((await diffAccount(ca, statesOnly)).isEmpty, true);

    const [keyword] = (await ca.sp.keywords.list()).filter(({ bid }) => bid !== undefined);
    await ca.sp.keywords.update([{ keywordId: keyword!.keywordId, bid: 0.33 }]);
    equal((await diffAccount(ca, statesOnly)).isEmpty, true, "somebody else's field");
    equal((await diffAccount(ca, files)).updates.length, 1);

    const owned = await pulledWith("managed: { sp.keywords: [state, bid] }");
    const empty = edited(owned, {
      [EXACT]: (old) => old.replace(/(matchType: EXACT, state: ENABLED), bid: [\d.]+/, "$1"),
    });
    deepEqual((await diffAccount(ca, empty)).updates.map(({ after }) => after), [{ bid: null }]);
  },
);

mostlyOnOneWire("entities that their names do not tell apart are named by their ids", async (options) => {
  await using world = await pulled(options);
  const { ca } = world;
  const [group] = await ca.sb.adGroups.list();
  const made = await ca.sb.adGroups.create([{
    campaignId: group!.campaignId,
    name: group!.name,
    state: "ENABLED",
  }]);
  const files = await pullAccount(ca);
  const [path, text] = [...files.texts].find(([, one]) => one.includes(made.ids[0]!))!;
  ok(text.includes(`id: "${group!.adGroupId}"`));
  const diff = await diffAccount(
    ca,
    edited(files, {
      [path]: (old) => old.replace(/(id: "\d+"\n +name: .*\n +state: )ENABLED/, "$1PAUSED"),
    }),
  );
  deepEqual(diff.updates.map(({ after }) => after), [{ state: "PAUSED" }]);
  const lost = edited(files, { [path]: (old) => old.replace(`id: "${made.ids[0]}"`, 'id: "1"') });
  match(
    (await diffAccount(ca, lost)).refusals.map(({ message }) => message).join(),
    /"1" is not in this account, or is archived/,
  );
});

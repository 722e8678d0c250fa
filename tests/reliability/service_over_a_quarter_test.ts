import { DatabaseSync } from "node:sqlite";
import { deepEqual, equal, ok } from "../support/assert.ts";
import { smtpServer } from "../support/smtp_server.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { PlatformAds } from "../../src/client/platform_ads.ts";
import type { ProfileClient } from "../../src/client/profile_client.ts";
import { Emulator } from "../../src/emulator/mod.ts";
import { PlanStore } from "../../src/plans/store/plan_store.ts";
import { FolderLedger, parsePolicy } from "../../src/plans/policy/mod.ts";
import {
  type DoWork,
  parseService,
  runService,
  type ServiceEvent,
} from "../../src/automation/service/mod.ts";
import { UNITS } from "../../src/automation/service/units/units.ts";
import { Warehouse } from "../../src/store/warehouse/warehouse.ts";
import { type KeptAlert, WatchState } from "../../src/automation/watch/mod.ts";
import { fetchOf } from "./support/fetch_of.ts";
import { FAULTS, RULES } from "./support/service_faults.ts";
import { amount, WHOLE_SUITE } from "./support/size.ts";
import { longFile } from "../support/long.ts";

longFile();

/** Eight days over two changes of clocks with two profiles, or a quarter over three with all eight. */
const DAYS = amount(8, 91);
/** Clocks are put back on 25 October in Europe, on 1 November in the United States, and forward on 4 October in Australia. */
const START = WHOLE_SUITE ? "2026-09-20T20:00:00Z" : "2026-10-24T20:00:00Z";
const DAY = 86_400_000;
/** Columns of figures that faults change. */
const COLUMNS = [
  "cost",
  "clicks",
  "impressions",
  "purchases14d",
  "sales14d",
  "campaignBudgetAmount",
] as const;
const WORDS = {
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
} as const;

/** Date and time of a moment in a zone, `2026-10-25 04:00`. */
function local(moment: number, timeZone: string): string {
  return new Intl.DateTimeFormat("sv-SE", { ...WORDS, timeZone }).format(moment);
}

Deno.test("nights of a service with planted faults, kills, a dead mail server, a failing webhook and changes of clocks", async () => {
  await using folder = await temporaryFolder();
  const emulator = await Emulator.start({
    clock: { now: START, frozen: true },
    quirks: { reportSeconds: 30 },
    journalLimit: 200_000,
  });
  await using mail = smtpServer();
  const place = folder.file("ads.sqlite");
  const now = (): number => emulator.clock.now();
  const login = (policy?: string): PlatformAds =>
    new PlatformAds(emulator.credentials, {
      platform: emulator.platform,
      fetch: fetchOf(emulator),
      now,
      sleep: (seconds) => Promise.resolve(void emulator.advance(seconds)),
      ...(policy === undefined ? {} : {
        policy: parsePolicy(policy, { ledger: new FolderLedger(folder.file("ledger"), { now }), now }),
      }),
    });
  const ads = login("version: 1\nallow_auto: [flood]\nmax_changes: 3\n");
  const listed = await ads.profiles();
  const wanted = WHOLE_SUITE
    ? listed
    : listed.filter(({ countryCode }) => ["US", "UK"].includes(countryCode));
  const profiles = await Promise.all(wanted.map(({ profileId }) => ads.profile(profileId)));
  const others = login();
  const plans = PlanStore.open(folder.file("plans"), { now });
  const rules = folder.file("watch.yaml");
  await Deno.writeTextFile(rules, RULES);
  const text = `version: 1
profiles: all
reports: [sp_campaigns]
timers: { sync: nightly 04:00, watch: daily 05:00 }
files: { watch: ${rules} }
`;
  const begin = now();
  const end = begin + DAYS * DAY;
  const events: ServiceEvent[] = [];
  const heard: string[] = [];
  const memory: number[] = [];
  const problems: string[] = [];
  let posts = 0;
  let nights = 0;
  let isMailBack = false;
  let wasKilled = false;

  /** Each fault in its profile, from its day on. */
  const planted = FAULTS.map((fault, at) => ({
    ...fault,
    profile: profiles[at % profiles.length]!,
    from: begin + (WHOLE_SUITE ? 8 + Math.floor(((DAYS - 16) / 12) * at) : fault.isOutage ? 4 : 2) * DAY,
    key: "",
    outside: 0,
    isDone: false,
  }));
  const own = (profile: ProfileClient) => planted.filter((fault) => fault.profile === profile);
  const dayOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10);

  const originals = new Map<ProfileClient, Record<string, number | string | null>[]>();
  const withDatabase = async (work: (database: DatabaseSync) => void): Promise<void> => {
    const database = new DatabaseSync(place, { timeout: 0 });
    try {
      // The sync of another profile of this process may hold the file, and goes on only while this one waits.
      while (!isBegun(database)) await new Promise((resume) => setTimeout(resume, 10));
      work(database);
      database.exec("COMMIT");
    } finally {
      database.close();
    }
  };
  const sync: DoWork = async (run, parts) => {
    const active = own(run.profile).filter(({ from, days }) =>
      run.now >= from && run.now < from + days * DAY
    );
    if (active.some(({ isOutage }) => isOutage)) throw new Error("the platform is away");
    // A sync holds back figures that shrink, so that it finds those of the platform as they were.
    await withDatabase((database) => {
      const put = database.prepare(
        `UPDATE report_sp_campaigns SET ${
          COLUMNS.map((name) => `${name} = ?`).join(", ")
        } WHERE profile_id = ? AND date = ? AND campaignId = ?`,
      );
      for (const row of originals.get(run.profile) ?? []) {
        put.run(
          ...COLUMNS.map((name) => row[name]!),
          run.profile.profileId,
          row["date"]!,
          row["campaignId"]!,
        );
      }
    });
    originals.delete(run.profile);
    const done = await UNITS.sync.run(run, parts);
    await withDatabase((database) => {
      const { profileId } = run.profile;
      const active = own(run.profile).filter(({ sql, from }) => sql !== undefined && run.now >= from);
      if (active.length === 0) return;
      originals.set(
        run.profile,
        database.prepare(
          `SELECT date, campaignId, ${
            COLUMNS.join(", ")
          } FROM report_sp_campaigns WHERE profile_id = ? AND date >= ?`,
        )
          .all(profileId, dayOf(Math.min(...active.map(({ from }) => from)) - DAY)) as Record<
            string,
            number | null
          >[],
      );
      for (const fault of active) {
        if (fault.isMarket) fault.key = "-";
        else if (fault.key === "") {
          const [row] = database.prepare(
            `SELECT campaignId AS id FROM report_sp_campaigns WHERE profile_id = ? AND date > ?
            GROUP BY campaignId HAVING min(campaignStatus) = 'ENABLED' ORDER BY ${fault.order}
            LIMIT 1 OFFSET ${own(run.profile).indexOf(fault)}`,
          ).all(profileId, dayOf(fault.from - 20 * DAY)) as { id: number | string }[];
          fault.key = String(row!.id);
        }
        // The day that the next look takes for yesterday.
        const first = local(fault.from, run.zone).slice(0, 10);
        const last = dayOf(Date.parse(first) + (fault.days - 1) * DAY);
        database.exec(
          fault.sql!.replaceAll(
            "$WHERE",
            `profile_id = '${profileId}' AND date BETWEEN '${first}' AND '${last}'`,
          )
            .replaceAll("$ID", `campaignId = '${fault.key}'`).replaceAll("$FIRST", first)
            .replaceAll("$PROFILE", profileId),
        );
      }
    });
    return done;
  };
  const watch: DoWork = async (run, parts) => {
    for (const fault of own(run.profile)) {
      if (fault.act === undefined || run.now < fault.from || fault.isDone) continue;
      fault.isDone = true;
      const client = await others.profile(run.profile.profileId);
      const before = emulator.requests().length;
      await fault.act(client, plans);
      fault.outside += writesOf(emulator.requests().slice(before));
      emulator.advance(300);
    }
    return await UNITS.watch.run(run, parts);
  };

  try {
    for (let start = 0; now() < end; start++) {
      ok(start < 4 * DAYS, "the service goes on");
      const stop = new AbortController();
      let running = 0;
      const store = await Warehouse.open(place, { now });
      try {
        await runService(profiles, {
          file: parseService(text, "service.yaml"),
          place,
          store,
          plans,
          work: { sync, watch },
          env: {
            HOOK: "https://hook.example/alerts",
            // The mail server comes back two days before the end.
            MAIL: `smtp://127.0.0.1:${isMailBack ? mail.port : 9}`,
          },
          fetch: (_, init) => {
            const isDown = posts++ % 3 !== 2;
            if (!isDown) heard.push(new Headers(init?.headers).get("idempotency-key") ?? "");
            return Promise.resolve(new Response(null, { status: isDown ? 500 : 200 }));
          },
          sleep: async (seconds) => {
            await new Promise((resume) => setTimeout(resume, running > 0 ? 20 : 0));
            // Work takes no time of its own, so that each night comes.
            if (running === 0) emulator.advance(Math.max(seconds, 1200));
            if (now() >= end) stop.abort();
            if (now() >= end - 2 * DAY && !isMailBack) {
              // Another start finds the server that is back.
              isMailBack = true;
              stop.abort();
            }
          },
          onProblem: (reason) => void problems.push(reason),
          onEvent: (event) => {
            events.push(event);
            running += event.kind === "began" ? 1 : -1;
            if (event.kind !== "began" || event.timer !== "sync" || event.attempt > 1) return;
            if (event.profileId === profiles[0]!.profileId) {
              nights++;
              if (nights % 10 === 5) memory.push(Deno.memoryUsage().rss / 1e6);
              // Killed in the middle of its reports, every other night.
              if (nights % 2 === 0) {
                wasKilled = true;
                setTimeout(() => stop.abort(), 3);
              }
            }
          },
          signal: stop.signal,
        });
      } finally {
        await store.close();
      }
      if (wasKilled) {
        // As a killed process leaves its runs: without an end, under a lease that is over by now.
        wasKilled = false;
        await withDatabase((database) =>
          database.exec(`UPDATE service_leases SET until = 0;
            UPDATE service_runs SET ended_at = NULL, outcome = NULL, detail = NULL WHERE outcome = 'stopped'`)
        );
      }
    }
    deepEqual(problems, []);

    const attempts = events.filter(({ kind }) => kind === "stopped").length;
    ok(attempts >= Math.floor(DAYS / 3), `${attempts} runs were cut off`);
    const alerts: KeptAlert[] = [];
    await using state = await WatchState.open(place);
    for (const profile of profiles) {
      const { countryCode, timeZone, profileId } = profile;
      for (const [timer, time] of [["sync", "04:00"], ["watch", "05:00"]] as const) {
        const ended = events.filter((event) =>
          event.profileId === profileId && event.timer === timer && /done|failed/.test(event.kind)
        );
        const done = ended.filter(({ kind }) => kind === "done").map(({ due }) => local(due, timeZone));
        equal(new Set(done).size, done.length, `${countryCode} ${timer}: nothing is done twice`);
        const dues = [...new Set(ended.map(({ due }) => local(due, timeZone)))].sort();
        const [first] = dues as [string];
        const days = Math.round(
          (Date.parse(dues.at(-1)!.slice(0, 10)) - Date.parse(first.slice(0, 10))) / DAY,
        );
        equal(dues.length, days + 1, `${countryCode} ${timer}: every day`);
        ok(dues.length >= DAYS - 1, `${countryCode} ${timer}: ${dues.length} of ${DAYS} days`);
        deepEqual(
          dues.filter((due) => !due.endsWith(` ${time}`)),
          [],
          `${countryCode} ${timer}: at its time in the market`,
        );
        const unexpected = ended.filter((event) =>
          event.kind === "failed" && !/is away|waits? for (mail|hook)|not tried/.test(event.detail)
        );
        deepEqual(unexpected, []);
      }
      alerts.push(...await state.list({ profileId, limit: 100_000, now: now() }));
    }

    for (const { rule, profile, from, key, within } of planted) {
      const found = alerts.filter((alert) =>
        alert.rule === rule && alert.profileId === profile.profileId &&
        (key === "" || key === "-" || alert.key === key) && Date.parse(alert.at) >= from &&
        Date.parse(alert.at) < from + Math.max(7, within + 2) * DAY
      );
      equal(
        found.length,
        1,
        `${rule} in ${profile.countryCode}: ${found.map(({ at, day }) => `${at} of ${day}`).join()}`,
      );
      const late = (Date.parse(found[0]!.at) - from) / DAY;
      ok(late <= within + 1, `${rule} is found after ${late} days`);
    }

    // Delivered at least once by each channel, and shown once.
    const mailed = mail.messages.map((message) => /^Message-ID: <([0-9a-f]{12})\./m.exec(message)?.[1]);
    const fresh = (alert: KeptAlert): boolean => Date.parse(alert.at) > end - 3 * DAY;
    const lost = alerts.filter((alert) =>
      !fresh(alert) && !(mailed.includes(alert.id) && heard.includes(alert.id) && alert.waiting.length === 0)
    );
    deepEqual(lost.map(({ id, waiting }) => ({ id, waiting })), []);
    for (const alert of alerts.filter(fresh)) {
      ok(
        ["mail", "hook"].every((name) =>
          alert.delivered.includes(name) || alert.waiting.some((one) => one.channel === name)
        ),
      );
    }
    equal(new Set(heard).size, heard.length, "what a channel took is not sent again");
    equal(new Set(mailed).size, mailed.length);
    equal(new Set(alerts.map(({ id }) => id)).size, alerts.length);
    const open = alerts.filter(({ mark }) => mark.state !== "closed").map(({ profileId, rule, key }) =>
      `${profileId} ${rule} ${key}`
    );
    equal(new Set(open).size, open.length, "the inbox shows each find once");

    // The one write that the policy allows, and nothing else beside what other people did.
    const writes = writesOf(emulator.requests());
    const byOthers = planted.reduce((sum, { outside }) => sum + outside, 0);
    const applied = (await plans.list()).filter((one) => "plan" in one && one.status.state === "applied");
    const byRules = applied.filter((one) => "plan" in one && /rule flood/.test(one.plan.note ?? ""));
    equal(byRules.length, 1, "one rule may apply its plan");
    equal(writes - byOthers, 1, `${writes} writes, ${byOthers} of others`);

    await using store = await Warehouse.open(place, { now });
    const covered = await store.coverage();
    equal(covered.length, profiles.length);
    if (WHOLE_SUITE) {
      const [first = 0] = memory;
      ok(memory.at(-1)! < first * 1.5 + 100, `memory ${memory.map(Math.round).join(", ")} MB`);
      console.log(JSON.stringify({
        days: DAYS,
        profiles: profiles.length,
        runs: events.filter(({ kind }) => kind === "done").length,
        cut: attempts,
        alerts: alerts.length,
        faults: planted.length,
        mailed: mailed.length,
        posts,
        heard: heard.length,
        memory: memory.map(Math.round),
      }));
    }
  } finally {
    await emulator.stop();
  }
});

/** Begins a transaction that writes; false while another holds the file. */
function isBegun(database: DatabaseSync): boolean {
  try {
    database.exec("BEGIN IMMEDIATE");
    return true;
  } catch (error) {
    if (/locked/.test((error as Error).message)) return false;
    throw error;
  }
}

/** Requests that change campaigns, ad groups, keywords, targets or ads. */
function writesOf(requests: readonly { readonly method: string; readonly path: string }[]): number {
  return requests.filter(({ method, path }) =>
    method !== "GET" && !/token|\/list$|\/reporting\/|\/history|\/usage$/.test(path)
  ).length;
}

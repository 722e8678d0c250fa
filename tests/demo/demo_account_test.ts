import { deepEqual, equal, match, notEqual, ok, rejects } from "../support/assert.ts";
import { PlatformAds } from "../../src/client/platform_ads.ts";
import {
  type DemoAccount,
  type DemoOptions,
  openDemoAccount,
} from "../../src/interfaces/demo/demo_account.ts";
import { connectionNeverMade } from "../../src/platform/transport/exchange.ts";
import { demoFiles } from "../../src/interfaces/demo/demo_files.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";

function open(folder: string, options: Partial<DemoOptions> = {}): Promise<DemoAccount> {
  return openDemoAccount({
    env: { XDG_STATE_HOME: folder },
    signal: new AbortController().signal,
    ...options,
  });
}

function client({ credentials, platform, fetch }: DemoAccount): PlatformAds {
  return new PlatformAds(credentials, { platform, fetch });
}

/** Names of the portfolios of one profile. */
async function portfolios(account: DemoAccount): Promise<(string | undefined)[]> {
  const us = await client(account).profile("US");
  return (await us.portfolios.list()).map(({ name }) => name);
}

async function createPortfolio(account: DemoAccount, name: string): Promise<void> {
  const us = await client(account).profile("US");
  (await us.portfolios.create([{ name, state: "ENABLED" }])).raiseForErrors();
}

Deno.test("a process that shares the demo account and one that joins it see each other's changes", async () => {
  await using folder = await temporaryFolder();
  const first = await open(folder.path, { share: true });
  const second = await open(folder.path);
  equal(second.platform.tokenUrl, first.platform.tokenUrl, "one emulator");
  await createPortfolio(first, "made by the first");
  await createPortfolio(second, "made by the second");
  const names = await portfolios(first);
  for (const name of ["made by the first", "made by the second"]) equal(names.includes(name), true, name);
  await second.close();
  deepEqual(await portfolios(first), names, "closing the second leaves the first open");
  await first.close();
  const third = await open(folder.path);
  notEqual(third.platform.tokenUrl, first.platform.tokenUrl);
  deepEqual(await portfolios(third), names, "the account was kept");
  await third.close();
});

Deno.test("when the process that serves the account ends, one that joined it goes on at the same address", async () => {
  await using folder = await temporaryFolder();
  const first = await open(folder.path, { share: true });
  const second = await open(folder.path, { share: true });
  await createPortfolio(second, "before");
  await first.close();
  equal((await portfolios(second)).includes("before"), true);
  const third = await open(folder.path);
  equal(third.platform.tokenUrl, second.platform.tokenUrl, "others find it there");
  await third.close();
  await second.close();
});

Deno.test("one that uses the account alone needs no socket, unless somebody else reads from it", async () => {
  await using folder = await temporaryFolder();
  const alone = await open(folder.path);
  match(alone.platform.tokenUrl, /^http:\/\/127\.0\.0\.1:0\//);
  await createPortfolio(alone, "made alone");
  await alone.close();
  const listening = await open(folder.path, { listen: true });
  const settings = await fetch(new URL("/_emulator/settings", listening.platform.tokenUrl));
  equal((await settings.json()).credentials.clientId, listening.credentials.clientId);
  equal((await portfolios(listening)).includes("made alone"), true);
  await listening.close();
});

Deno.test("alone too, timers act between the requests of a list", async () => {
  await using folder = await temporaryFolder();
  const account = await open(folder.path);
  const us = await client(account).profile("US");
  await us.sp.keywords.list({ pageSize: 1000 });
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), 0);
  const lists = async () => {
    for (let count = 0; count < 10; count++) await us.sp.keywords.list({ pageSize: 1, signal: stop.signal });
  };
  await rejects(lists(), { name: "AbortError" });
  clearTimeout(timer);
  await account.close();
});

Deno.test("alone too, a closed account refuses connections and is no longer written", async () => {
  await using folder = await temporaryFolder();
  const { state } = demoFiles({ XDG_STATE_HOME: folder.path });
  const account = await open(folder.path);
  const { clientId, clientSecret, refreshToken } = account.credentials;
  const body = new URLSearchParams({
    grant_type: "refresh_token",
    refresh_token: refreshToken,
    client_id: clientId,
    client_secret: clientSecret,
  });
  const ask = () => account.fetch(account.platform.tokenUrl, { method: "POST", body });
  equal((await ask()).status, 200);
  await account.close();
  const kept = await Deno.readTextFile(state);
  const refused = await ask().catch((error) => error);
  ok(refused instanceof TypeError && connectionNeverMade(refused));
  equal(await Deno.readTextFile(state), kept);
});

Deno.test("alone too, a request that the account is closed during is cut off, and what it did is not saved", async () => {
  await using folder = await temporaryFolder();
  const { state } = demoFiles({ XDG_STATE_HOME: folder.path });
  const account = await open(folder.path);
  const asked = account.fetch(account.platform.tokenUrl, { method: "POST" }).catch((error) => error);
  await account.close();
  const kept = await Deno.readTextFile(state).catch(() => "none");
  const cut = await asked;
  ok(cut instanceof TypeError, String(cut));
  equal(await Deno.readTextFile(state).catch(() => "none"), kept);
});

Deno.test("an account that could not be saved at its end is free for others", async () => {
  await using folder = await temporaryFolder();
  const account = await open(folder.path);
  const blocked = `${demoFiles({ XDG_STATE_HOME: folder.path }).state}.${Deno.pid}.tmp`;
  await Deno.mkdir(blocked);
  const setClock = await account.fetch(new URL("/_emulator/clock", account.platform.tokenUrl), {
    method: "POST",
    body: JSON.stringify({ advance: 60 }),
  });
  equal(setClock.ok, false);
  await rejects(account.close(), /Cannot write the emulator's state/);
  await Deno.remove(blocked);
  const stop = new AbortController();
  const next = await open(folder.path, { signal: stop.signal, onNotice: () => stop.abort() });
  await next.close();
});

Deno.test("one that uses the account alone is waited for, and the wait is reported", async () => {
  await using folder = await temporaryFolder();
  const first = await open(folder.path);
  const notices: string[] = [];
  const waiting = open(folder.path, { onNotice: (text) => notices.push(text) });
  while (notices.length === 0) await new Promise((done) => setTimeout(done, 20));
  match(notices[0]!, /Waiting for another command on the demo account to end: \S.* \(process \d+\)$/);
  match(notices[0]!, new RegExp(`\\(process ${Deno.pid}\\)$`));
  await first.close();
  await (await waiting).close();
  equal(notices.length, 1);
});

Deno.test("an abort ends the wait for another process", async () => {
  await using folder = await temporaryFolder();
  const first = await open(folder.path);
  const stop = new AbortController();
  const waiting = open(folder.path, { signal: stop.signal });
  stop.abort();
  await rejects(waiting, { name: "AbortError" });
  await first.close();
});

Deno.test("where nothing can be written the account can be read as it was saved, and that is said", async () => {
  await using folder = await temporaryFolder();
  await Deno.writeTextFile(`${folder.path}/file`, "");
  const notices: string[] = [];
  const account = await open(`${folder.path}/file`, { onNotice: (text) => notices.push(text) });
  equal((await portfolios(account)).length > 0, true);
  match(notices.join(), /^Cannot keep the demo account: ".*" cannot be written\. Changes are lost/);
  await account.close();
  equal((await Deno.stat(`${folder.path}/file`)).size, 0);
  match(demoFiles({ XDG_STATE_HOME: "/x" }).state, /^\/x\/platform-ads\/demo\.json$/);
});

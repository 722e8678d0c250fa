import { deepEqual, equal, match, ok } from "../support/assert.ts";
import { smtpServer } from "../support/smtp_server.ts";
import { temporaryFolder } from "../support/temporary_folder.ts";
import { parseWatch, WatchState } from "../../src/automation/watch/mod.ts";
import { deliverAlerts } from "../../src/automation/watch/deliver_alerts.ts";
import { ALERT, raised } from "./sample_alert.ts";

const { channels } = parseWatch(
  `version: 1
channels: { mail: { kind: email, server_env: MAIL, from: ads@example.com, to: [a@example.com, b@example.com] } }
rules: { dear: { over: campaign, when: cost7d > 1 } }`,
  "watch.yaml",
);

Deno.test("an alert goes out by e-mail to every reader, as text that cannot forge a header or a terminal's colours", async () => {
  await using server = smtpServer();
  await using folder = await temporaryFolder();
  await using state = await WatchState.open(folder.file("ads.sqlite"));
  const title = "US: Knives\r\nBcc: thief@example.com \u001b[31m";
  await state.raise([raised({ ...ALERT, title }, ["mail"])]);
  const now = Date.parse(ALERT.at);
  const env = { MAIL: `smtp://user:s3cret@127.0.0.1:${server.port}` };
  const result = await deliverAlerts({ state, profileId: "1", channels, env, write: () => {}, now });
  deepEqual(result, { delivered: 1, failed: [] });
  deepEqual(server.recipients, [["a@example.com", "b@example.com"]]);
  const [message = ""] = server.messages;
  match(message, /^Message-ID: <0123456789ab\.1@alerts\.invalid>$/m);
  match(message, /^Subject: \[warning\] US: Knives {1,2}Bcc: thief@example\.com \\x1b\[31m$/m);
  ok(!/^Bcc/m.test(message) && !message.includes("\u001b"), message);
  match(message, /^one\ntwo$/m);
});

Deno.test("a mail server that is dead, busy or refuses the login loses no alert, and no secret stands in the problem", async () => {
  await using folder = await temporaryFolder();
  await using state = await WatchState.open(folder.file("ads.sqlite"));
  await state.raise([raised(ALERT, ["mail"])]);
  let now = Date.parse(ALERT.at);
  const look = async (env: Record<string, string>): Promise<string | undefined> => {
    const { failed } = await deliverAlerts({ state, profileId: "1", channels, env, write: () => {}, now });
    now += 2 * 3_600_000;
    ok(!JSON.stringify(failed).includes("s3cret"), JSON.stringify(failed));
    return failed[0]?.problem;
  };
  equal(await look({}), "MAIL is not set");
  match(await look({ MAIL: "https://user:s3cret@host" }) ?? "", /^MAIL is not an address such as smtps:/);
  await using server = smtpServer();
  const env = { MAIL: `smtp://user:s3cret@127.0.0.1:${server.port}` };
  server.loginRefusal = "535 5.7.8 no such password s3cret";
  equal(await look(env), "the mail server responds with 535 (EAUTH)");
  server.loginRefusal = undefined;
  server.refusal = "451 4.3.0 try later";
  equal(await look(env), "the mail server responds with 451 (EMESSAGE)");
  const dead = smtpServer();
  await dead[Symbol.asyncDispose]();
  match(
    await look({ MAIL: `smtp://user:s3cret@127.0.0.1:${dead.port}` }) ?? "",
    /^the mail server cannot be reached \(E/,
  );
  const [kept] = await state.list({ profileId: "1" });
  equal(kept?.waiting[0]?.attempts, 5);
  server.refusal = undefined;
  equal(await look(env), undefined);
  equal(server.messages.length, 1);
});

Deno.test("channels of e-mail are checked with everything else, and addresses of servers do not belong into the file", () => {
  let message = "";
  try {
    parseWatch(
      `version: 1
channels:
  one: { kind: email, server_env: "smtps://u:p@h", from: nobody, to: [] }
  two: { kind: pigeon }
rules: { dear: { over: campaign, when: cost7d > 1 } }`,
      "watch.yaml",
    );
  } catch (error) {
    message = (error as Error).message;
  }
  match(message, /watch\.yaml:3: .*server_env.*environment variable/);
  match(message, /watch\.yaml:3: .*from.*Expected an address such as ads@example\.com/);
  match(message, /watch\.yaml:3: .*to/);
  match(message, /watch\.yaml:4: .*stdout, inbox, file, slack, email or webhook/);
});

Deno.test("a channel that fails three times in a look is not tried with the rest, which is delivered once it is back", async () => {
  await using folder = await temporaryFolder();
  await using state = await WatchState.open(folder.file("ads.sqlite"));
  await using server = smtpServer();
  const ids = ["a", "b", "c", "d", "e"];
  await state.raise(ids.map((id) => raised({ ...ALERT, id, key: id }, ["mail"])));
  const env = { MAIL: `smtp://127.0.0.1:${server.port}` };
  let now = Date.parse(ALERT.at);
  const look = () => deliverAlerts({ state, profileId: "1", channels, env, write: () => {}, now });
  server.refusal = "451 4.3.0 try later";
  const { failed } = await look();
  deepEqual(failed.map(({ problem }) => problem.includes("skipped after")), [
    false,
    false,
    false,
    true,
    true,
  ]);
  deepEqual((await state.list()).map(({ waiting }) => waiting[0]?.attempts).sort(), [0, 0, 1, 1, 1]);
  server.refusal = undefined;
  now += 60_000;
  equal((await look()).delivered, 5);
});

import { deepEqual, equal, rejects } from "../support/assert.ts";
import {
  approvalKeyFiles,
  approvalKeyNeedsPassphrase,
  createApprovalKey,
} from "../../src/plans/review/approval_key.ts";
import type { Approval } from "../../src/plans/model/approval.ts";
import { approvePlan, checkApproval } from "../../src/plans/review/approval.ts";
import { ChangePlan } from "../../src/plans/change_plan/change_plan.ts";
import { ConfigurationError } from "../../src/errors.ts";
import { inFolder } from "../support/in_folder.ts";

const plan = new ChangePlan({
  id: "20260930-120000-abcdef01",
  profileId: "1",
  countryCode: "US",
  changes: [{
    kind: "sp.keywords",
    op: "update",
    id: "9",
    before: { bid: 1 },
    after: { bid: 2 },
    label: "x",
  }],
});
const review = { plan, asks: [], parts: { "the note": "n" }, digest: "d", unjudged: [] };
const now = () => Date.parse("2026-09-30T12:00:00Z");

Deno.test("an approval holds for its plan, until it expires", () =>
  inFolder(async (folder) => {
    const key = approvalKeyFiles(folder);
    await createApprovalKey(key);
    const approval = await approvePlan(review, { key, seconds: 60, now });
    equal(approval.expires_at, "2026-09-30T12:01:00.000Z");
    const check = (given: unknown, of = plan, at = now) =>
      checkApproval(of, given, { publicKey: key.public, now: at });
    await check(approval);
    await check(JSON.parse(JSON.stringify(approval)));

    const later = () => now() + 60_000;
    await rejects(check(approval, plan, later), /it expired at 2026-09-30T12:01:00/);
    await check(approval, plan, () => now() - 60_000);
    await rejects(
      check(approval, plan, () => now() - 3_600_000),
      /in the future: check this machine's clock/,
    );
    const other = new ChangePlan({ ...plan, id: "other" });
    await rejects(check(approval, other), /it is for another plan/);
    const changed = new ChangePlan({ ...plan, changes: [{ ...plan.changes[0]!, after: { bid: 3 } }] });
    await rejects(check(approval, changed), /the plan is not the one that was approved/);
    await rejects(check(undefined), /it is not an approval/);
    await rejects(check({ ...approval, signature: 3 }), /it is not an approval/);
  }));

Deno.test("whoever changes an approval, or signs with another key, makes none", () =>
  inFolder(async (folder) => {
    const key = approvalKeyFiles(folder);
    await createApprovalKey(key);
    const approval = await approvePlan(review, { key, seconds: 60, now });
    const forged: Approval[] = [
      { ...approval, expires_at: "2099-01-01T00:00:00.000Z" },
      { ...approval, approved_at: "2026-01-01T00:00:00.000Z" },
      { ...approval, signature: approval.signature.replace(/^./, (first) => first === "A" ? "B" : "A") },
      { ...approval, signature: "" },
      { ...approval, signature: "not base64 !" },
    ];
    const strange = approvalKeyFiles(`${folder}/strange`);
    await createApprovalKey(strange);
    forged.push(await approvePlan(review, { key: strange, seconds: 60, now }));
    for (const one of forged) {
      await rejects(
        checkApproval(plan, one, { publicKey: key.public, now }),
        /signature does not match the person's/,
      );
    }
    await rejects(
      checkApproval(plan, approval, { publicKey: `${folder}/none.json`, now }),
      (error: Error) => error instanceof ConfigurationError && /public approval key/.test(error.message),
    );
  }));

Deno.test("the secret half is its owner's alone, and useless without the passphrase", () =>
  inFolder(async (folder) => {
    const key = approvalKeyFiles(`${folder}/new`);
    await createApprovalKey(key, { passphrase: "correct horse", iterations: 1000 });
    if (Deno.build.os !== "windows") equal((await Deno.stat(key.secret)).mode! & 0o777, 0o600);
    equal(await approvalKeyNeedsPassphrase(key), true);
    deepEqual((await Deno.readTextFile(key.secret)).includes("correct horse"), false);
    await rejects(approvePlan(review, { key, passphrase: "wrong", now }), /the passphrase is wrong/);
    await rejects(approvePlan(review, { key, now }), /the passphrase is wrong/);
    const approval = await approvePlan(review, { key, passphrase: "correct horse", now });
    await checkApproval(plan, approval, { publicKey: key.public, now });
    await rejects(createApprovalKey(key), /exists already/);
  }));

Deno.test("an approval holds for half an hour where nobody says otherwise, by the clock of the machine", () =>
  inFolder(async (folder) => {
    const key = approvalKeyFiles(folder);
    await createApprovalKey(key);
    const held = ({ approved_at, expires_at }: Approval): number =>
      (Date.parse(expires_at) - Date.parse(approved_at)) / 1000;
    equal(held(await approvePlan(review, { key, now })), 1800);
    const approval = await approvePlan(review, { key });
    equal(held(approval), 1800);
    equal(Math.abs(Date.parse(approval.approved_at) - Date.now()) < 60_000, true);
    await checkApproval(plan, approval, { publicKey: key.public });
    const old = await approvePlan(review, { key, now });
    await rejects(checkApproval(plan, old, { publicKey: key.public }), /it expired at/);
  }));

Deno.test("a clock may be five minutes behind that of the approval, and no more", () =>
  inFolder(async (folder) => {
    const key = approvalKeyFiles(folder);
    await createApprovalKey(key);
    const approval = await approvePlan(review, { key, now });
    const check = (behind: number) =>
      checkApproval(plan, approval, { publicKey: key.public, now: () => now() - behind });
    await check(5 * 60_000 - 1);
    await rejects(check(5 * 60_000), /in the future/);
  }));

Deno.test("a key without a choice costs a guess at its passphrase 600,000 rounds, with a salt of its own", () =>
  inFolder(async (folder) => {
    const key = approvalKeyFiles(folder);
    await createApprovalKey(key, { passphrase: "correct horse" });
    const { passphrase } = JSON.parse(await Deno.readTextFile(key.secret));
    equal(passphrase.iterations, 600_000);
    deepEqual([atob(passphrase.salt).length, atob(passphrase.iv).length], [16, 12]);
    equal(await approvalKeyNeedsPassphrase(key), true);
  }));

Deno.test("a file that is not a key is refused by its name", () =>
  inFolder(async (folder) => {
    const key = approvalKeyFiles(folder);
    await createApprovalKey(key);
    equal(await approvalKeyNeedsPassphrase(key), false);
    const approval = await approvePlan(review, { key, now });
    for (const text of ["", "{}", '{"format":2,"key":"x"}', '{"format":1}', "null"]) {
      await Deno.writeTextFile(key.secret, text);
      await rejects(
        approvePlan(review, { key, now }),
        /Cannot use the approval key ".*approval-key\.json": it is/,
      );
      await Deno.writeTextFile(key.public, text);
      await rejects(
        checkApproval(plan, approval, { publicKey: key.public, now }),
        /Cannot use the approval key ".*approval-key\.pub\.json": it is not an approval key/,
      );
    }
  }));

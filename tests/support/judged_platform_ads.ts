import { PlatformAds as Real } from "../../src/client/platform_ads.ts";
import { marks } from "../../scripts/run_tests/marks.ts";
import { sha256 } from "../../src/base/text/sha256.ts";
import { FolderLedger, parsePolicy, type Policy } from "../../src/plans/policy/mod.ts";
import type { Credentials, PlatformAdsOptions } from "../../mod.ts";
import { WIDE_POLICY } from "./judging.ts";

let folder: string | undefined;

/** Takes the place of `PlatformAds` where `judged_clients.ts` is loaded: without a policy of its own it has a wide one. */
export class PlatformAds extends Real {
  constructor(credentials: Credentials, options: PlatformAdsOptions) {
    super(credentials, options?.policy === undefined ? { ...options, policy: widePolicy(options) } : options);
  }
}

/** Clients of the same platform share a ledger, as programs of the same account do. */
function widePolicy({ platform, now }: PlatformAdsOptions): Policy {
  folder ??= temporary();
  const place = sha256(JSON.stringify(platform));
  const clock = now === undefined ? {} : { now };
  return counted(parsePolicy(WIDE_POLICY, { ledger: new FolderLedger(`${folder}/${place}`), ...clock }));
}

/** Counts what a policy is asked: a test that asks nothing runs as it does without one. */
function counted(policy: Policy): Policy {
  const { review, admit, check } = policy;
  return Object.assign(
    policy,
    {
      review: (...given) => (marks.judged++, review.apply(policy, given)),
      admit: (...given) => (marks.judged++, admit.apply(policy, given)),
      check: (...given) => (marks.judged++, check.apply(policy, given)),
    } satisfies Pick<Policy, "review" | "admit" | "check">,
  );
}

function temporary(): string {
  const path = Deno.makeTempDirSync();
  addEventListener("unload", () => Deno.removeSync(path, { recursive: true }));
  return path;
}

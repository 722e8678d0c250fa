import type { PlatformAdsOptions } from "../../mod.ts";
import { marks } from "../../scripts/run_tests/marks.ts";
import { FolderLedger, parsePolicy, type Policy } from "../../src/plans/policy/mod.ts";
import { long } from "./long.ts";
import { type TemporaryFolder, temporaryFolder } from "./temporary_folder.ts";

/** A policy with a limit of every sort, each too wide to refuse anything: only the act of judging may differ. */
export const WIDE_POLICY = `version: 1
approval: client
max_bid: 100000
max_effective_bid: 1000000
max_budget: 1000000000000
max_increase: 1000000000%
max_decrease: 100%
max_placement_adjustment: 9.99
max_changes: 100000
max_archives: 100000
max_schedule_factor: 100
allow_operations: ["*"]
allow_auto: ["*"]
rules:
  - { name: moves, when: "has(change.increase) && change.increase > 10000000.0", level: deny, message: it moves too far }
`;

/** Judge of the writes of a test: none, or {@linkcode WIDE_POLICY} with a ledger of its own. */
export interface Judging {
  /** Options of every client of the test. */
  readonly client: Pick<PlatformAdsOptions, "policy">;
  /** Variables of every command and server of the test. */
  readonly variables: Readonly<Record<string, string>>;
  /** The policy itself. */
  readonly policy: Policy | undefined;
}

/** Makes the judge of a test in a folder. */
export async function wideJudging(folder: TemporaryFolder): Promise<Judging> {
  const file = folder.file("policy.yaml");
  await Deno.writeTextFile(file, WIDE_POLICY);
  const policy = parsePolicy(WIDE_POLICY, { ledger: new FolderLedger(folder.file("days")) });
  return { client: { policy }, variables: { PLATFORM_ADS_POLICY: file }, policy };
}

/**
 * Registers a test twice: without a policy, and under one that judges every write and refuses none. The second is long.
 * Where every client has a policy anyway, a run of the long lane leaves the test to its second form; a file that runs
 * alone has it once.
 */
export function withAndWithoutPolicy(
  name: string,
  run: (judging: Judging) => Promise<void>,
  register: (name: string, test: () => Promise<void>) => unknown = (name, test) => Deno.test(name, test),
): void {
  if (marks.isUnderPolicy && marks.hooks !== undefined) {
    Object.assign(marks, { isNextLong: false, whyWithoutPolicy: undefined });
    return;
  }
  register(name, () => run({ client: {}, variables: {}, policy: undefined }));
  if (marks.isUnderPolicy) return;
  long();
  register(`${name} (under a policy)`, async () => {
    await using folder = await temporaryFolder();
    await run(await wideJudging(folder));
  });
}

/** The folder of the examples. */
export const EXAMPLES = new URL("../../docs/examples/", import.meta.url);

const sixtyDaysAgo = new Date(Date.now() - 60 * 86_400_000).toISOString();

/** How an example is tried. */
export interface ExampleCase {
  /** What the example is started with besides `--demo`. */
  readonly args: readonly string[];
  /** What it must say. */
  readonly says: RegExp;
  /** The files it leaves, where that is not one plan. */
  readonly leaves?: readonly string[];
}

/** How each example is tried, by its file. */
export const CASES: Readonly<Record<string, ExampleCase>> = {
  "brands_campaign.ts": { args: ["--apply", "US"], says: /\nARCHIVED\n$/, leaves: [] },
  "display_campaign.ts": { args: ["US"], says: /5 to create/ },
  "bids_from_suggestions.ts": { args: ["CA"], says: /200 keywords read, \d+ answered, [1-9]\d* to change/ },
  "copy_campaign.ts": { args: ["--apply", "CA"], says: /Copied to campaign \d+: [1-9]/, leaves: [] },
  "agent_session.ts": { args: ["CA"], says: /Plan \S+: .*[1-9]\d* to change/ },
  "negatives_from_search_terms.ts": {
    args: ["CA"],
    says: /\d+ search terms, \d+ clicked and never bought, [1-9]\d* to keep away/,
  },
  "nightly_sync.ts": {
    args: ["CA"],
    says:
      /^(\d+) of \1 reports? of 1 profile stored, [1-9]\d* rows\nCA sp_campaigns: .* [1-9]\d* rows, 0 gaps/,
    leaves: ["ads.sqlite"],
  },
  "pause_spenders.ts": { args: ["US"], says: /\d+ targets ran, .* [1-9]\d* keywords to pause/ },
  "undo_yesterday.ts": {
    args: [`--since=${sixtyDaysAgo}`, "US"],
    says: /[1-9]\d* changes would go back/,
  },
  "weekly_jobs.ts": { args: ["CA"], says: /bids: \d+ looked at, [1-9][^]*[1-9]\d* changes in one plan/ },
};

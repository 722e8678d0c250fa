const COMMANDS: readonly (readonly [library: RegExp, command: string])[] = [
  [/\breportTypes\(\)/g, '"adsctl report types"'],
  [/\breportFields\(\)/g, '"adsctl report fields"'],
  [/\bcompareWires\(\)/g, '"adsctl ops wire compare"'],
  [/\bprofiles\(\)/g, '"adsctl auth profiles"'],
  [/\breports\.download\("([\w.-]+)"\)/g, '"adsctl report download $1 --wait"'],
  [/\bsync\(\) of (\w+) with the reports ([\w,:-]+)/g, '"adsctl sync -m $1 --report $2"'],
  [/\bsync\(\) with the report ([\w:-]+)/g, "adsctl sync --report $1"],
  [/\bsync\(\) with entities\b/g, "adsctl sync --entities"],
  [/\bsync\(\) from (\d{4}-\d\d-\d\d)/g, "adsctl sync --start $1"],
  [/\bMake one with sync\(\)/g, '"adsctl sync" makes one, and --store names it'],
  [/\bsync\(\) with reporting: 1\b/g, "adsctl sync --reporting new"],
  [/\bsync\(\)/g, "adsctl sync"],
  [/\btapCatalog\(\) makes it/g, "adsctl store tap --discover prints it"],
  [/\bimportFiles\(\)/g, '"adsctl import"'],
  [/\bsnapshotAccount\(\)/g, '"adsctl account rehearse pull"'],
  [/\bpullAccount\(\)/g, '"adsctl account pull"'],
  [/\bcopyCampaigns\(\)/g, '"adsctl account copy"'],
  [/\bdiffAccount\(\)/g, '"adsctl plan from"'],
  [/\bresumePlan\("([^"]*)"\) with lookOnly/g, '"adsctl plan resume --look $1"'],
  [/\bresumePlan\(\) with lookOnly/g, '"adsctl plan resume --look"'],
  [/\bresumePlan\(\)/g, '"adsctl plan resume"'],
  [/\bplanOutcome\(\) of "([^"]*)"/g, "adsctl plan outcome $1"],
  [/\bplanPacing\(\)/g, "adsctl auto plan pacing"],
  [/\baccountDrift\(\) since (-\d+d)/g, "adsctl account drift --since $1"],
  [/\bconsumeStream\(\)/g, "adsctl store stream run"],
  [/\bstreamStatus\(\)/g, "adsctl store stream status"],
  [/\bverifyAudit\(\)/g, "adsctl auto audit check"],
  [
    /\bA person decides which base counts: decideBase\(\)/g,
    "adsctl auto status schedules shows it; a person decides which base counts",
  ],
  [
    /\bLook for its name in your programs\b/g,
    "adsctl ops sunset FOLDER shows where your programs use it",
  ],
  [/\bRolloutQueue\.collect\(\)/g, '"adsctl plan show ROLLOUT --store ADDRESS"'],
  [/\bRolloutQueue\.withdraw\(\) of "([^"]*)"/g, '"adsctl plan undo $1" with --store'],
  [/\bundo\(\) of "([^"]*)"/g, '"adsctl plan undo $1"'],
  [
    /\bgrantReader\(\) as a superuser of PostgreSQL/g,
    "adsctl store grant-reader --store ADDRESS as a superuser of PostgreSQL, or have one run the output of --print",
  ],
  [/\bcreate one of sb\.ads\b/g, "use adsctl plan create brands-ads"],
  [/\ba client of the copy\b/g, "--rehearse with the file of the copy"],
  [
    /\bPlan again without these changes, or change the policy\b/g,
    'Plan again with --skip-denied to leave these out, or change the policy: "adsctl policy explain PLAN" says why',
  ],
  [/\bPass that policy to the client\b/g, "Name its file with --policy or PLATFORM_ADS_POLICY"],
  [/\bName it with PLATFORM_ADS_ENV_FILE\b/g, "Name it with --env-file .env or PLATFORM_ADS_ENV_FILE"],
  [/\bwithout the option experiments\b/g, "with --touch-experiments"],
  [/(the plans of a rollout)$/g, "$1 (--all-profiles, --profiles)"],
  [/\bthe option holdBack\.unit: (\w+)/g, "--hold-back-unit $1"],
];

const TOOLS: typeof COMMANDS = [
  [/\bundo\(\) of "([^"]*)"/g, 'get_undo_plan({"plan_id": "$1"})'],
  [
    /\bPlan again without these changes, or change the policy\b/g,
    "Plan again within the allowed values, or without these changes. Only a person can change the policy",
  ],
];

const OPTION =
  /\bthe option (acceptShrink|addAccount|despiteHarm|force|holdBack|prune|rate|rename|since|wholeAccount)\b/g;

/** Quoted text stays unchanged, because a campaign's name may look like a function. */
export function commandWords(message: string): string {
  const words = replaceAll(message, COMMANDS);
  return replaceUnquoted(
    words,
    OPTION,
    ([, name = ""]) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
  );
}

export function toolWords(message: string): string {
  return commandWords(replaceAll(message, TOOLS));
}

function replaceAll(message: string, words: typeof COMMANDS): string {
  return words.reduce(
    (text, [library, command]) =>
      replaceUnquoted(
        text,
        library,
        ([, ...groups]) => command.replace(/\$(\d)/g, (_, nth: string) => groups[Number(nth) - 1] ?? ""),
      ),
    message,
  );
}

function replaceUnquoted(text: string, pattern: RegExp, words: (match: RegExpExecArray) => string): string {
  let replaced = "";
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    const quotes = text.slice(0, match.index).match(/(?<!\\)"/g) ?? [];
    if (quotes.length % 2 === 1) continue;
    replaced += text.slice(end, match.index) + words(match);
    end = match.index + match[0].length;
  }
  return replaced + text.slice(end);
}

/** Most files of an isolate, which others wait for where it runs alone at the end. */
const MAX_FILES = 90;

/** Folders with fewer files share an isolate: each isolate loads and compiles every module anew. */
const MIN_FILES = 20;

/** A folder of everyday files that take about twice as long as others: a run would end with it alone. */
const DEAR_FOLDER = "tests/account";

/** The same where the first files matter most, or where they take long. */
const FILES_IN_ORDER = 12;

/**
 * Files of an isolate of the long lane: those with some long tests, with nothing else, and everyday ones under a policy.
 * The second are the last to begin: of few files, so that no processor waits long for one of them.
 */
const SPREAD = { partly_long: 24, long: 6, everyday: 20 } as const;

/**
 * Long files that take the longest: they begin first, so that a run does not end with one of them alone. The files of a
 * line share an isolate: none of them replaces a timer or the clock, or all do.
 */
export const FIRST: readonly (readonly string[])[] = [
  ["tests/docs/commands_test.ts"],
  ["tests/console/demo_browser_test.ts", "tests/console/plan_grid_browser_test.ts"],
  ["tests/node/reports_and_store_test.ts", "tests/cli/process_test.ts"],
  [
    "tests/store/lake/memory_test.ts",
    "tests/store/postgres/restart_test.ts",
    "tests/store/postgres/encryption_test.ts",
  ],
  ["tests/cli/experiment_test.ts", "tests/cli/rollout_experiment_test.ts"],
  ["tests/console/workplace_browser_test.ts", "tests/console/grid_browser_test.ts"],
  ["tests/account/tables/memory_test.ts", "tests/scripts/compile_test.ts"],
  ["tests/console/browser_test.ts", "tests/docs/examples_test.ts"],
  [
    "tests/console/grid_week_browser_test.ts",
    "tests/console/terms_browser_test.ts",
    "tests/console/late_answers_browser_test.ts",
    "tests/console/sql_browser_test.ts",
    "tests/console/equal_age_browser_test.ts",
  ],
  ["tests/simulation/store_simulation_test.ts", "tests/simulation/simulation_test.ts"],
  [
    "tests/watch/planted_faults_test.ts",
    "tests/reliability/service_over_a_quarter_test.ts",
    "tests/arena/every_task_test.ts",
  ],
  [
    "tests/reliability/fault_schedules_test.ts",
    "tests/reliability/fault_schedules_unified_test.ts",
    "tests/reliability/policy_kinds_test.ts",
    "tests/reliability/levelling_off_test.ts",
    "tests/reliability/killed_apply_test.ts",
    "tests/reliability/tool_server/day_of_calls_test.ts",
  ],
];

/** Test files that run in one isolate, one after the other. */
export interface TestGroup {
  /** The folder of its files and, where that has several groups, which one it is: `tests/cli_2`. Or the first file's path. */
  readonly name: string;
  readonly files: readonly string[];
}

/** The files of {@linkcode FIRST} in their isolates, in the order to start them. */
export function groupFirst(files: readonly string[]): readonly TestGroup[] {
  return FIRST.map((line) => line.filter((file) => files.includes(file))).filter(({ length }) => length > 0)
    .map((line) => ({ name: line[0]!, files: line }));
}

/**
 * Divides everyday test files into isolates, in the order to start them.
 *
 * Files share isolates by the folder below `tests` that they are in, small folders with each other: the rules of the
 * sources, then the largest groups.
 *
 * @param files Paths from the root, with `/`.
 */
export function groupTests(files: readonly string[]): readonly TestGroup[] {
  const folders = [
    ...Map.groupBy(files.toSorted(), (path) => path.split("/").slice(0, -1).slice(0, 2).join("/")),
  ];
  const isLarge = ([folder, { length }]: (typeof folders)[number]): boolean =>
    length >= MIN_FILES || folder === "tests/structure";
  const groups = [
    ...folders.filter(isLarge).flatMap(([folder, paths]) => divided(folder, paths)),
    ...joined(folders.filter((folder) => !isLarge(folder))),
  ];
  const rank = ({ name }: TestGroup): number => name === "tests/structure" ? 0 : 1;
  const weight = ({ name, files }: TestGroup): number => files.length * (name === DEAR_FOLDER ? 2 : 1);
  return groups.toSorted((a, b) => rank(a) - rank(b) || weight(b) - weight(a));
}

/** The files of a folder in parts of equal size. */
function divided(folder: string, paths: readonly string[]): readonly TestGroup[] {
  const count = Math.ceil(paths.length / MAX_FILES);
  const size = Math.ceil(paths.length / count);
  return Array.from({ length: count }, (_, at) => ({
    name: count === 1 ? folder : `${folder}_${at + 1}`,
    files: paths.slice(at * size, (at + 1) * size),
  }));
}

/** Small folders, as many in a group as its files allow. */
function joined(
  folders: readonly (readonly [folder: string, paths: readonly string[]])[],
): readonly TestGroup[] {
  const groups: { names: string[]; files: string[] }[] = [];
  for (const [folder, paths] of folders) {
    let group = groups.at(-1);
    if (group === undefined || group.files.length + paths.length > MAX_FILES) {
      groups.push(group = { names: [], files: [] });
    }
    group.names.push(folder);
    group.files.push(...paths);
  }
  return groups.map(({ names, files }) => ({ name: names.join("+"), files }));
}

/** Divides test files into small groups whose files come from all folders, so that they take about as long. */
export function spread(files: readonly string[], kind: keyof typeof SPREAD): readonly TestGroup[] {
  const count = Math.ceil(files.length / SPREAD[kind]);
  return Array.from({ length: count }, (_, group) => ({
    name: `tests/${kind}_${group + 1}`,
    files: files.filter((_, at) => at % count === group),
  }));
}

/** Divides test files into small groups, in their own order. */
export function groupInOrder(files: readonly string[]): readonly TestGroup[] {
  return Array.from({ length: Math.ceil(files.length / FILES_IN_ORDER) }, (_, at) => ({
    name: `changed_${at + 1}`,
    files: files.slice(at * FILES_IN_ORDER, (at + 1) * FILES_IN_ORDER),
  }));
}

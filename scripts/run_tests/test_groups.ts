/** Most files of a group: more make its isolate large, and the last of a run long, and save little. */
const MAX_FILES = 30;

/**
 * Files that wait for other programs and for time, or take longer than most groups do: each stays by itself, and they
 * begin before all groups, so that others run while they wait.
 */
export const ALONE: readonly string[] = [
  "tests/docs/commands_test.ts",
  "tests/docs/programs_test.ts",
  "tests/node/reports_and_store_test.ts",
  "tests/store/postgres/contract_test.ts",
  "tests/reliability/fault_schedules_test.ts",
  "tests/reliability/fault_schedules_unified_test.ts",
  "tests/console/browser_test.ts",
  "tests/console/workplace_browser_test.ts",
  "tests/reliability/levelling_off_test.ts",
  "tests/reliability/killed_apply_test.ts",
  "tests/cli/process_test.ts",
  "tests/cli/many_profiles_test.ts",
  "tests/scripts/compile_test.ts",
  "tests/reliability/tool_server/day_of_calls_test.ts",
  "tests/store/postgres/restart_test.ts",
  "tests/store/postgres/encryption_test.ts",
  "tests/transport/under_node_test.ts",
];

/** Folders whose tests wait often or take long: smaller groups, which begin before the others. */
const EARLY: ReadonlyMap<string, number> = new Map([
  ["tests/reliability", 8],
  ["tests/store", 18],
  ["tests/account", 14],
  ["tests/watch", 8],
  ["tests/schedules", 9],
]);

/** Test files that run in one isolate, one after the other. */
export interface TestGroup {
  /** The folder of its files and, where that has several groups, which one it is: `tests/cli_2`. */
  readonly name: string;
  readonly files: readonly string[];
}

/** How the files of a run are divided. */
export interface GroupedTests {
  /** Files for an isolate of their own, in the order to start them. */
  readonly alone: readonly string[];
  /** The others: those that wait or take long, then the largest first. */
  readonly groups: readonly TestGroup[];
}

/**
 * Divides test files into groups by the folder below `tests` that they are in.
 *
 * An isolate loads and compiles every module anew: one for each of 500 files takes twice the processor time.
 *
 * @param files Paths from the root, with `/`.
 */
export function groupTests(files: readonly string[]): GroupedTests {
  const alone = ALONE.filter((path) => files.includes(path));
  const folders = Map.groupBy(
    files.filter((path) => !ALONE.includes(path)).sort(),
    (path) => path.split("/").slice(0, -1).slice(0, 2).join("/"),
  );
  const ordered = [...folders].sort(([a, x], [b, y]) =>
    Number(EARLY.has(b)) - Number(EARLY.has(a)) || y.length - x.length
  );
  const groups = ordered.flatMap(([folder, paths]) => {
    const count = Math.ceil(paths.length / (EARLY.get(folder) ?? MAX_FILES));
    const size = Math.ceil(paths.length / count);
    return Array.from({ length: count }, (_, at) => ({
      name: count === 1 ? folder : `${folder}_${at + 1}`,
      files: paths.slice(at * size, (at + 1) * size),
    }));
  });
  return { alone, groups };
}

import { fileSystem } from "../../base/runtime/file_system.ts";
import { readNamedFile } from "../../base/runtime/read_named_file.ts";
import { ConfigurationError } from "../../errors.ts";
import { parseWorkflow, type WorkflowFile } from "./workflow_file.ts";

/**
 * Reads clean-room queries from files; for a folder, all its files that end in `.sql` are read.
 *
 * @param paths Files and folders.
 * @throws {ConfigurationError} that lists everything that is wrong in any of them, each as `file:line: message`, and
 * ids that several of them define.
 *
 * @example
 * ```ts
 * import { loadWorkflows } from "@platform/ads/account";
 *
 * async function ids(): Promise<string[]> {
 *   return (await loadWorkflows(["queries"])).map(({ workflow }) => workflow.workflowId);
 * }
 * ```
 */
export async function loadWorkflows(paths: readonly string[]): Promise<WorkflowFile[]> {
  return parseWorkflows(await workflowTexts(paths));
}

interface WorkflowText {
  readonly source: string;
  readonly text: string;
}

/** Reads the files, and those of folders that end in `.sql`. */
export async function workflowTexts(paths: readonly string[]): Promise<WorkflowText[]> {
  const texts: WorkflowText[] = [];
  for (const source of await sqlFiles(paths)) {
    texts.push({ source, text: await readNamedFile(source, "the query") });
  }
  return texts;
}

/**
 * Parses clean-room queries with their names.
 *
 * @throws {ConfigurationError} that lists everything that is wrong in any of them, each as `file:line: message`, and
 * ids that several of them define.
 */
export function parseWorkflows(texts: readonly WorkflowText[]): WorkflowFile[] {
  const files: WorkflowFile[] = [];
  const problems: string[] = [];
  for (const { source, text } of texts) {
    try {
      files.push(parseWorkflow(text, source));
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      problems.push(error.message);
    }
  }
  const twice = repeatedIds(files);
  if (twice.length > 0) problems.push(`Cannot use these files together: ${twice.join("; ")}`);
  if (problems.length > 0) throw new ConfigurationError(problems.join("\n"));
  return files;
}

/** Returns a sentence for each workflow and schedule that several files define. */
export function repeatedIds(files: readonly WorkflowFile[]): string[] {
  const ids = files.flatMap(({ source, workflow, schedule }) => [
    { name: `workflow "${workflow.workflowId}"`, source },
    ...(schedule === undefined ? [] : [{ name: `schedule "${schedule.scheduleId}"`, source }]),
  ]);
  return [...Map.groupBy(ids, ({ name }) => name)].flatMap(([name, own]) =>
    own.length > 1 ? [`${name} is in ${own.map(({ source }) => source).join(" and ")}`] : []
  );
}

async function sqlFiles(paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    if (!await fileSystem().isDirectory(path)) {
      found.push(path);
      continue;
    }
    const names = (await fileSystem().list(path)).filter((name) => /\.sql$/i.test(name)).sort();
    if (names.length === 0) {
      throw new ConfigurationError(`Cannot use folder "${path}": it has no file that ends in .sql`);
    }
    found.push(...names.map((name) => fileSystem().join(path, name)));
  }
  return [...new Set(found)];
}

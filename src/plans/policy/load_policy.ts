import { readNamedFile } from "../../base/runtime/read_named_file.ts";
import { FolderLedger } from "./folder_ledger.ts";
import { FilePolicy } from "./file_policy.ts";
import { labelProblems, parseLabels, readDocument, refused } from "./parse_policy.ts";
import type { PolicyDocument } from "./policy_document.ts";
import type { Policy, PolicySources } from "./policy.ts";

/** Options for loading a policy file. */
export interface LoadPolicyOptions extends Omit<PolicySources, "ledger"> {
  /**
   * Folder that records what was applied today, shared by every program that applies plans to the same accounts.
   * Without it, daily limits apply to each plan separately.
   */
  readonly ledger?: string | PolicySources["ledger"];
}

/**
 * Reads a policy file.
 *
 * @param path A YAML or JSON file.
 * @throws {ConfigurationError} when the file is missing, unreadable, malformed or of a newer version. Nothing may be
 * sent then.
 *
 * @example
 * ```ts
 * import { type Credentials, type Platform, PlatformAds } from "@platform/ads";
 * import { loadPolicy } from "@platform/ads/policy";
 *
 * async function guarded(credentials: Credentials, platform: Platform): Promise<PlatformAds> {
 *   const policy = await loadPolicy("policy.yaml", { ledger: ".policy-days" });
 *   return new PlatformAds(credentials, { platform, policy }); // every write is judged from now on
 * }
 * ```
 */
export async function loadPolicy(path: string, options: LoadPolicyOptions = {}): Promise<Policy> {
  const text = await readNamedFile(path, "the policy file");
  const ledger = typeof options.ledger === "string"
    ? new FolderLedger(options.ledger, options.now === undefined ? {} : { now: options.now })
    : options.ledger;
  const document = readDocument(text, path);
  const labels = { ...document.labels, ...await labelsBeside(path, document.labels_file) };
  const problems = labelProblems({ ...document, labels });
  if (problems.length > 0) throw refused(path, problems);
  return new FilePolicy(path, { ...document, labels }, { ...options, ledger });
}

async function labelsBeside(policy: string, file: string | undefined): Promise<PolicyDocument["labels"]> {
  if (file === undefined) return {};
  const isAbsolute = /^([\\/]|[A-Za-z]:)/.test(file);
  const path = isAbsolute ? file : policy.replace(/[^\\/]*$/, "") + file;
  return parseLabels(await readNamedFile(path, "the labels of the policy"), path);
}

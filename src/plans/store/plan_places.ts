import { PlanStateError } from "../model/plan_errors.ts";
import { fileSystem } from "../../base/runtime/file_system.ts";

/** Folder beside the plans for journals, results and other records. */
const HIDDEN = ".plans";
/** End of the name of a draft's file. */
export const DRAFT_ENDING = "draft.json";
const PLAN_ID = /^[A-Za-z0-9-]{1,64}$/;
const OWN_NAME = /^plan-\d{8}-\d{6}-[0-9a-f]{8}(-undo\d*)?\.json$/;

export class PlanPlaces {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  static folderOf(planFile: string): string {
    const files = fileSystem();
    const folder = files.dirname(planFile);
    return files.basename(folder) === HIDDEN ? files.dirname(folder) : folder;
  }

  plan(id: string): string {
    return this.#path(this.folder, id, "json");
  }

  rollback(id: string): string {
    return this.hidden(id, "json");
  }

  journal(id: string): string {
    return this.hidden(id, "journal.jsonl");
  }

  result(id: string): string {
    return this.hidden(id, "result.json");
  }

  approval(id: string): string {
    return this.hidden(id, "approval.json");
  }

  refusal(id: string): string {
    return this.hidden(id, "refused.json");
  }

  /** Path of the file that names the plan replaced by this one. */
  replaces(id: string): string {
    return this.hidden(id, "replaces.json");
  }

  /** Path of the file with a person's edits of the plan. */
  draft(id: string): string {
    return this.hidden(id, DRAFT_ENDING);
  }

  hidden(id: string, ending: string): string {
    return this.#path(fileSystem().join(this.folder, HIDDEN), id, ending);
  }

  async ids(): Promise<string[]> {
    const files = fileSystem();
    const names = [...await files.list(this.folder), ...await files.list(files.join(this.folder, HIDDEN))];
    const ids = names.flatMap((name) => /^plan-([A-Za-z0-9-]{1,64})\.json$/.exec(name)?.[1] ?? []);
    // An id begins with the time it was made at.
    return [...new Set(ids)].sort().reverse();
  }

  async otherFiles(): Promise<string[]> {
    const files = fileSystem();
    const names = (await files.list(this.folder)).filter((name) =>
      name.endsWith(".json") && !OWN_NAME.test(name)
    );
    return names.sort().map((name) => files.join(this.folder, name));
  }

  #path(folder: string, id: string, ending: string): string {
    if (!isPlanId(id)) {
      throw new PlanStateError(
        `Cannot find plan ${JSON.stringify(id)}: a plan id is letters, digits and hyphens, at most 64`,
        "unknown",
      );
    }
    return fileSystem().join(folder, `plan-${id}.${ending}`);
  }
}

/** Ensures that the id cannot leave its folder. */
export function isPlanId(text: unknown): text is string {
  return typeof text === "string" && PLAN_ID.test(text);
}

import { fileSystem } from "../../base/runtime/file_system.ts";
import { ChangePlan } from "../change_plan/change_plan.ts";
import { readIfThere } from "../../base/runtime/read_named_file.ts";

const MAX_KEPT = 64_000_000;

/** Avoids parsing and hashing unchanged files, which takes most of a second for 20,000 changes. */
export class ReadPlans {
  readonly #plans = new Map<string, { readonly text: string; readonly plan: ChangePlan }>();
  readonly #maxKept: number;
  #kept = 0;

  constructor(maxKept = MAX_KEPT) {
    this.#maxKept = maxKept;
  }

  async read(path: string): Promise<ChangePlan | undefined> {
    const size = await fileSystem().size(path).catch(() => 0);
    // One that is too long to keep is not held as a text either.
    if (size > this.#maxKept) return await ChangePlan.load(path);
    const text = await readIfThere(path);
    return text === undefined ? undefined : this.plan(text, path);
  }

  plan(text: string, path: string): ChangePlan {
    const known = this.#plans.get(path);
    if (known?.text === text) return known.plan;
    const plan = ChangePlan.fromJson(text, { path });
    this.#forget(path);
    this.#plans.set(path, { text, plan });
    this.#kept += text.length;
    for (const oldest of this.#plans.keys()) {
      if (this.#kept <= this.#maxKept || oldest === path) break;
      this.#forget(oldest);
    }
    return plan;
  }

  #forget(path: string): void {
    this.#kept -= this.#plans.get(path)?.text.length ?? 0;
    this.#plans.delete(path);
  }
}

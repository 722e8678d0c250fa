import type { JournalFile } from "../../src/plans/mod.ts";

/** A journal in memory. */
export class MemoryJournal implements JournalFile {
  readonly name = "memory";
  /** Its text; `undefined` before it is made. */
  text: string | undefined;
  /** Called before an append; what it throws is thrown by the append, after the characters that it says were written. */
  onAppend: (text: string) => void = () => {};

  /** Its lines without their times and the ids of their attempts. */
  get events(): Record<string, unknown>[] {
    return (this.text ?? "").split("\n").slice(0, -1).filter((line) => line !== "").map((line) => {
      const { at: _at, attempt: _attempt, ...event } = JSON.parse(line);
      return event;
    });
  }

  create(text: string): Promise<boolean> {
    const isNew = this.text === undefined;
    if (isNew) this.text = text;
    return Promise.resolve(isNew);
  }

  read(): Promise<string> {
    return this.text === undefined ? Promise.reject(new Error("no journal")) : Promise.resolve(this.text);
  }

  append(text: string): Promise<void> {
    try {
      this.onAppend(text);
    } catch (error) {
      return Promise.reject(error);
    }
    this.text += text;
    return Promise.resolve();
  }

  size(): Promise<number> {
    return Promise.resolve(this.text?.length ?? 0);
  }
}

import { kindNoun } from "../../platform/catalog/kind_noun.ts";
import { nameInProse } from "../../base/text/visible_text.ts";
import type { Change } from "./change.ts";

/** A change in messages: kind, id and label. */
export function changeSubject({ kind, id, label }: Pick<Change, "kind" | "id" | "label">): string {
  const name = label.replace(/\s+/g, " ").trim();
  return `${kind} ${id ?? "(new)"} ${nameInProse(name)}`.trim();
}

/** A change in front of a person: its label in place of the id, where it has one. */
export function changeTitle({ kind, id, label }: Pick<Change, "kind" | "id" | "label">): string {
  return [kindNoun(kind), nameInProse(label === "" ? id ?? "" : label)].filter((part) => part !== "").join(
    " ",
  );
}

/** The rest of a message that begins with the subject of its change; the whole message otherwise. */
export function withoutSubject(message: string, change: Pick<Change, "kind" | "id" | "label">): string {
  const subject = `${changeSubject(change)}: `;
  return message.startsWith(subject) ? message.slice(subject.length) : message;
}

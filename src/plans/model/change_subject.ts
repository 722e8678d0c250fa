import { kindNoun } from "../../platform/catalog/kind_names.ts";
import { nameInProse } from "../../base/text/visible_text.ts";
import type { Change } from "./change.ts";

export function changeSubject({ kind, id, label }: Pick<Change, "kind" | "id" | "label">): string {
  const name = label.replace(/\s+/g, " ").trim();
  return `${kind} ${id ?? "(new)"} ${nameInProse(name)}`.trim();
}

export function changeTitle({ kind, id, label }: Pick<Change, "kind" | "id" | "label">): string {
  return [kindNoun(kind), nameInProse(label === "" ? id ?? "" : label)].filter((part) => part !== "").join(
    " ",
  );
}

export function withoutSubject(message: string, change: Pick<Change, "kind" | "id" | "label">): string {
  const subject = `${changeSubject(change)}: `;
  return message.startsWith(subject) ? message.slice(subject.length) : message;
}

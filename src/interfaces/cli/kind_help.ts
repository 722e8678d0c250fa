import { kindWord, spellKind } from "../../platform/catalog/kind_names.ts";
import type { ResourceSpec } from "../../client/entities/model/resource_spec.ts";
import { wrapped } from "./shell/io/text_width.ts";

const WIDTH = 100;
const LABEL = 18;

export async function kindHelp(kind: string): Promise<string> {
  const { findKind, KINDS } = await import("../../client/entities/kinds/kinds.ts");
  const spec: ResourceSpec = findKind(kind, KINDS);
  const name = spellKind(kind);
  const states = spec.settableStates.map((state) => state.toLowerCase());
  const rows: readonly (readonly [string, string])[] = [
    ["Also written", `${kind} (plan files, the library), ${kindWord(kind)} (SQL)`],
    ["Id", spec.idField],
    ["A table shows", spec.columns.join(", ")],
    ["A new one needs", spec.required.join(", ")],
    ["A change takes", spec.updatable.join(", ")],
    ["States to set", states.join(", ")],
    ...Object.entries(spec.advice ?? {}).map(([field, advice]) => [`Not ${field}`, advice] as const),
  ];
  const lines = rows.filter(([, text]) => text !== "").flatMap(([label, text]) => {
    const indent = " ".repeat(LABEL + 2);
    const [first = "", ...more] = wrapped(text, WIDTH, indent);
    return [`  ${label.padEnd(LABEL)}${first.trimStart()}`, ...more];
  });
  const commands = [
    `adsctl list ${name} -m US`,
    ...spec.updatable.length > 0 ? [`adsctl plan update ${name} changes.csv -m US`] : [],
    ...spec.required.length > 0 ? [`adsctl plan create ${name} new.csv -m US`] : [],
  ];
  return `${name}: ${spec.plural}\n\n${lines.join("\n")}\n\nCommands:\n${
    commands.map((line) => `  ${line}`).join("\n")
  }\n`;
}

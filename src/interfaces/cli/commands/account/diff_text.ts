import type { AccountDiff } from "../../../../account/diff/account_diff.ts";
import type { DiffEntry } from "../../../../account/diff/diff_entries.ts";
import { problemText } from "../../../../account/files/file_problem.ts";
import { kindNoun } from "../../../../platform/catalog/kind_names.ts";
import { moneyText } from "../../../../base/text/money_text.ts";
import { readableText } from "../../../../base/json/field_path.ts";
import { visibleText } from "../../../../base/text/visible_text.ts";
import { decimalsOf } from "../../../../base/markets/markets.ts";
import { isMoneyField } from "../../../../plans/state/amounts.ts";
import { changeRows } from "../../../../plans/model/differences.ts";
import type { TextStyles } from "../../../../plans/view/terminal_text.ts";

const SHOWN = 100;

export function diffText(diff: AccountDiff, styles: TextStyles): string {
  const decimals = decimalsOf(diff.countryCode);
  const lines = [
    ...section("To create", diff.creates, {
      styles,
      line: (entry) => styles.green(`+ ${nameOf(entry)}`) + fieldsText(entry, decimals),
    }),
    ...section("To change", diff.updates, {
      styles,
      line: (entry) => `${styles.yellow("~")} ${nameOf(entry)}${fieldsText(entry, decimals)}`,
    }),
    ...onlyInAccountLines(diff, styles),
  ];
  if (diff.refusals.length > 0) {
    lines.push(styles.bold(`Cannot be done: ${diff.refusals.length}`));
    lines.push(
      ...diff.refusals.slice(0, SHOWN).map((problem) => styles.red(`  ${problemText(problem)}`)),
      "",
    );
  }
  for (const note of diff.notes) lines.push(`Note: ${note}`, "");
  return [...lines, styles.bold(diff.summary())].join("\n") + "\n";
}

export function onlyInAccountLines({ extras }: AccountDiff, styles: TextStyles, pruned = false): string[] {
  const title = pruned
    ? "To archive, permanently"
    : "Only in the account (not changed; plan from --prune archives it)";
  return section(title, extras, { styles, line: (entry) => styles.red(`- ${nameOf(entry)}`) });
}

function section(
  title: string,
  entries: readonly DiffEntry[],
  { styles, line }: { styles: TextStyles; line: (entry: DiffEntry) => string },
): string[] {
  if (entries.length === 0) return [];
  const lines = [styles.bold(`${title}: ${entries.length}`)];
  const places = Map.groupBy(
    entries.slice(0, SHOWN),
    ({ file, campaign }) => file ?? campaign ?? "portfolios",
  );
  for (const [place, own] of places) {
    lines.push(
      `  ${visibleText(place)}`,
      ...own.map((entry) => `    ${line(entry)}`),
    );
  }
  if (entries.length > SHOWN) lines.push(`  and ${entries.length - SHOWN} more; --json has all of them`);
  return [...lines, ""];
}

function nameOf({ kind, id, label }: DiffEntry): string {
  return [kindNoun(kind), visibleText(label), id ?? "(new)"].filter((part) => part !== "").join(" ");
}

function fieldsText({ kind, id, label, before, after }: DiffEntry, decimals: number): string {
  const rows = changeRows([{ kind, op: id === null ? "create" : "update", id, label, before, after }]);
  const texts = rows.flatMap(({ field, before: now, after: next }) => {
    if (id !== null) {
      return [`${field} ${valueText(field, now, decimals)} → ${valueText(field, next, decimals)}`];
    }
    return typeof next === "string" && label.includes(next)
      ? []
      : [`${field} ${valueText(field, next, decimals)}`];
  });
  return texts.length === 0 ? "" : `  ${visibleText(texts.join(", "))}`;
}

function valueText(field: string, value: unknown, decimals: number): string {
  if (value === undefined || value === null) return "(none)";
  return isMoneyField(field) && typeof value === "number" ? moneyText(value, decimals) : readableText(value);
}

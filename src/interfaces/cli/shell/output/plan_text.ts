import { commandWords } from "../../../../operations/model/command_words.ts";
import { renderPlan } from "../../../../plans/view/terminal_text.ts";
import type { PlanView } from "../../../../plans/view/view_types.ts";
import type { CliContext } from "../context/context.ts";
import type { TextSink } from "../io/cli_io.ts";
import { stylesFor } from "./styles.ts";

interface PlanTextOptions extends Omit<Parameters<typeof renderPlan>[1], "styles" | "words" | "grounds"> {
  readonly why?: boolean;
  readonly sink?: TextSink;
}

export function planText(
  view: PlanView,
  { sink, why = false, ...options }: PlanTextOptions,
  context: Pick<CliContext, "io" | "globals">,
): string {
  const styles = stylesFor(sink ?? context.io.stdout, context);
  return renderPlan(view, {
    ...options,
    grounds: why ? undefined : "see plan show --why",
    styles,
    words: commandWords,
  });
}

import type { PlanView } from "../../plans/view/view_types.ts";
import { renderPlan } from "../../plans/view/terminal_text.ts";
import type { CliContext } from "../core/context.ts";
import type { TextSink } from "../core/io/cli_io.ts";
import { stylesFor } from "./styles.ts";
import { wrapLines } from "./wrap_lines.ts";

/** A plan as it is shown on a stream: coloured and broken between words on a terminal. */
export function planText(
  view: PlanView,
  { sink, context, limit }: {
    readonly sink: TextSink;
    readonly context: Pick<CliContext, "io" | "globals">;
    /** Changes to show at most. @default all of them */
    readonly limit?: number;
  },
): string {
  const styles = stylesFor(sink, context);
  const text = renderPlan(view, limit === undefined ? { styles } : { styles, limit });
  return wrapLines(text, sink.isTerminal ? sink.columns : undefined);
}

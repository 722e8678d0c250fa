import { visibleText } from "../../../../base/text/visible_text.ts";
import type { CliContext } from "../../shell/context/context.ts";
import { coloured, stylesFor } from "../../shell/output/styles.ts";

export function alertHead(
  { severity, title }: { readonly severity: string; readonly title: string },
  context: Pick<CliContext, "io" | "globals">,
): string {
  const styles = stylesFor(context.io.stdout, context);
  return `${coloured(severity.toUpperCase(), styles)} ${visibleText(title)}`;
}

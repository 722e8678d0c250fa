import { visibleText } from "../../internal/visible_text.ts";
import { redact } from "../../redact.ts";

/** Characters that are shown of what the platform says. */
const MAX_CHARACTERS = 400;

/** Text of the platform as one line of data: visible, without secrets, cut at 400 characters. */
export function platformText(text: string): string {
  const visible = visibleText(redact(text));
  return visible.length <= MAX_CHARACTERS
    ? visible
    : `${visible.slice(0, MAX_CHARACTERS)}… (${visible.length} characters)`;
}

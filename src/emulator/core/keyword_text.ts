interface KeywordTextFinding {
  readonly reason: string;
  readonly message: string;
  readonly fragment?: string;
}

interface KeywordTextUse {
  readonly matchType: string;
  readonly countryCode: string;
}

const MAX_LENGTH = 80;
const RESERVED = "automatically selected keywords";
const WITH_PERCENT = ["AE", "SA", "EG"];
const FORBIDDEN = /[^\p{L}\p{M}\p{N} \-+&.[\]'"\t\n\r]/u;

export function checkKeywordText(text: string, use: KeywordTextUse): KeywordTextFinding | undefined {
  if (text.trim() === "") return { reason: "BLANK", message: "Keyword text is blank" };
  if (text.length > MAX_LENGTH) {
    return { reason: "TOO_LONG", message: `Keyword text is longer than ${MAX_LENGTH} characters` };
  }
  if (text !== text.trim()) {
    return {
      reason: "LEADING_OR_TRAILING_WHITESPACE",
      message: "Keyword text begins or ends with white space",
    };
  }
  const parts = text.split(/\s+/);
  const most = mostParts(use.matchType);
  if (parts.length > most) return { reason: "TOO_LONG", message: `Keyword text has more than ${most} words` };
  const checked = WITH_PERCENT.includes(use.countryCode) ? text.replaceAll("%", "") : text;
  const forbidden = FORBIDDEN.exec(checked)?.[0];
  if (forbidden !== undefined) {
    return {
      reason: "FORBIDDEN_CHARS",
      message: "Keyword text holds a forbidden character",
      fragment: forbidden,
    };
  }
  const loose = parts.find((part) => /^[-+.]|[-+.]$/.test(part));
  if (loose !== undefined) {
    const message = "Hyphen, plus and period are allowed inside a word only";
    return { reason: "PATTERN_NOT_MATCHED", message, fragment: loose };
  }
  if (text.toLowerCase() === RESERVED) {
    return { reason: "PATTERN_NOT_MATCHED", message: "Keyword text is a reserved phrase", fragment: text };
  }
  return undefined;
}

function mostParts(matchType: string): number {
  const type = matchType.toLowerCase().replaceAll("_", "");
  return type.startsWith("negative") && type !== "negativeexact" ? 4 : 10;
}

const FAMILIES: readonly (readonly [RegExp, string])[] = [
  [/^SBAdsApiv1(?=[A-Z])/, "Sponsored Brands"],
  [/^AdsApiv1(?=[A-Z])/, ""],
  [/^RASv1(?=[A-Z])/, "retail ad service"],
  [/^SPGlobal(?=[A-Z])/, "Sponsored Products, global"],
  [/^(?:SP|sp)(?=[A-Z][a-z])/, "Sponsored Products"],
  [/^(?:SB|sb)(?=[A-Z][a-z])/, "Sponsored Brands"],
  [/^(?:SD|sd)(?=[A-Z][a-z])/, "Sponsored Display"],
  [/^(?:ST|st)(?=[A-Z][a-z])/, "Sponsored TV"],
  [/^(?:DSP|Dsp|dsp)(?:Platform|Api)?(?=[A-Z][a-z])/, "DSP"],
];

const SPELLINGS: Readonly<Record<string, string>> = {
  amc: "AMC",
  api: "API",
  asin: "ASIN",
  asins: "ASINs",
  aws: "AWS",
  dsp: "DSP",
  iab: "IAB",
  ml: "ML",
  mmm: "MMM",
  sb: "SB",
  sd: "SD",
  sp: "SP",
  tv: "TV",
};

const WORD = /[A-Z]{2,}s(?![a-z])|\d+P(?=[A-Z])|[vV]\d+(?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g;

/**
 * Says in words what an operation does, from its own name: `listNegativeKeywords` is "List negative keywords",
 * `SPCreateCampaign` is "Create campaign (Sponsored Products)", `get__v2_reports_{reportId}` is "Get v2 reports by
 * report id".
 */
export function summaryOf(operationId: string): string {
  let name = operationId.replace(/\{([^}]*)\}$/, " by $1").replace(/\{[^}]*\}/g, " ");
  let family = "";
  for (const [prefix, words] of FAMILIES) {
    if (!prefix.test(name)) continue;
    name = name.replace(prefix, "");
    family = words;
    break;
  }
  const text = (name.match(WORD) ?? [operationId]).map(spell).join(" ")
    .replace(
      /\bsponsored (products?|brands?|display|tv)\b/gi,
      (_, noun: string) => `Sponsored ${capital(noun)}`,
    )
    .replace(/\bTv\b/, "TV");
  return capital(text) + (family === "" ? "" : ` (${family})`);
}

function spell(word: string): string {
  if (/^[A-Z]{2,}s?$/.test(word) || /^\d+P$/.test(word)) return word;
  const lower = word.toLowerCase();
  return SPELLINGS[lower] ?? lower;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

// @ts-check

/**
 * An amount with as many decimals as its currency has.
 *
 * @param {unknown} amount
 * @param {number} decimals of the currency
 */
export function money(amount, decimals) {
  if (typeof amount !== "number") return "";
  return numberFormat(decimals, decimals).format(amount);
}

/**
 * The same with a sign.
 *
 * @param {number} amount
 * @param {number} decimals of the currency
 */
export function signedMoney(amount, decimals) {
  const text = money(Math.abs(amount), decimals);
  return `${/[1-9]/.test(text) ? amount < 0 ? "−" : "+" : "±"}${text}`;
}

/** @param {unknown} count */
export function whole(count) {
  return typeof count === "number" ? numberFormat(0, 0).format(count) : "";
}

/**
 * @param {number} share of 1
 * @param {number} [decimals]
 */
export function percent(share, decimals = 1) {
  return `${numberFormat(decimals, decimals).format(share * 100)} %`;
}

/**
 * `3 plans`, `1 plan`.
 *
 * @param {number} count
 * @param {string} one
 * @param {string} [many]
 */
export function counted(count, one, many = `${one}s`) {
  return `${whole(count)} ${count === 1 ? one : many}`;
}

/**
 * A moment in the zone of a market, which is said.
 *
 * @param {string | null | undefined} moment ISO 8601
 * @param {string} [zone]
 */
export function time(moment, zone = "UTC") {
  const date = new Date(moment ?? NaN);
  if (Number.isNaN(date.getTime())) return "";
  const key = `time ${zone}`;
  const format = FORMATS.get(key) ?? new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZoneName: "short",
  });
  FORMATS.set(key, format);
  // The hyphen of "GMT-7" would end a line.
  return format.format(date).replace("GMT-", "GMT\u2011");
}

/**
 * A moment of these weeks, without its year: `25 Nov, 11:03 UTC`.
 *
 * @param {string | null | undefined} moment ISO 8601
 * @param {string} [zone]
 */
export function shortTime(moment, zone = "UTC") {
  return time(moment, zone).replace(/ \d{4},/, ",");
}

/**
 * The minute of a moment of today: `11:03 GMT-7`.
 *
 * @param {string} moment ISO 8601
 * @param {string} [zone]
 */
export function clock(moment, zone) {
  return time(moment, zone).split(", ").at(-1) ?? "";
}

/**
 * A day as an axis shows it: `24 Oct`.
 *
 * @param {string} day
 */
export function dayWord(day) {
  const date = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return day;
  const format = FORMATS.get("day") ?? new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", day: "numeric", month: "short" });
  FORMATS.set("day", format);
  return format.format(date);
}

/**
 * How long ago, or ahead, a moment is: `in 53 min`, `2 h ago`.
 *
 * @param {number} at
 * @param {number} now
 */
export function awayWord(at, now) {
  const minutes = Math.round(Math.abs(at - now) / 60_000);
  if (minutes === 0) return "now";
  const text = minutes < 90 ? `${minutes} min` : minutes < 2880 ? `${Math.round(minutes / 60)} h` : `${Math.round(minutes / 1440)} days`;
  return at >= now ? `in ${text}` : `${text} ago`;
}

/**
 * A change of an amount, and of a share in points; grey unless better is certain.
 *
 * @param {number | null | undefined} now
 * @param {number | null | undefined} before
 * @param {{ points?: boolean | undefined, better?: "more" | "less" | undefined }} [options]
 * @returns {{ text: string, kind: string } | undefined} nothing where one of them is not known
 */
export function changeWord(now, before, { points = false, better } = {}) {
  if (typeof now !== "number" || typeof before !== "number" || (!points && before === 0)) return undefined;
  const by = points ? (now - before) * 100 : (now - before) / before * 100;
  const shown = Math.abs(by).toFixed(1);
  const sign = shown === "0.0" ? "±" : by < 0 ? "−" : "+";
  const kind = better === undefined || sign === "±" ? "muted" : (by > 0) === (better === "more") ? "good" : "bad";
  return { text: `${sign}${shown} ${points ? "pt" : "%"}`, kind };
}

/**
 * A resource kind in words: `sp.ad_groups` is `Products ad group`.
 *
 * @param {string} kind
 */
export function kindWord(kind) {
  const [family = "", noun = family] = kind.split(".");
  const product = family === "sp" ? "Products " : family === "sb" ? "Brands " : "";
  return product + noun.toLowerCase().replaceAll("_", " ").replace(/s$/, "");
}

/**
 * A name of the platform in words: `adGroupId` is `Ad group id`.
 *
 * @param {string} name
 */
export function nameWords(name) {
  const words = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2").replace(/[_.-]+/g, " ");
  const small = words.split(" ").filter((word) => word !== "").map((word) => /^[A-Z]{2,}$/.test(word) ? word : word.toLowerCase()).join(" ");
  return small.replace(/^./, (letter) => letter.toUpperCase());
}

/** @type {Map<string, any>} */
const FORMATS = new Map();

/**
 * @param {number} least
 * @param {number} most
 * @returns {Intl.NumberFormat}
 */
function numberFormat(least, most) {
  const key = `number ${least} ${most}`;
  const format = FORMATS.get(key) ??
    new Intl.NumberFormat("en-US", { minimumFractionDigits: least, maximumFractionDigits: most });
  FORMATS.set(key, format);
  return format;
}

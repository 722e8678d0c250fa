// @ts-check
/** How numbers, money, times and kinds are written. */

/**
 * An amount with as many decimals as its currency has.
 *
 * @param {unknown} amount
 * @param {number} [decimals]
 */
export function money(amount, decimals = 2) {
  if (typeof amount !== "number") return "";
  return numberFormat(decimals, decimals).format(amount);
}

/**
 * The same with a sign.
 *
 * @param {number} amount
 * @param {number} [decimals]
 */
export function signedMoney(amount, decimals = 2) {
  return `${amount < 0 ? "−" : "+"}${money(Math.abs(amount), decimals)}`;
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
  return format.format(date);
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

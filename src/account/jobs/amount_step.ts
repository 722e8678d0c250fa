import { roundMoney } from "../../base/text/money_text.ts";

/** Change of an amount: a factor, a difference or a value. */
export interface AmountStep {
  readonly text: string;
  /** The changed amount, not yet rounded. */
  readonly of: (amount: number) => number;
  /** 1 when amounts rise, -1 when they fall, 0 when all become one amount. */
  readonly direction: -1 | 0 | 1;
  /** True when it holds an amount of money, which means something else in each currency. */
  readonly isMoney: boolean;
}

/** Bounds of an amount, in the account's currency. */
export interface AmountBounds {
  /** Lowest. */
  readonly min: number;
  /** Highest. */
  readonly max: number;
  /** Decimals of the currency. */
  readonly decimals: number;
}

/**
 * Reads a change of an amount: `+10%`, `-5%`, `*1.2`, `+0.05`, `-0.05` or a plain amount. A difference in whole units needs
 * decimals (`-10.00`), because `-10` is usually a forgotten percent sign.
 *
 * @throws {RangeError} when it is none of these, or leaves nothing above 0.
 */
export function parseStep(text: string): AmountStep {
  const written = text.trim();
  const [, sign, amount = "", percent] = /^([+\-*×]?)\s*(\d+(?:\.\d+)?)\s*(%?)$/.exec(written) ?? [];
  const number = Number(amount);
  if (sign === undefined || amount === "" || (percent === "%" && sign !== "+" && sign !== "-")) {
    throw new RangeError(
      `Cannot change amounts by "${text}": expected a change such as +10%, -5%, *1.2, +0.05, or an amount`,
    );
  }
  if (sign === "") {
    if (number <= 0) throw new RangeError(`Cannot set amounts to "${text}": it is not above 0`);
    return { text: written, of: () => number, direction: 0, isMoney: true };
  }
  if (sign === "*" || sign === "×" || percent === "%") {
    const factor = percent === "%" ? 1 + (sign === "-" ? -1 : 1) * number / 100 : number;
    if (factor <= 0) {
      throw new RangeError(`Cannot change amounts by "${text}": the result would not be above 0`);
    }
    const direction = factor < 1 ? -1 : factor > 1 ? 1 : 0;
    return { text: written, of: (value) => value * factor, direction, isMoney: false };
  }
  if (number >= 1 && !amount.includes(".")) {
    throw new RangeError(
      `Cannot change amounts by "${text}": write ${sign}${amount}% for percent, or ${sign}${amount}.00 for an amount of money`,
    );
  }
  const step = sign === "-" ? -number : number;
  return { text: written, of: (value) => value + step, direction: step < 0 ? -1 : 1, isMoney: true };
}

/**
 * The amount after a step, rounded to the currency and kept inside the bounds; `undefined` when it stays as it is. A
 * rise never lowers an amount that is above the highest, and a fall never raises one that is below the lowest.
 */
export function steppedAmount(
  amount: number,
  step: AmountStep,
  { min, max, decimals }: AmountBounds,
): number | undefined {
  const wanted = roundMoney(Math.min(max, Math.max(min, step.of(amount))), decimals);
  if (wanted === amount) return undefined;
  return Math.sign(wanted - amount) === -step.direction ? undefined : wanted;
}

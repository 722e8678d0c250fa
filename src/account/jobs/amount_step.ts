import { roundMoney } from "../../base/text/money_text.ts";

export interface AmountStep {
  readonly text: string;
  readonly of: (amount: number) => number;
  /** 1 raises amounts, -1 lowers them, 0 sets a fixed amount. */
  readonly direction: -1 | 0 | 1;
  readonly isMoney: boolean;
}

export interface AmountBounds {
  readonly min: number;
  readonly max: number;
  readonly decimals: number;
}

/** Why a text is no amount change: it cannot be read, leaves no amount above 0, or may lack its percent sign. */
export type StepProblem = "unreadable" | "nothing left" | "no percent sign";

/**
 * Reads an amount change: `+10%`, `-5%`, `*1.2`, `+0.05`, `-0.05` or a plain amount. A whole-number difference needs
 * decimals (`-10.00`), because `-10` is usually a forgotten percent sign.
 */
export function readStep(text: string): AmountStep | StepProblem {
  const written = text.trim();
  const [, sign, amount = "", percent] = /^([+\-*×]?)\s*(\d+(?:\.\d+)?)\s*(%?)$/.exec(written) ?? [];
  const number = Number(amount);
  if (sign === undefined || amount === "" || (percent === "%" && sign !== "+" && sign !== "-")) {
    return "unreadable";
  }
  if (sign === "") {
    if (number <= 0) return "nothing left";
    return { text: written, of: () => number, direction: 0, isMoney: true };
  }
  if (sign === "*" || sign === "×" || percent === "%") {
    const factor = percent === "%" ? 1 + (sign === "-" ? -1 : 1) * number / 100 : number;
    if (factor <= 0) return "nothing left";
    const direction = factor < 1 ? -1 : factor > 1 ? 1 : 0;
    return { text: written, of: (value) => value * factor, direction, isMoney: false };
  }
  if (number >= 1 && !amount.includes(".")) return "no percent sign";
  const step = sign === "-" ? -number : number;
  return { text: written, of: (value) => value + step, direction: step < 0 ? -1 : 1, isMoney: true };
}

/**
 * Parses an amount change as {@linkcode readStep} reads it.
 *
 * @throws {RangeError} when it is none.
 */
export function parseStep(text: string): AmountStep {
  const step = readStep(text);
  if (typeof step !== "string") return step;
  if (step === "unreadable") {
    throw new RangeError(
      `Cannot change amounts by "${text}": expected a change such as +10%, -5%, *1.2, +0.05, or an amount`,
    );
  }
  if (step === "no percent sign") {
    const amount = text.replace(/\s/g, "");
    throw new RangeError(
      `Cannot change amounts by "${text}": write ${amount}% for percent, or ${amount}.00 for an amount of money`,
    );
  }
  throw new RangeError(
    /^\s*\d/.test(text)
      ? `Cannot set amounts to "${text}": it is not above 0`
      : `Cannot change amounts by "${text}": the result would not be above 0`,
  );
}

/**
 * Applies a change to an amount, rounded to the currency and clamped; `undefined` if unchanged. A raise never lowers
 * an amount above the maximum, and a cut never raises one below the minimum.
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

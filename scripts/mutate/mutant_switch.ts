/** What the calls that `switchable` plants do. All sources of a process share one. */

type Operation = (left: never, right: never) => unknown;

const OPERATIONS: Readonly<Record<string, Operation>> = {
  "===": (left, right) => left === right,
  "!==": (left, right) => left !== right,
  "<": (left, right) => left < right,
  "<=": (left, right) => left <= right,
  ">": (left, right) => left > right,
  ">=": (left, right) => left >= right,
  "+": (left, right) => left + right,
  "-": (left, right) => left - right,
  "*": (left, right) => left * right,
  "/": (left, right) => left / right,
};

/** Decides which change is active, and notes what is reached. */
export class MutantSwitch {
  /** Number of the active change; 0 when none is. */
  active = 0;
  /** The changes that were reached since it was set; `undefined` where nobody asks. */
  reached: Set<number> | undefined;
  /** How often any change was passed. */
  passed = 0;
  /** How often changes may be passed before a test counts as one that does not end. */
  limit = Infinity;
  /** What the last `and`, `or` or `given` was given, read at once where it stops there. */
  value: unknown;

  /** True when a change is the active one. */
  is(id: number): boolean {
    this.reached?.add(id);
    if (++this.passed > this.limit) throw new Error("The change made a test that does not end");
    return id === this.active;
  }

  not(id: number, operand: unknown): boolean {
    return this.is(id) ? Boolean(operand) : !operand;
  }

  condition(id: number, value: unknown): boolean {
    return this.is(id) ? !value : Boolean(value);
  }

  /** True where `&&` goes on to its right side. */
  and(id: number, left: unknown): boolean {
    const isActive = this.is(id);
    this.value = left;
    return Boolean(left) !== isActive;
  }

  /** True where `||` goes on to its right side. */
  or(id: number, left: unknown): boolean {
    const isActive = this.is(id);
    this.value = left;
    return Boolean(left) === isActive;
  }

  /** True where `??` stops at its left side. */
  given(id: number, left: unknown): boolean {
    const isActive = this.is(id);
    this.value = left;
    return isActive || (left !== undefined && left !== null);
  }

  binary(id: number, left: unknown, operator: string, exchanged: string, right: unknown): unknown {
    const operation = OPERATIONS[this.is(id) ? exchanged : operator];
    if (operation === undefined) throw new Error(`No operation ${operator}`);
    return operation(left as never, right as never);
  }
}

/** The one of this process. */
export const $mutant: MutantSwitch = new MutantSwitch();

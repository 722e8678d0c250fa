/**
 * A list whose items are made each time they are read. To everybody else it is an array that cannot be changed; two reads
 * of one item give two equal objects.
 *
 * @param length How many items it has.
 * @param at Makes the item of a position.
 * @param mark Key that its maker knows the list by.
 */
export function lazyList<Item>(
  length: number,
  at: (index: number) => Item,
  mark?: symbol,
): readonly Item[] {
  const target: Item[] = [];
  target.length = length;
  if (mark !== undefined) Object.defineProperty(target, mark, { value: true });
  const methods = fastMethods(length, at);
  const indexOf = (key: string | symbol): number => {
    if (typeof key === "symbol") return -1;
    const index = Number(key);
    return index >= 0 && index < length && String(index) === key ? index : -1;
  };
  return new Proxy(target, {
    get: (_, key) => {
      const method = methods.get(key);
      if (method !== undefined) return method;
      const index = indexOf(key);
      return index === -1 ? Reflect.get(target, key) : at(index);
    },
    has: (_, key) => indexOf(key) !== -1 || Reflect.has(target, key),
    ownKeys: () => [...Array.from({ length }, (_, index) => String(index)), "length"],
    getOwnPropertyDescriptor: (_, key) => {
      const index = indexOf(key);
      if (index === -1) return Reflect.getOwnPropertyDescriptor(target, key);
      return { value: at(index), writable: false, enumerable: true, configurable: true };
    },
    set: () => false,
    defineProperty: () => false,
    deleteProperty: () => false,
    setPrototypeOf: () => false,
    preventExtensions: () => false,
  });
}

type Step<Item, Result> = (item: Item, index: number, all: readonly Item[]) => Result;

/** Methods that pass over every item: an array's own methods would ask for each position as a text. */
function fastMethods<Item>(
  length: number,
  at: (index: number) => Item,
): ReadonlyMap<string | symbol, (...args: never[]) => unknown> {
  function* values(): Generator<Item> {
    for (let index = 0; index < length; index++) yield at(index);
  }
  function* entries(): Generator<[number, Item]> {
    for (let index = 0; index < length; index++) yield [index, at(index)];
  }
  function indexWhere(this: readonly Item[], isWanted: Step<Item, unknown>): number {
    for (let index = 0; index < length; index++) if (isWanted(at(index), index, this)) return index;
    return -1;
  }
  return new Map<string | symbol, (...args: never[]) => unknown>([
    [Symbol.iterator, values],
    ["values", values],
    ["entries", entries],
    ["forEach", function (this: readonly Item[], step: Step<Item, unknown>): void {
      for (let index = 0; index < length; index++) step(at(index), index, this);
    }],
    ["map", function (this: readonly Item[], step: Step<Item, unknown>): unknown[] {
      const made: unknown[] = [];
      for (let index = 0; index < length; index++) made.push(step(at(index), index, this));
      return made;
    }],
    ["flatMap", function (this: readonly Item[], step: Step<Item, unknown>): unknown[] {
      const made: unknown[] = [];
      for (let index = 0; index < length; index++) {
        const part = step(at(index), index, this);
        if (Array.isArray(part)) { for (const item of part) made.push(item); }
        else made.push(part);
      }
      return made;
    }],
    ["filter", function (this: readonly Item[], isWanted: Step<Item, unknown>): Item[] {
      const kept: Item[] = [];
      for (let index = 0; index < length; index++) {
        const item = at(index);
        if (isWanted(item, index, this)) kept.push(item);
      }
      return kept;
    }],
    ["findIndex", indexWhere],
    ["find", function (this: readonly Item[], isWanted: Step<Item, unknown>): Item | undefined {
      const index = indexWhere.call(this, isWanted);
      return index === -1 ? undefined : at(index);
    }],
    ["some", function (this: readonly Item[], isWanted: Step<Item, unknown>): boolean {
      return indexWhere.call(this, isWanted) !== -1;
    }],
    ["every", function (this: readonly Item[], isWanted: Step<Item, unknown>): boolean {
      return indexWhere.call(this, (item, index, all) => !isWanted(item, index, all)) === -1;
    }],
    ["slice", (start = 0, end = length): Item[] => {
      const place = (index: number): number =>
        index < 0 ? Math.max(0, length + index) : Math.min(index, length);
      const part: Item[] = [];
      for (let index = place(start); index < place(end); index++) part.push(at(index));
      return part;
    }],
  ]);
}

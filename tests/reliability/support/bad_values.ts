import { catalog } from "../../../src/platform/catalog/catalog.ts";
import type { Fields as EmulatedFields, Shape } from "../../../src/emulator/entities/shape.ts";
import { BRANDS_AD_GROUPS } from "../../../src/emulator/families/sponsored_brands/ad_groups.ts";
import { BRANDS_ADS } from "../../../src/emulator/families/sponsored_brands/ads.ts";
import { BRANDS_CAMPAIGNS } from "../../../src/emulator/families/sponsored_brands/campaigns.ts";
import {
  DISPLAY_AD_GROUPS,
  DISPLAY_PRODUCT_ADS,
} from "../../../src/emulator/families/sponsored_display/ad_groups.ts";
import { DISPLAY_CAMPAIGNS } from "../../../src/emulator/families/sponsored_display/campaigns.ts";
import {
  DISPLAY_NEGATIVE_TARGETS,
  DISPLAY_TARGETS,
} from "../../../src/emulator/families/sponsored_display/targets.ts";
import { AD_GROUPS, PRODUCT_ADS } from "../../../src/emulator/families/sponsored_products/ad_groups.ts";
import {
  CAMPAIGN_NEGATIVE_KEYWORDS,
  KEYWORDS,
  NEGATIVE_KEYWORDS,
} from "../../../src/emulator/families/sponsored_products/keywords.ts";
import {
  CAMPAIGN_NEGATIVE_TARGETS,
  NEGATIVE_TARGETS,
  TARGETS,
} from "../../../src/emulator/families/sponsored_products/targets.ts";
import { CAMPAIGNS } from "../../../src/emulator/families/sponsored_products/campaigns.ts";
import { PORTFOLIOS } from "../../../src/emulator/families/account/portfolio_routes.ts";
import type { SeededRandom } from "../../support/seeded_random.ts";

/** An item of a write. */
export type Item = Record<string, unknown>;

/** A write of which values are drawn. */
export interface DrawnWrite {
  readonly kind: string;
  readonly op: "create" | "update";
  /** Operations of the catalog behind it. */
  readonly operations: string | readonly string[] | undefined;
}

interface Node {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly $defs?: Readonly<Record<string, Node>>;
}

const EMULATED: readonly { kind: string; createFields: EmulatedFields; updateFields: EmulatedFields }[] = [
  CAMPAIGNS,
  AD_GROUPS,
  KEYWORDS,
  TARGETS,
  NEGATIVE_KEYWORDS,
  NEGATIVE_TARGETS,
  CAMPAIGN_NEGATIVE_KEYWORDS,
  CAMPAIGN_NEGATIVE_TARGETS,
  PRODUCT_ADS,
  BRANDS_CAMPAIGNS,
  BRANDS_AD_GROUPS,
  BRANDS_ADS,
  DISPLAY_CAMPAIGNS,
  DISPLAY_AD_GROUPS,
  DISPLAY_PRODUCT_ADS,
  DISPLAY_TARGETS,
  DISPLAY_NEGATIVE_TARGETS,
  PORTFOLIOS,
];

const WORDS = ["", "   ", "BOGUS", "LIFETIME", "x".repeat(260), "2026-13-45", "tomorrow", "404404"];
const DAYS = ["tomorrow", "2026-13-45", "2027-02-30", "2020-01-01", "", "20270230", "2099-12-31"];
const NUMBERS = [-1, 0, 0.001, 1.005, 7, 12.5, 901, 10_000, 99_999_999];

/** Values of every quality for the fields of a write, from what is published of it and from the emulator's own rules. */
export async function drawnValues(write: DrawnWrite): Promise<(random: SeededRandom, item: Item) => Item> {
  const published = await publishedNode(write);
  const emulated = EMULATED.find(({ kind }) => kind === write.kind);
  const fields = write.op === "create" ? emulated?.createFields : emulated?.updateFields;
  const nodes = [published, ...(fields === undefined ? [] : [nodeOf({ is: "object", fields })])].filter(
    ({ properties }) => properties !== undefined,
  );
  return (random, item) => {
    if (random.integer(1, 12) === 1) {
      const name = random.pick(Object.keys(item));
      return Object.fromEntries(Object.entries(item).filter(([field]) => field !== name));
    }
    const { properties = {} } = random.pick(nodes);
    const names = Object.keys(properties).filter((name) => !/Ids?$/.test(name) || name === "portfolioId");
    const name = random.pick(names);
    return { ...item, [name]: drawn(properties[name]!, { random, now: item[name], depth: 0 }) };
  };
}

function drawn(
  node: Node,
  place: { random: SeededRandom; now: unknown; depth: number },
): unknown {
  const { random, now, depth } = place;
  const types = [node.type ?? []].flat();
  if (random.integer(1, 14) === 1) return random.pick<unknown>([7, "7", true, [], {}, "x"]);
  if (node.properties !== undefined && depth < 4) {
    const names = Object.keys(node.properties);
    const own = typeof now === "object" && now !== null && !Array.isArray(now) ? now as Item : {};
    const made: Item = { ...own };
    for (const name of new Set([random.pick(names), ...names.filter(() => random.integer(1, 3) === 1)])) {
      made[name] = drawn(node.properties[name]!, { random, now: own[name], depth: depth + 1 });
    }
    if (random.integer(1, 20) === 1) made["unheardOf"] = 1;
    return made;
  }
  if (node.items !== undefined && depth < 4) {
    const count = random.pick([0, 1, 1, 1, 2, (node.maxItems ?? 3) + 1]);
    const list = Array.isArray(now) ? now : [];
    return Array.from(
      { length: Math.min(count, 12) },
      (_, at) => drawn(node.items!, { random, now: list[at], depth: depth + 1 }),
    );
  }
  if (node.enum !== undefined) {
    return random.integer(0, 1) === 0
      ? random.pick(node.enum)
      : random.pick(["BOGUS", "LIFETIME", "", String(node.enum[0]).toLowerCase()]);
  }
  if (node.format === "date" || types.includes("date")) return random.pick(DAYS);
  if (types.includes("number") || types.includes("integer")) {
    const { minimum = 0, maximum = 900 } = node;
    return random.pick([...NUMBERS, minimum, minimum - 1, maximum, maximum + 1, minimum + 0.5]);
  }
  if (types.includes("boolean")) return random.pick<unknown>([true, false, "yes"]);
  return random.pick([...WORDS, "x".repeat((node.maxLength ?? 400) + 1), "A good word"]);
}

/** The shape of one item of the published body. */
async function publishedNode({ operations }: DrawnWrite): Promise<Node> {
  const [id] = [operations ?? []].flat();
  if (id === undefined) return {};
  const schema = await (await catalog.get(id)).schema();
  const [body] = Object.values(schema?.body?.types ?? {}) as Node[];
  if (body === undefined) return {};
  const whole = resolved(body, body, 0);
  const [list] = Object.values(whole.properties ?? {});
  return whole.items ?? list?.items ?? {};
}

function resolved(node: Node, root: Node, depth: number): Node {
  if (depth > 10) return {};
  if (node.$ref !== undefined) {
    const name = node.$ref.split("/").at(-1) ?? "";
    return resolved(root.$defs?.[name] ?? {}, root, depth + 1);
  }
  return {
    ...node,
    ...(node.items === undefined ? {} : { items: resolved(node.items, root, depth + 1) }),
    ...(node.properties === undefined ? {} : {
      properties: Object.fromEntries(
        Object.entries(node.properties).map(([name, part]) => [name, resolved(part, root, depth + 1)]),
      ),
    }),
  };
}

/** A rule of the emulator as a schema. */
function nodeOf(shape: Shape): Node {
  switch (shape.is) {
    case "text":
      return { type: "string", ...(shape.max === undefined ? {} : { maxLength: shape.max }) };
    case "number":
      return {
        type: shape.whole ? "integer" : "number",
        ...(shape.low === undefined ? {} : { minimum: shape.low }),
        ...(shape.high === undefined ? {} : { maximum: shape.high }),
      };
    case "choice":
      return { type: "string", enum: shape.values };
    case "date":
      return { type: "string", format: "date" };
    case "object":
      return {
        type: "object",
        properties: Object.fromEntries(
          Object.entries(shape.fields).map(([name, field]) => [name, nodeOf(field.shape)]),
        ),
      };
    case "list":
      return { type: "array", items: nodeOf(shape.of), maxItems: shape.max };
    case "flag":
      return { type: "boolean" };
    case "id":
    case "any":
    case "texts":
      return { type: "string" };
  }
}

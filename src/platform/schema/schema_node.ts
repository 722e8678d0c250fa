/** JSON types of a schema. */
export type SchemaType = "array" | "boolean" | "integer" | "null" | "number" | "object" | "string";

/** A JSON value as a schema holds it: a constant, a default or a value of an enumeration. */
type SchemaValue = string | number | boolean | null | readonly SchemaValue[] | {
  readonly [name: string]: SchemaValue;
};

/** How a value of a union is told apart: a property names the model of the value. */
interface SchemaDiscriminator {
  readonly propertyName: string;
  /** Names of models by the values of the property. */
  readonly mapping?: Readonly<Record<string, string>>;
  /** Values whose text on the wire has the platform's own word in place of `platform`. */
  readonly wordEnum?: readonly string[];
}

/**
 * The shape of a value: a subset of JSON Schema 2020-12 in which `ref` names a model of the same API. An empty object
 * stands for any value.
 */
export interface SchemaNode {
  /** Name of a model of the same API, whose shape this is. */
  readonly ref?: string;
  /** JSON type, or several. */
  readonly type?: SchemaType | readonly SchemaType[];
  /** Fields of an object. */
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  /** Names of fields that must be present. */
  readonly required?: readonly string[];
  /** Shape of every item of a list. */
  readonly items?: SchemaNode;
  /** Shape of the fields that `properties` does not name; `false` where there are none. */
  readonly additionalProperties?: boolean | SchemaNode;
  /** Exactly one of these. */
  readonly oneOf?: readonly SchemaNode[];
  /** At least one of these. */
  readonly anyOf?: readonly SchemaNode[];
  readonly allOf?: readonly SchemaNode[];
  /** None of this. */
  readonly not?: SchemaNode;
  /** Allowed values. */
  readonly enum?: readonly SchemaValue[];
  readonly const?: SchemaValue;
  /** Format of a text or number, such as `date-time` or `int64`. */
  readonly format?: string;
  /** Least number. */
  readonly minimum?: number;
  /** Greatest number. */
  readonly maximum?: number;
  /** A number that values must exceed. */
  readonly exclusiveMinimum?: number;
  /** A number that values must stay below. */
  readonly exclusiveMaximum?: number;
  /** A number that values are a multiple of. */
  readonly multipleOf?: number;
  /** Least characters. */
  readonly minLength?: number;
  /** Most characters. */
  readonly maxLength?: number;
  /** Regular expression of a text. */
  readonly pattern?: string;
  /** Fewest items. */
  readonly minItems?: number;
  readonly maxItems?: number;
  /** True when no two items are equal. */
  readonly uniqueItems?: boolean;
  /** Fewest fields. */
  readonly minProperties?: number;
  /** Most fields. */
  readonly maxProperties?: number;
  /** How a union is told apart. */
  readonly discriminator?: SchemaDiscriminator;
  /** Value that stands for an absent one. */
  readonly default?: SchemaValue;
  /** True when the platform discourages it. */
  readonly deprecated?: boolean;
  /** True for what only responses hold. */
  readonly readOnly?: boolean;
  /** True for what only requests hold. */
  readonly writeOnly?: boolean;
  /** False for a query parameter whose list is sent as one comma-separated value. */
  readonly explode?: boolean;
  /** True when the name of the field has the platform's own word in place of `platform` on the wire. */
  readonly word?: boolean;
  /** True when the name of the field has the platform's short name in place of `platform` on the wire. */
  readonly wordShort?: boolean;
  /** Values of `enum` that have the platform's own word in place of `platform` on the wire. */
  readonly wordEnum?: readonly string[];
  /** Values of `enum` that have the platform's short name in place of `platform` on the wire. */
  readonly wordEnumShort?: readonly string[];
}

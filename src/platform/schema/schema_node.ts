export type SchemaType = "array" | "boolean" | "integer" | "null" | "number" | "object" | "string";

/** A JSON value in a schema: a constant, default or enumeration value. */
type SchemaValue = string | number | boolean | null | readonly SchemaValue[] | {
  readonly [name: string]: SchemaValue;
};

/** Property that names the model of a union's value. */
interface SchemaDiscriminator {
  readonly propertyName: string;
  /** Model names by property value. */
  readonly mapping?: Readonly<Record<string, string>>;
  /** Values with the platform's own word in place of `platform` on the wire. */
  readonly wordEnum?: readonly string[];
}

/**
 * Shape of a value: a subset of JSON Schema 2020-12 in which `ref` names a model of the same API. An empty object allows
 * any value.
 */
export interface SchemaNode {
  /** Model of the same API. */
  readonly ref?: string;
  readonly type?: SchemaType | readonly SchemaType[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly items?: SchemaNode;
  /** Shape of other fields; `false` for none. */
  readonly additionalProperties?: boolean | SchemaNode;
  /** Exactly one of these. */
  readonly oneOf?: readonly SchemaNode[];
  readonly anyOf?: readonly SchemaNode[];
  readonly allOf?: readonly SchemaNode[];
  /** None of this. */
  readonly not?: SchemaNode;
  readonly enum?: readonly SchemaValue[];
  readonly const?: SchemaValue;
  /** Format of a text or number, such as `date-time` or `int64`. */
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  /** A number that values must exceed. */
  readonly exclusiveMinimum?: number;
  /** A number that values must stay below. */
  readonly exclusiveMaximum?: number;
  /** A number that values are a multiple of. */
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  /** Discriminator of a union. */
  readonly discriminator?: SchemaDiscriminator;
  /** Value of an absent field. */
  readonly default?: SchemaValue;
  /** True when deprecated. */
  readonly deprecated?: boolean;
  /** True for responses only. */
  readonly readOnly?: boolean;
  /** True for requests only. */
  readonly writeOnly?: boolean;
  /** False for a query list sent as one comma-separated value. */
  readonly explode?: boolean;
  /** True when the field's name has the platform's own word in place of `platform` on the wire. */
  readonly word?: boolean;
  /** True when the field's name has the platform's short name in place of `platform` on the wire. */
  readonly wordShort?: boolean;
  /** Values of `enum` with the platform's own word in place of `platform` on the wire. */
  readonly wordEnum?: readonly string[];
  /** Values of `enum` with the platform's short name in place of `platform` on the wire. */
  readonly wordEnumShort?: readonly string[];
}

export type SchemaType = "array" | "boolean" | "integer" | "null" | "number" | "object" | "string";

type SchemaValue = string | number | boolean | null | readonly SchemaValue[] | {
  readonly [name: string]: SchemaValue;
};

interface SchemaDiscriminator {
  readonly propertyName: string;
  readonly mapping?: Readonly<Record<string, string>>;
  /** Values with the platform's own word in place of `platform` on the wire. */
  readonly wordEnum?: readonly string[];
}

export interface SchemaNode {
  readonly ref?: string;
  readonly type?: SchemaType | readonly SchemaType[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly items?: SchemaNode;
  readonly additionalProperties?: boolean | SchemaNode;
  readonly oneOf?: readonly SchemaNode[];
  readonly anyOf?: readonly SchemaNode[];
  readonly allOf?: readonly SchemaNode[];
  readonly not?: SchemaNode;
  readonly enum?: readonly SchemaValue[];
  readonly const?: SchemaValue;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly discriminator?: SchemaDiscriminator;
  readonly default?: SchemaValue;
  readonly deprecated?: boolean;
  readonly readOnly?: boolean;
  readonly writeOnly?: boolean;
  /** False for a query list sent as one comma-separated value. */
  readonly explode?: boolean;
  /** True when the field's name has the platform's own word in place of `platform` on the wire. */
  readonly word?: boolean;
  readonly wordShort?: boolean;
  readonly wordEnum?: readonly string[];
  readonly wordEnumShort?: readonly string[];
}

interface Schema {
  readonly [keyword: string]: unknown;
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: false | Schema;
  readonly required?: readonly string[];
  readonly oneOf?: readonly Schema[];
  readonly not?: Schema;
}

/** Keywords without effect on validity. */
const ANNOTATIONS = ['$schema', '$id', '$defs', 'title', 'description', 'default', 'examples', 'format'];

/** Whether a value is valid by a schema with the keywords above (JSON Schema 2020-12). Any other keyword is an error. */
export function matchesSchema(root: unknown, value: unknown): boolean {
  const definitions = (root as { $defs?: Readonly<Record<string, Schema>> }).$defs ?? {};

  function matches(schema: Schema, value: unknown): boolean {
    return Object.entries(schema).every(([keyword]) => {
      if (ANNOTATIONS.includes(keyword)) return true;
      const rule = RULES[keyword];
      if (rule === undefined) throw new Error(`the keyword ${keyword} is not known here`);
      return rule(schema, value);
    });
  }

  const RULES: Readonly<Record<string, (schema: Schema, value: unknown) => boolean>> = {
    $ref: ({ $ref = '' }, value) => {
      const target = definitions[$ref.replace('#/$defs/', '')];
      if (target === undefined) throw new Error(`${$ref} leads nowhere`);
      return matches(target, value);
    },
    type: ({ type = [] }, value) => [type].flat().some((name) => isOfType(name, value)),
    const: (schema, value) => value === schema.const,
    enum: (schema, value) => schema.enum?.includes(value) ?? true,
    pattern: ({ pattern = '' }, value) => typeof value !== 'string' || new RegExp(pattern, 'u').test(value),
    minLength: ({ minLength = 0 }, value) => typeof value !== 'string' || [...value].length >= minLength,
    maxLength: ({ maxLength = 0 }, value) => typeof value !== 'string' || [...value].length <= maxLength,
    minimum: ({ minimum = 0 }, value) => typeof value !== 'number' || value >= minimum,
    maximum: ({ maximum = 0 }, value) => typeof value !== 'number' || value <= maximum,
    items: ({ items = {} }, value) => !Array.isArray(value) || value.every((item) => matches(items, item)),
    minItems: ({ minItems = 0 }, value) => !Array.isArray(value) || value.length >= minItems,
    maxItems: ({ maxItems = 0 }, value) => !Array.isArray(value) || value.length <= maxItems,
    uniqueItems: (_, value) => !Array.isArray(value) || new Set(value).size === value.length,
    properties: ({ properties = {} }, value) =>
      !isObject(value) ||
      Object.entries(properties).every(([key, schema]) => !Object.hasOwn(value, key) || matches(schema, value[key])),
    additionalProperties: ({ properties = {}, additionalProperties = false }, value) =>
      !isObject(value) ||
      Object.entries(value).every(
        ([key, item]) =>
          Object.hasOwn(properties, key) || (additionalProperties !== false && matches(additionalProperties, item)),
      ),
    required: ({ required = [] }, value) => !isObject(value) || required.every((key) => Object.hasOwn(value, key)),
    oneOf: ({ oneOf = [] }, value) => oneOf.filter((schema) => matches(schema, value)).length === 1,
    not: ({ not = {} }, value) => !matches(not, value),
  };

  return matches(root as Schema, value);
}

function isOfType(name: string, value: unknown): boolean {
  if (name === 'null') return value === null;
  switch (name) {
    case 'object':
      return isObject(value);
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === name;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

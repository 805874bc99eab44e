import { isRecord, type JsonRecord } from '../primitives/json-record.ts';
import { type NodeToken, orNull, type SchemaNode, valueNode } from './description.ts';
import { escapeStep, findLocal, get, getList, getObject, textsIn } from './json-tree.ts';
import { mergeNodes, uniteNodes } from './merge-nodes.ts';
import { schemaFingerprintOf } from './schema-fingerprint.ts';

/** Reads the type from a schema of a document. `place` is its JSON Pointer, for messages. */
export type SchemaReader = (schema: unknown, place: string) => SchemaNode;

interface SchemaDialect {
  readonly leftOut?: 'readOnly' | 'writeOnly';
  readonly hasLoneReferences?: boolean;
}

/** By the names of JSON Schema. */
const TOKENS: Readonly<Record<string, NodeToken>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
  object: 'object',
  array: 'array',
};
/** Keywords that make a type depend on other values, or name fields by patterns. */
const NOT_UNDERSTOOD = [
  'not',
  'if',
  'then',
  'else',
  'patternProperties',
  'dependentSchemas',
  'dependencies',
  'prefixItems',
  'additionalItems',
  '$dynamicRef',
  '$recursiveRef',
];

/** The limit of nested references and parts before a type is reached. */
const MAX_OPEN = 200;
const MAX_PARTS = 200;

/**
 * Reads schemas of JSON Schema (draft 4 to 2020-12) and OpenAPI 3, with references within the document.
 *
 * Fields marked with `leftOut` are omitted. Siblings of a `$ref` count, unless `hasLoneReferences` says
 * otherwise (OpenAPI 3.0: "any sibling elements of a $ref are ignored").
 */
export function createSchemaReader(root: unknown, dialect: SchemaDialect = {}): SchemaReader {
  const reading = new SchemaReading(root, dialect);
  return (schema, place) => reading.read(schema, place);
}

/** The schemas of one document, each read once. */
class SchemaReading {
  readonly #root: unknown;
  readonly #leftOut: SchemaDialect['leftOut'];
  readonly #hasLoneReferences: boolean;
  readonly #known = new Map<object, SchemaNode>();
  readonly #open = new Set<object>();

  constructor(root: unknown, { leftOut, hasLoneReferences = false }: SchemaDialect) {
    this.#root = root;
    this.#leftOut = leftOut;
    this.#hasLoneReferences = hasLoneReferences;
  }

  read(schema: unknown, place: string): SchemaNode {
    if (schema === true) return valueNode({ token: 'any' });
    if (!isRecord(schema)) return this.#opaque(schema, place, 'it is not a schema');
    const before = this.#known.get(schema);
    if (before !== undefined) return before;
    if (this.#open.has(schema)) return this.#opaque(schema, place, 'it refers to itself without anything between');
    if (this.#open.size === MAX_OPEN)
      return this.#opaque(schema, place, `it leads through more than ${MAX_OPEN} references`);
    this.#open.add(schema);
    const node = this.#readParts(this.#plainReference(schema), place);
    this.#open.delete(schema);
    this.#known.set(schema, node);
    return node;
  }

  #plainReference(schema: JsonRecord): JsonRecord {
    return this.#hasLoneReferences && typeof get(schema, '$ref') === 'string' ? { $ref: schema.$ref } : schema;
  }

  #readParts(schema: JsonRecord, place: string): SchemaNode {
    const odd = NOT_UNDERSTOOD.find((keyword) => get(schema, keyword) !== undefined);
    if (odd !== undefined) return this.#opaque(schema, place, `"${odd}" cannot be told by a delta`);
    const parts = [
      ...this.#readReference(schema, place),
      ...this.#readAllOf(schema, place),
      ...this.#readOneOf(schema, place),
      ...this.#readOwn(schema, place),
    ];
    if (parts.length > MAX_PARTS) return this.#opaque(schema, place, `it has more than ${MAX_PARTS} parts`);
    let whole: SchemaNode | undefined = valueNode({ token: 'any' });
    for (const part of parts) {
      if (part.is === 'opaque') return parts.length === 1 ? part : this.#opaque(schema, part.place, part.reason);
      whole = mergeNodes(whole, part);
      if (whole === undefined) return this.#opaque(schema, place, 'its parts contradict each other');
    }
    return get(schema, 'nullable') === true ? orNull(whole) : whole;
  }

  #readReference(schema: JsonRecord, place: string): SchemaNode[] {
    const reference = get(schema, '$ref');
    if (reference === undefined) return [];
    if (typeof reference !== 'string') return [unreachable(place, 'its $ref is not a text')];
    const found = findLocal(this.#root, reference);
    if (found !== undefined) return [this.read(found.value, reference.slice(1))];
    const isLocal = reference.startsWith('#');
    const isAnchor = isLocal && !reference.startsWith('#/');
    const missing = isAnchor ? 'names an anchor, and anchors are not followed' : 'is not in the document';
    const reason = isLocal ? missing : 'leads out of the document, and is not fetched';
    return [unreachable(place, `its $ref "${reference}" ${reason}`)];
  }

  #readAllOf(schema: JsonRecord, place: string): SchemaNode[] {
    const listed = get(schema, 'allOf');
    if (listed !== undefined && !Array.isArray(listed)) return [this.#opaque(schema, place, 'its allOf is not a list')];
    return getList(schema, 'allOf').map((part, index) => this.read(part, `${place}/allOf/${index}`));
  }

  #readOneOf(schema: JsonRecord, place: string): SchemaNode[] {
    return ['oneOf', 'anyOf'].flatMap((keyword) => {
      if (get(schema, keyword) === undefined) return [];
      const members = getList(schema, keyword).map((member, index) =>
        this.read(member, `${place}/${keyword}/${index}`),
      );
      const united = members.length === 0 ? undefined : uniteNodes(members);
      return [united ?? this.#opaque(schema, `${place}/${keyword}`, `its ${keyword} offers shapes that differ`)];
    });
  }

  #readOwn(schema: JsonRecord, place: string): SchemaNode[] {
    const types = typesOf(schema);
    if (types === undefined) return this.#readRequired(schema);
    const unknown = types.find((type) => !Object.hasOwn(TOKENS, type));
    if (unknown !== undefined) return [this.#opaque(schema, place, `its type "${unknown}" is not one of JSON Schema`)];
    const tokens = [...new Set(types.map((type) => TOKENS[type] ?? 'any'))];
    const [token = 'null', ...others] = tokens.filter((each) => each !== 'null');
    if (others.length > 0) return [this.#opaque(schema, place, `it may be ${[token, ...others].join(' or ')}`)];
    if (Array.isArray(get(schema, 'items')))
      return [this.#opaque(schema, place, 'its elements differ by their position')];
    return [
      valueNode({
        token,
        nullable: token !== 'null' && tokens.includes('null'),
        fields: () => this.#readFields(schema, place),
        required: () => new Set(textsIn(get(schema, 'required'))),
        items: () => this.#readInside(schema, 'items', place),
        values: () => this.#readInside(schema, 'additionalProperties', place),
      }),
    ];
  }

  /** On its own, it says nothing about the type. */
  #readRequired(schema: JsonRecord): SchemaNode[] {
    const names = textsIn(get(schema, 'required'));
    return names.length === 0 ? [] : [valueNode({ token: 'any', required: () => new Set(names) })];
  }

  #readFields(schema: JsonRecord, place: string): ReadonlyMap<string, SchemaNode> {
    const properties = Object.entries(getObject(schema, 'properties')).filter(([, part]) => !this.#isLeftOut(part));
    return new Map(
      properties.map(([name, part]) => [name, this.read(part, `${place}/properties/${escapeStep(name)}`)]),
    );
  }

  #isLeftOut(part: unknown): boolean {
    if (this.#leftOut === undefined) return false;
    const reference = get(part, '$ref');
    const isAlone = this.#hasLoneReferences && typeof reference === 'string';
    const target = typeof reference === 'string' ? findLocal(this.#root, reference)?.value : undefined;
    return (!isAlone && get(part, this.#leftOut) === true) || get(target, this.#leftOut) === true;
  }

  /** Undefined if the keyword is missing, or allows anything or nothing. */
  #readInside(schema: JsonRecord, keyword: string, place: string): SchemaNode | undefined {
    const inside = get(schema, keyword);
    if (inside === undefined || typeof inside === 'boolean') return undefined;
    const node = this.read(inside, `${place}/${keyword}`);
    return node.is === 'value' && node.token === 'any' ? undefined : node;
  }

  #opaque(schema: unknown, place: string, reason: string): SchemaNode {
    return { is: 'opaque', place, reason, fingerprint: () => schemaFingerprintOf(schema, this.#root) };
  }
}

function unreachable(place: string, reason: string): SchemaNode {
  return { is: 'opaque', place, reason, fingerprint: () => undefined };
}

/** The types that a schema names, else those implied by its other keywords. Undefined if it names and implies none. */
function typesOf(schema: JsonRecord): readonly string[] | undefined {
  const type = get(schema, 'type');
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type.map(String);
  if (type !== undefined) return [String(type)];
  const values = Object.hasOwn(schema, 'const') ? [schema.const] : getList(schema, 'enum');
  if (values.length > 0) return [...new Set(values.map(typeOfValue))];
  if (['properties', 'additionalProperties'].some((word) => get(schema, word) !== undefined)) return ['object'];
  return get(schema, 'items') === undefined ? undefined : ['array'];
}

function typeOfValue(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

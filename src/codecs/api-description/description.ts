/**
 * What a description of an API tells: its operations, and the shape of what each takes and gives.
 *
 * One form for all formats (OpenAPI, JSON Schema, MCP, A2A, GraphQL), so that two descriptions can be compared.
 */

export type DescriptionFormat = 'openapi' | 'json-schema' | 'mcp' | 'a2a' | 'graphql';

export interface Description {
  readonly format: DescriptionFormat;
  /** Of the API, as the document tells it. Absent where it tells none. */
  readonly version?: string;
  /** In document order; no two have one id. */
  readonly operations: readonly Operation[];
}

export interface Operation {
  /** `<protocol>:<operation>`: the same for every version of the document, and unique over protocols. */
  readonly endpointId: string;
  readonly protocol: string;
  /** As its document calls it: `GET /orders/{orderId}`, a tool, a skill, `Query.orders`. */
  readonly operation: string;
  /** A name beside that which people edit, and may ask by (OpenAPI). */
  readonly operationId?: string;
  /** Of a success, the most usual first. None where an answer has no body. */
  readonly responses: readonly ResponseShape[];
  /** What is sent, as one object. Absent where nothing is described. */
  readonly request?: SchemaNode;
  /** Facts beside the shapes that a caller goes by, such as media types. */
  readonly traits: Readonly<Record<string, readonly string[]>>;
  /** What is known about a field that is described: see {@link Presence}. */
  presence(): Presence;
  /** Why nothing can be said of it. */
  readonly flaw?: Flaw;
}

/**
 * `stated`: fields that are always there are listed as required. `unstated`: no schema of the response lists any, so that
 * what is described counts as there. `selected`: the caller chooses the fields (GraphQL).
 */
export type Presence = 'stated' | 'unstated' | 'selected';

export interface ResponseShape {
  /** Its status, where there are several. */
  readonly name: string;
  readonly node: SchemaNode;
}

/** A place that cannot be read, and why. */
export interface Flaw {
  /** A JSON Pointer into the description, or a name in it. */
  readonly place: string;
  readonly reason: string;
}

export type NodeToken = 'string' | 'number' | 'boolean' | 'null' | 'object' | 'array' | 'any';

export type SchemaNode = ValueNode | OpaqueNode;

/**
 * The type of a value. What is inside is built when it is asked for, and once: types may hold themselves, and the same type
 * of a document is the same object.
 */
export interface ValueNode {
  readonly is: 'value';
  readonly token: NodeToken;
  readonly nullable: boolean;
  /** The same for a type and for that type with null beside it. */
  readonly core: object;
  /** Of an object, in document order. */
  fields(): ReadonlyMap<string, SchemaNode>;
  /** Names that every such object has. */
  required(): ReadonlySet<string>;
  /** Of an array. Undefined where its elements may be anything. */
  items(): SchemaNode | undefined;
  /** Of a map: what stands under names that are not told. */
  values(): SchemaNode | undefined;
}

/** A type that the six tokens cannot say. */
export interface OpaqueNode extends Flaw {
  readonly is: 'opaque';
  /** Equal for types that are written alike. Undefined where a part of it is out of reach: then nothing can be said. */
  fingerprint(): string | undefined;
}

const NO_FIELDS: ReadonlyMap<string, SchemaNode> = new Map();
const NO_NAMES: ReadonlySet<string> = new Set();

type NodeParts = Pick<ValueNode, 'token'> & Partial<Omit<ValueNode, 'is' | 'token' | 'core'>>;

export function valueNode({ token, nullable = false, ...inside }: NodeParts): ValueNode {
  return {
    is: 'value',
    token,
    nullable,
    core: {},
    fields: once(inside.fields ?? (() => NO_FIELDS)),
    required: once(inside.required ?? (() => NO_NAMES)),
    items: once(inside.items ?? (() => undefined)),
    values: once(inside.values ?? (() => undefined)),
  };
}

/** The same type, with null among its values. */
export function orNull(node: SchemaNode): SchemaNode {
  if (node.is === 'value') return node.nullable ? node : { ...node, nullable: true };
  return { ...node, fingerprint: () => prefixed(node.fingerprint()) };
}

function prefixed(text: string | undefined): string | undefined {
  return text === undefined ? undefined : `null or ${text}`;
}

/** Computed when it is first asked for. */
function once<T>(compute: () => T): () => T {
  let kept: { readonly value: T } | undefined;
  return () => {
    kept ??= { value: compute() };
    return kept.value;
  };
}

export type DecodedDescription =
  | { readonly ok: true; readonly value: Description }
  | { readonly ok: false; readonly flaw: Flaw };

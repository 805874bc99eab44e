/**
 * A decoded description of an API: its operations, and the shapes of their requests and responses.
 *
 * One form for all formats (OpenAPI, JSON Schema, MCP, A2A, GraphQL), so that two descriptions can be compared.
 */

export type DescriptionFormat = 'openapi' | 'json-schema' | 'mcp' | 'a2a' | 'graphql';

export interface Description {
  readonly format: DescriptionFormat;
  /** The version of the API as the document states it, if it does. */
  readonly version?: string;
  /** In document order; ids are unique. */
  readonly operations: readonly Operation[];
}

export interface Operation {
  /** `<protocol>:<operation>`: the same in every version of the document, and unique across protocols. */
  readonly endpointId: string;
  readonly protocol: string;
  /** Its name in the document: `GET /orders/{orderId}`, a tool, a skill, `Query.orders`. */
  readonly operation: string;
  /** A second name (OpenAPI), which authors may change and callers may look up. */
  readonly operationId?: string;
  /** The responses of a success, the most usual first. Empty if there is no body. */
  readonly responses: readonly ResponseShape[];
  /** The request as one object. Absent if the document does not describe it. */
  readonly request?: SchemaNode;
  /** Other facts that callers depend on, such as media types. */
  readonly traits: Readonly<Record<string, readonly string[]>>;
  /** Whether described fields are always present: see {@link Presence}. */
  presence(): Presence;
  /** Why the operation cannot be understood. */
  readonly flaw?: Flaw;
}

/**
 * `stated`: fields that are always present are listed as required. `unstated`: no schema of the response lists any, so
 * described fields count as present. `selected`: the caller chooses the fields (GraphQL).
 */
export type Presence = 'stated' | 'unstated' | 'selected';

export interface ResponseShape {
  /** Its status, if there are several. */
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
 * The type of a value. Its insides are built once, on demand: types may contain themselves, and the same type
 * in a document is the same object.
 */
export interface ValueNode {
  readonly is: 'value';
  readonly token: NodeToken;
  readonly nullable: boolean;
  /** The same object for a type and for its nullable variant. */
  readonly core: object;
  /** The fields of an object, in document order. */
  fields(): ReadonlyMap<string, SchemaNode>;
  /** The names of fields that every such object has. */
  required(): ReadonlySet<string>;
  /** The elements of an array. Undefined if they may be anything. */
  items(): SchemaNode | undefined;
  /** The values of a map, under names that the document does not list. */
  values(): SchemaNode | undefined;
}

/** A type that the six tokens cannot express. */
export interface OpaqueNode extends Flaw {
  readonly is: 'opaque';
  /** Equal for types that are written alike. Undefined if a part cannot be reached: then types cannot be compared. */
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

/** The nullable variant of a type. */
export function orNull(node: SchemaNode): SchemaNode {
  if (node.is === 'value') return node.nullable ? node : { ...node, nullable: true };
  return { ...node, fingerprint: () => prefixed(node.fingerprint()) };
}

function prefixed(text: string | undefined): string | undefined {
  return text === undefined ? undefined : `null or ${text}`;
}

/** Computes a value on the first call and keeps it. */
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

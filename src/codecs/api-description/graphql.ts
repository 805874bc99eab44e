import type { FieldDefinitionNode, InputValueDefinitionNode, ListTypeNode, NamedTypeNode, TypeNode } from 'graphql';
import { parse } from 'graphql/language/parser.js';
import { print } from 'graphql/language/printer.js';
import {
  type DecodedDescription,
  type NodeToken,
  type Operation,
  orNull,
  type SchemaNode,
  valueNode,
} from './description.ts';
import { type GraphqlTypes, gatherTypes } from './graphql-types.ts';

/** No schema written by people has more. */
const MAX_TOKENS = 1_000_000;
const TOO_DEEP = 'it is nested more than 200 deep';
/** Nesting that would exhaust the stack of the parser: lists of lists, values within values. */
const DEEP = /(?:[[{]\s*(?:\w+\s*:\s*)?){200}/;
const SCALARS: Readonly<Record<string, NodeToken>> = {
  String: 'string',
  ID: 'string',
  Int: 'number',
  Float: 'number',
  Boolean: 'boolean',
  // Not part of the language, but always texts in practice.
  DateTime: 'string',
  Date: 'string',
  Time: 'string',
  URL: 'string',
  URI: 'string',
  UUID: 'string',
};

/**
 * A GraphQL schema (SDL). Each field of a root type is an operation; pointers refer to the response: `/data/orders/0/id`.
 *
 * Spec: https://spec.graphql.org/October2021/
 */
export function decodeGraphql(text: string): DecodedDescription {
  let types: GraphqlTypes;
  if (DEEP.test(text)) return { ok: false, flaw: { place: '', reason: TOO_DEEP } };
  try {
    types = gatherTypes(parse(text, { maxTokens: MAX_TOKENS }));
  } catch (error) {
    if (error instanceof RangeError) return { ok: false, flaw: { place: '', reason: TOO_DEEP } };
    const reason = error instanceof Error ? error.message : String(error);
    return { ok: false, flaw: { place: '', reason: `it is not a GraphQL schema (${reason})` } };
  }
  if (types.problem !== undefined) return { ok: false, flaw: types.problem };
  const operations = types.roots.flatMap(({ kind, typeName }) => operationsOf(kind, typeName, types));
  if (operations.length === 0)
    return { ok: false, flaw: { place: '', reason: 'it has no Query, Mutation or Subscription' } };
  return { ok: true, value: { format: 'graphql', operations } };
}

function operationsOf(kind: string, typeName: string, types: GraphqlTypes): Operation[] {
  const output = createOutputReader(types);
  const input = createInputReader(types);
  return [...(types.fields.get(typeName)?.values() ?? [])].map((field): Operation => {
    const name = `${kind}.${field.name.value}`;
    const answer = () => new Map([[field.name.value, output(field.type, name)]]);
    const sent = field.arguments ?? [];
    return {
      endpointId: `graphql:${name}`,
      protocol: 'graphql',
      operation: name,
      responses: [{ name: 'data', node: objectOf(() => new Map([['data', objectOf(answer)]])) }],
      ...(sent.length > 0 && { request: inputObject(sent, input, name) }),
      traits: {},
      presence: () => 'selected',
    };
  });
}

/** Reads types of responses. A union or an interface becomes one object with the fields of all its members. */
function createOutputReader(types: GraphqlTypes): TypeReader {
  const output: TypeReader = createTypeReader((name, place) => {
    const own = types.fields.get(name);
    const members = types.members.get(name);
    if (members !== undefined) {
      const groups = [
        ...(own === undefined ? [] : [own]),
        ...[...members].map((each) => types.fields.get(each) ?? new Map()),
      ];
      return valueNode({
        token: 'object',
        fields: () => joinFields(name, groups, output),
        required: () =>
          new Set([...(groups[0]?.keys() ?? [])].filter((key) => groups.every((group) => group.has(key)))),
      });
    }
    if (own !== undefined)
      return objectOf(() => mapOf(own.values(), ({ type, name: { value } }) => output(type, `${name}.${value}`)));
    return simpleType(name, types) ?? opaque(place, `the type ${name} is not in the schema`, undefined);
  });
  return output;
}

type FieldsOfType = ReadonlyMap<string, FieldDefinitionNode>;

/** If two members give a field different types, its type is unknown. */
function joinFields(
  typeName: string,
  groups: readonly FieldsOfType[],
  output: TypeReader,
): ReadonlyMap<string, SchemaNode> {
  const joined = new Map<string, SchemaNode>();
  const texts = new Map<string, string>();
  for (const field of groups.flatMap((group) => [...group.values()])) {
    const name = field.name.value;
    const place = `${typeName}.${name}`;
    const text = print(field.type);
    const before = texts.get(name);
    texts.set(name, before ?? text);
    if (before === undefined) joined.set(name, output(field.type, place));
    else if (before !== text) joined.set(name, opaque(place, 'its members give it different types', undefined));
  }
  return joined;
}

function createInputReader(types: GraphqlTypes): TypeReader {
  const input: TypeReader = createTypeReader((name, place) => {
    const fields = types.inputs.get(name);
    if (fields !== undefined) return inputObject([...fields.values()], input, name);
    return simpleType(name, types) ?? opaque(place, `the type ${name} is not in the schema`, undefined);
  });
  return input;
}

function inputObject(fields: readonly InputValueDefinitionNode[], input: TypeReader, place: string): SchemaNode {
  return valueNode({
    token: 'object',
    fields: () => mapOf(fields, ({ type, name: { value } }) => input(type, `${place}.${value}`)),
    required: () => new Set(fields.filter(isRequired).map(({ name: { value } }) => value)),
  });
}

type TypeReader = (type: TypeNode, place: string) => SchemaNode;

/** Reads lists and `!` around named types. Makes one object per type of the schema, because types refer to each other. */
function createTypeReader(named: (name: string, place: string) => SchemaNode): TypeReader {
  const known = new Map<string, SchemaNode>();
  return read;

  function read(type: TypeNode, place: string): SchemaNode {
    return type.kind === 'NonNullType' ? bare(type.type, place) : orNull(bare(type, place));
  }

  function bare(type: NamedTypeNode | ListTypeNode, place: string): SchemaNode {
    if (type.kind === 'ListType') return valueNode({ token: 'array', items: () => read(type.type, place) });
    const name = type.name.value;
    const node = known.get(name) ?? named(name, place);
    known.set(name, node);
    return node;
  }
}

/** Undefined if the name is not that of a scalar or an enum. The JSON form of a custom scalar is unknown. */
function simpleType(name: string, { enums, scalars, fields, inputs }: GraphqlTypes): SchemaNode | undefined {
  if (fields.has(name) || inputs.has(name)) return undefined;
  if (enums.has(name)) return valueNode({ token: 'string' });
  if (Object.hasOwn(SCALARS, name)) return valueNode({ token: SCALARS[name] ?? 'any' });
  return scalars.has(name)
    ? opaque(name, `what the scalar ${name} looks like is not told`, `scalar ${name}`)
    : undefined;
}

function isRequired({ type, defaultValue }: InputValueDefinitionNode): boolean {
  return type.kind === 'NonNullType' && defaultValue === undefined;
}

function mapOf<Field extends FieldDefinitionNode | InputValueDefinitionNode>(
  fields: Iterable<Field>,
  nodeOf: (field: Field) => SchemaNode,
): ReadonlyMap<string, SchemaNode> {
  return new Map([...fields].map((field) => [field.name.value, nodeOf(field)]));
}

/** Every selected field is present. */
function objectOf(fields: () => ReadonlyMap<string, SchemaNode>): SchemaNode {
  return valueNode({ token: 'object', fields, required: () => new Set(fields().keys()) });
}

function opaque(place: string, reason: string, text: string | undefined): SchemaNode {
  return { is: 'opaque', place, reason, fingerprint: () => text };
}

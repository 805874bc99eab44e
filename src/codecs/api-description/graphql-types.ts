import type {
  DefinitionNode,
  DocumentNode,
  FieldDefinitionNode,
  InputValueDefinitionNode,
  SchemaDefinitionNode,
  SchemaExtensionNode,
} from 'graphql';
import type { Flaw } from './description.ts';

type Fields<Field> = ReadonlyMap<string, Field>;

/** The definitions of a schema by name, including additions by `extend`. */
export interface GraphqlTypes {
  /** The fields of object types and interfaces. */
  readonly fields: ReadonlyMap<string, Fields<FieldDefinitionNode>>;
  readonly inputs: ReadonlyMap<string, Fields<InputValueDefinitionNode>>;
  readonly enums: ReadonlySet<string>;
  readonly scalars: ReadonlySet<string>;
  /** The names of the members of unions, and of the types that implement an interface. */
  readonly members: ReadonlyMap<string, ReadonlySet<string>>;
  /** `kind` is Query, Mutation or Subscription, whatever the type is called. */
  readonly roots: readonly { readonly kind: string; readonly typeName: string }[];
  /** Why it is not a valid schema. */
  readonly problem?: Flaw;
}

const KINDS = { query: 'Query', mutation: 'Mutation', subscription: 'Subscription' } as const;

export function gatherTypes({ definitions }: DocumentNode): GraphqlTypes {
  const gathering = new TypeGathering();
  for (const definition of definitions) gathering.take(definition);
  return gathering.types();
}

class TypeGathering {
  readonly #fields = new Map<string, Map<string, FieldDefinitionNode>>();
  readonly #inputs = new Map<string, Map<string, InputValueDefinitionNode>>();
  readonly #enums = new Set<string>();
  readonly #scalars = new Set<string>();
  readonly #members = new Map<string, Set<string>>();
  readonly #schemas: (SchemaDefinitionNode | SchemaExtensionNode)[] = [];
  #problem: Flaw | undefined;

  types(): GraphqlTypes {
    return {
      fields: this.#fields,
      inputs: this.#inputs,
      enums: this.#enums,
      scalars: this.#scalars,
      members: this.#members,
      roots: rootsOf(this.#schemas, this.#fields),
      ...(this.#problem !== undefined && { problem: this.#problem }),
    };
  }

  take(definition: DefinitionNode): void {
    switch (definition.kind) {
      case 'ObjectTypeDefinition':
      case 'ObjectTypeExtension':
      case 'InterfaceTypeDefinition':
      case 'InterfaceTypeExtension':
        for (const { name } of definition.interfaces ?? []) this.#addMembers(name.value, [definition.name.value]);
        this.#addTo(this.#fields, definition.name.value, definition.fields ?? []);
        return;
      case 'InputObjectTypeDefinition':
      case 'InputObjectTypeExtension':
        this.#addTo(this.#inputs, definition.name.value, definition.fields ?? []);
        return;
      case 'EnumTypeDefinition':
      case 'EnumTypeExtension':
        this.#enums.add(definition.name.value);
        return;
      case 'ScalarTypeDefinition':
      case 'ScalarTypeExtension':
        this.#scalars.add(definition.name.value);
        return;
      case 'UnionTypeDefinition':
      case 'UnionTypeExtension':
        this.#addMembers(
          definition.name.value,
          (definition.types ?? []).map(({ name }) => name.value),
        );
        return;
      case 'SchemaDefinition':
      case 'SchemaExtension':
        this.#schemas.push(definition);
        return;
      case 'DirectiveDefinition':
        return;
      default:
        this.#problem ??= { place: definition.kind, reason: 'it holds a query, and is not a schema' };
    }
  }

  #addMembers(typeName: string, added: readonly string[]): void {
    const known = this.#members.get(typeName) ?? new Set();
    for (const name of added) known.add(name);
    this.#members.set(typeName, known);
  }

  #addTo<Field extends FieldDefinitionNode | InputValueDefinitionNode>(
    known: Map<string, Map<string, Field>>,
    typeName: string,
    added: readonly Field[],
  ): void {
    const of = known.get(typeName) ?? new Map<string, Field>();
    for (const field of added) {
      const name = field.name.value;
      if (of.has(name)) this.#problem ??= { place: `${typeName}.${name}`, reason: 'it is defined twice' };
      of.set(name, field);
    }
    known.set(typeName, of);
  }
}

function rootsOf(
  schemas: readonly (SchemaDefinitionNode | SchemaExtensionNode)[],
  fields: ReadonlyMap<string, unknown>,
): GraphqlTypes['roots'] {
  const named = schemas.flatMap(({ operationTypes = [] }) => operationTypes);
  if (schemas.some(({ kind }) => kind === 'SchemaDefinition')) {
    return named.map(({ operation, type }) => ({ kind: KINDS[operation], typeName: type.name.value }));
  }
  const usual = Object.values(KINDS).filter((kind) => fields.has(kind));
  return usual.map((kind) => ({ kind, typeName: kind }));
}

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSource, type SyntaxNode } from '../../scripts/measure-source.mjs';

/** A name, in the file that declares or re-exports it. */
interface NamePlace {
  readonly file: string;
  readonly name: string;
}

interface Declared extends NamePlace {
  readonly node: SyntaxNode;
}

interface ReadFile {
  /** The exports of the file by their public names: its own, and re-exports. */
  readonly exported: ReadonlyMap<string, NamePlace>;
  readonly declared: ReadonlyMap<string, SyntaxNode>;
  /** The imports and re-exports from our other files, by their local names. */
  readonly others: ReadonlyMap<string, NamePlace>;
}

/** A type that an importer of a file encounters but cannot import from it. */
export interface MissingType {
  readonly type: string;
  /** The export that uses it. */
  readonly by: string;
}

const files = new Map<string, ReadFile>();

/**
 * All our types that the exports of a file use, directly or through other types, and that the file does not export.
 *
 * Inferred types cannot be followed: for a function without a return type, `(inferred)` is missing.
 */
export function missingTypes(file: string): readonly MissingType[] {
  const left = exportsOf(file);
  const seen = new Set(left.map(keyOf));
  const missing: MissingType[] = [];
  for (let each = left.shift(); each !== undefined; each = left.shift()) {
    for (const name of spokenNames(each.node)) {
      if (name === INFERRED) missing.push({ type: name, by: each.name });
      const place = declaredAt({ file: each.file, name });
      if (place === undefined || seen.has(keyOf(place))) continue;
      seen.add(keyOf(place));
      left.push(place);
      // For a value (`typeof WORDS`), only its type matters.
      if (isType(place.node)) missing.push({ type: place.name, by: each.name });
    }
  }
  return missing;
}

/** The public names of a file's exports. */
export function exportedNames(file: string): readonly string[] {
  return [...readFile(file).exported.keys()];
}

/** The declarations of a file's exports. */
export function exportsOf(file: string): Declared[] {
  return [...readFile(file).exported.values()].flatMap((place) => declaredAt(place) ?? []);
}

function keyOf({ file, name }: NamePlace): string {
  return `${file} ${name}`;
}

function isType({ type }: SyntaxNode): boolean {
  return type === 'TSInterfaceDeclaration' || type === 'TSTypeAliasDeclaration' || type === 'ClassDeclaration';
}

/** Where a name is declared, through files that only re-export it. Undefined for foreign names. */
function declaredAt({ file, name }: NamePlace): Declared | undefined {
  if (!existsSync(file)) return undefined;
  const { declared, others } = readFile(file);
  const node = declared.get(name);
  if (node !== undefined) return { file, name, node };
  const next = others.get(name);
  return next && declaredAt(next);
}

function readFile(file: string): ReadFile {
  const known = files.get(file);
  if (known !== undefined) return known;
  const exported = new Map<string, NamePlace>();
  const declared = new Map<string, SyntaxNode>();
  const others = new Map<string, NamePlace>();
  for (const statement of parseSource(file, readFileSync(file, 'utf8')).body) {
    const isExport = statement.type.startsWith('Export');
    const from = fileAt(statement, file);
    if (statement.type === 'ExportAllDeclaration' && from !== undefined) {
      for (const [alias, place] of readFile(from).exported) exported.set(alias, place);
    }
    for (const specifier of nodesOf(statement.specifiers)) {
      const [own, alias] = isExport
        ? [nameOf(specifier.local), nameOf(specifier.exported)]
        : [nameOf(specifier.imported), nameOf(specifier.local)];
      const place = { file: from ?? file, name: own };
      if (from !== undefined) others.set(alias, place);
      if (isExport) exported.set(alias, place);
    }
    for (const [name, node] of declarationsOf((statement.declaration as SyntaxNode | null | undefined) ?? statement)) {
      declared.set(name, node);
      if (isExport) exported.set(name, { file, name });
    }
  }
  const read = { exported, declared, others };
  files.set(file, read);
  return read;
}

/** Our file from which a statement imports or re-exports. */
function fileAt({ source }: SyntaxNode, file: string): string | undefined {
  const { value = '' } = (source ?? {}) as { readonly value?: string };
  return value.startsWith('.') ? join(dirname(file), value) : undefined;
}

function declarationsOf(statement: SyntaxNode): readonly (readonly [string, SyntaxNode])[] {
  if (statement.type === 'VariableDeclaration') {
    return nodesOf(statement.declarations).map((node) => [nameOf(node.id), node] as const);
  }
  return statement.id ? [[nameOf(statement.id), statement]] : [];
}

function nameOf(node: unknown): string {
  return (node as { readonly name?: string } | null | undefined)?.name ?? '';
}

function nodesOf(value: unknown): readonly SyntaxNode[] {
  return (Array.isArray(value) ? value : [value]).filter((item) => typeof item?.type === 'string');
}

const INFERRED = '(inferred)';

/** The field that importers of a declaration do not see: code, and default values. */
const HIDDEN: Readonly<Record<string, string>> = {
  FunctionDeclaration: 'body',
  FunctionExpression: 'body',
  ArrowFunctionExpression: 'body',
  AssignmentPattern: 'right',
};

/** The value of a field or constant: it matters only if its type is not written. */
const VALUE: Readonly<Record<string, string>> = { VariableDeclarator: 'init', PropertyDefinition: 'value' };

/** The fields that name a type, or something that returns one, by node type. */
const NAMING: Readonly<Record<string, string>> = {
  TSTypeReference: 'typeName',
  TSTypeQuery: 'exprName',
  TSInterfaceHeritage: 'expression',
  TSClassImplements: 'expression',
  ClassDeclaration: 'superClass',
  CallExpression: 'callee',
  NewExpression: 'callee',
};

/** The type names in the public part of a declaration. */
function spokenNames(declaration: SyntaxNode): ReadonlySet<string> {
  const found = new Set<string>();
  const walk = (node: SyntaxNode) => {
    if (isPrivate(node)) return;
    const naming = NAMING[node.type];
    if (naming !== undefined) found.add(nameOf(node[naming]));
    if (isInferred(node)) found.add(INFERRED);
    const hidden = isTyped(node) ? VALUE[node.type] : HIDDEN[node.type];
    for (const [field, value] of Object.entries(node)) if (field !== hidden) nodesOf(value).forEach(walk);
  };
  walk(declaration);
  return found;
}

function isTyped({ id, typeAnnotation }: SyntaxNode): boolean {
  return Boolean(typeAnnotation ?? nodesOf(id)[0]?.typeAnnotation);
}

/** A member that only its class can use. */
function isPrivate({ key, accessibility }: SyntaxNode): boolean {
  return accessibility === 'private' || nodesOf(key)[0]?.type === 'PrivateIdentifier';
}

const FUNCTIONS = new Set(['FunctionDeclaration', 'ArrowFunctionExpression']);

/** Whether only the compiler knows the type of something public. */
function isInferred({ type, kind, value, returnType }: SyntaxNode): boolean {
  if (type !== 'MethodDefinition') return FUNCTIONS.has(type) && !returnType;
  return (kind === 'method' || kind === 'get') && !nodesOf(value)[0]?.returnType;
}

import { isRecord } from '../primitives/json-record.ts';
import { findLocal } from './json-tree.ts';

/** Keywords that only inform people and constrain nothing. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'example',
  'examples',
  'externalDocs',
  'deprecated',
  '$comment',
  'xml',
]);
/** Keywords whose keys are names, and whose values are schemas. */
const MAPS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'definitions',
]);
/** Keywords whose values are data. */
const DATA: ReadonlySet<string> = new Set(['enum', 'const', 'required', 'type']);
const MAX_REFERENCES = 2000;

/** The same text for schemas written with the same keywords, including all that they refer to. Undefined if a reference cannot be followed. */
export function schemaFingerprintOf(schema: unknown, root: unknown): string | undefined {
  const definitions = new Map<string, unknown>();
  let outOfReach = false;
  const text = plain(schema);
  for (const [reference] of definitions) {
    const found = findLocal(root, reference);
    if (found === undefined || definitions.size > MAX_REFERENCES) return undefined;
    definitions.set(reference, plain(found.value));
  }
  return outOfReach ? undefined : JSON.stringify([text, [...definitions].sort(byName)]);

  function plain(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(plain);
    if (!isRecord(value)) return value;
    const kept = Object.entries(value).filter(([key]) => !ANNOTATIONS.has(key) && !key.startsWith('x-'));
    return Object.fromEntries(kept.sort(byName).map(([key, member]) => [key, plainMember(key, member)]));
  }

  function plainMember(key: string, member: unknown): unknown {
    if (DATA.has(key)) return member;
    if (MAPS.has(key) && isRecord(member)) {
      return Object.fromEntries(
        Object.entries(member)
          .sort(byName)
          .map(([name, schemaOf]) => [name, plain(schemaOf)]),
      );
    }
    if (key === '$dynamicRef' || key === '$recursiveRef') outOfReach = true;
    if (key === '$ref' && typeof member === 'string' && !definitions.has(member)) definitions.set(member, undefined);
    return plain(member);
  }
}

/** Whether a schema, or one that it refers to, lists a field as required. */
export function statesRequired(schema: unknown, root: unknown): boolean {
  const seen = new Set<unknown>();
  const open: unknown[] = [schema];
  for (let value = open.pop(); open.length > 0 || value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null || seen.has(value)) continue;
    seen.add(value);
    if (isRecord(value)) {
      if (Array.isArray(value.required) && value.required.length > 0) return true;
      if (typeof value.$ref === 'string') open.push(findLocal(root, value.$ref)?.value);
    }
    for (const member of Object.values(value)) open.push(member);
  }
  return false;
}

function byName([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  return left < right ? -1 : 1;
}

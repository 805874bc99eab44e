/** Safe access to the values of a parsed document. */

import { isRecord, type JsonRecord } from '../primitives/json-record.ts';

/** The value of an own key. Ignores the prototype. */
export function get(value: unknown, key: string): unknown {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

export function getText(value: unknown, key: string): string | undefined {
  const text = get(value, key);
  return typeof text === 'string' ? text : undefined;
}

/** In YAML, a version without quotes is a number. */
export function getVersion(value: unknown): string | undefined {
  const version = get(value, 'version');
  return typeof version === 'number' ? String(version) : getText(value, 'version');
}

export function getObject(value: unknown, key: string): JsonRecord {
  const found = get(value, key);
  return isRecord(found) ? found : {};
}

export function getList(value: unknown, key: string): readonly unknown[] {
  const found = get(value, key);
  return Array.isArray(found) ? found : [];
}

export function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** One step of a JSON Pointer (RFC 6901). */
export function escapeStep(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The value that a reference within the document names (`#/components/schemas/Order`). Undefined if it does not exist. */
export function findLocal(root: unknown, reference: string): { readonly value: unknown } | undefined {
  if (reference === '#') return { value: root };
  if (!reference.startsWith('#/')) return undefined;
  let value = root;
  for (const step of reference.slice(2).split('/')) {
    const key = decodeStep(step);
    if (key === undefined || typeof value !== 'object' || value === null || !Object.hasOwn(value, key))
      return undefined;
    // For an array, the key is an index.
    value = (value as Record<string, unknown>)[key];
  }
  return { value };
}

function decodeStep(step: string): string | undefined {
  try {
    return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
  } catch {
    return undefined;
  }
}

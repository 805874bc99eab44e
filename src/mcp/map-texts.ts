import type { ToolObject } from './tool-json.ts';

/** A value with every text mapped, or only those under these keys. */
export function mapTexts(value: object, map: (text: string) => string, keys?: readonly string[]): ToolObject {
  return JSON.parse(JSON.stringify(value), (key, item: unknown) => {
    const isWanted = keys === undefined || keys.includes(key);
    return typeof item === 'string' && isWanted ? map(item) : item;
  });
}

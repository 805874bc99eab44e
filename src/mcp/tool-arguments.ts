import { ToolRefusal } from '../errors/tool-refusal.ts';
import type { ToolObject, ToolValue } from './tool-json.ts';

type Decode<T> = (value: ToolValue, name: string) => T;
type Shape = Readonly<Record<string, Decode<unknown>>>;
type Arguments<S extends Shape> = { readonly [Name in keyof S]?: ReturnType<S[Name]> };

export const MAX_URL = 2048;
const CONTROL = /[\p{Cc}\p{Surrogate}]/u;

/** Decodes the arguments of a call. An unknown argument is refused, and null counts as absent. */
export function argumentsOf<S extends Shape>(shape: S, given: ToolObject): Arguments<S> {
  const names = Object.keys(shape);
  const unknown = Object.keys(given).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const known = names.length === 0 ? 'It takes none.' : `It takes ${names.join(', ')}.`;
    throw new ToolRefusal(`An argument of this call is unknown to the tool. ${known}`);
  }
  const decoded: Record<string, unknown> = {};
  for (const [name, decode] of Object.entries(shape)) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value !== undefined && value !== null) decoded[name] = decode(value, name);
  }
  return decoded as Arguments<S>;
}

export function required<T>(value: T | undefined, name: string): T {
  if (value !== undefined) return value;
  throw new ToolRefusal(`The argument "${name}" is missing. Give it.`);
}

/** Text on one line. */
export function line(maxLength: number, minLength = 1): Decode<string> {
  return (value, name) => {
    if (typeof value === 'string' && value.length >= minLength && value.length <= maxLength && !CONTROL.test(value)) {
      return value;
    }
    throw new ToolRefusal(
      `The argument "${name}" is refused. Give a text of ${minLength} to ${maxLength} characters without control characters.`,
    );
  };
}

export function countBetween(least: number, most: number): Decode<number> {
  return (value, name) => {
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most) return value;
    throw new ToolRefusal(`The argument "${name}" is refused. Give a whole number from ${least} to ${most}.`);
  };
}

export const yesOrNo: Decode<boolean> = (value, name) => {
  if (typeof value === 'boolean') return value;
  throw new ToolRefusal(`The argument "${name}" is refused. Give true or false.`);
};

/** An absolute web URL, unchanged. */
export const siteUrl: Decode<string> = (value, name) => {
  const text = line(MAX_URL)(value, name);
  const url = parsedUrl(text);
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (url === undefined || !isWeb) {
    throw new ToolRefusal(`The argument "${name}" is refused. Give an absolute address that begins with https://.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new ToolRefusal(`The argument "${name}" is refused. Give the address without a user name or password.`);
  }
  return text;
};

function parsedUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

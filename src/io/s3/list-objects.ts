import { readXml } from '../../codecs/primitives/guarded-xml.ts';
import type { TargetFile } from '../../hub/export/export-target.ts';

export interface ObjectList {
  readonly objects: readonly (TargetFile & { readonly key: string })[];
  /** Where the list continues; undefined at its end. */
  readonly next: string | undefined;
}

const MAX_CHARACTERS = 16 * 1024 * 1024;

/** The answer of ListObjectsV2; undefined for anything else. Keys are encoded, as requested. */
export function decodeObjectList(xml: string): ObjectList | undefined {
  const objects: (TargetFile & { readonly key: string })[] = [];
  const texts = readTexts(xml, (path, inside) => {
    if (path !== 'ListBucketResult/Contents') return;
    const [key, etag, size] = ['Key', 'ETag', 'Size'].map((name) => inside.get(name));
    if (key === undefined || size === undefined) return;
    objects.push({ key: decodedKey(key), bytes: Number(size), stamp: (etag ?? '').replaceAll('"', '') });
  });
  if (texts?.root !== 'ListBucketResult') return undefined;
  const { NextContinuationToken: next } = Object.fromEntries(texts.top);
  return { objects, next };
}

/** The code in an error of S3: `AccessDenied`. */
export function decodeErrorCode(xml: string): string | undefined {
  const texts = readTexts(xml, () => {});
  return texts?.root === 'Error' ? texts.top.get('Code')?.slice(0, 100) : undefined;
}

/** The texts of a document, by the names of their elements. `onEnd` hears of each element, and of the texts of those right below it. */
function readTexts(xml: string, onEnd: (path: string, inside: ReadonlyMap<string, string>) => void) {
  const names: string[] = [];
  const inside: Map<string, string>[] = [new Map()];
  let root: string | undefined;
  let text = '';
  let top: ReadonlyMap<string, string> = new Map();
  const add = (piece: string) => {
    text += piece;
  };
  const read = readXml(xml, { maxCharacters: MAX_CHARACTERS }, 'S3', {
    open({ local }) {
      root ??= local;
      names.push(local);
      inside.push(new Map());
      text = '';
    },
    close() {
      const path = names.join('/');
      const name = names.pop() ?? '';
      const texts = inside.pop() ?? new Map<string, string>();
      onEnd(path, texts);
      if (names.length === 0) top = texts;
      inside.at(-1)?.set(name, text);
      text = '';
    },
    text: add,
    cdata: add,
  });
  return read.ok ? { root, top } : undefined;
}

function decodedKey(key: string): string {
  try {
    return decodeURIComponent(key.replaceAll('+', ' '));
  } catch {
    return key;
  }
}

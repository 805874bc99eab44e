import { ZIP_DOUBLE, ZIP_NAME, ZipFlaw } from './wire.ts';

const MAX_NAME_BYTES = 1024;
const MAX_SHOWN = 120;

/** The name of an entry. Throws a {@link ZipFlaw} for a name that could lead out of a folder, or hide what it is. */
export function decodeEntryName(bytes: Uint8Array): string {
  if (bytes.length > MAX_NAME_BYTES) throw new ZipFlaw(ZIP_NAME, `A name is over ${MAX_NAME_BYTES} bytes long.`);
  let name: string;
  try {
    name = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ZipFlaw(ZIP_NAME, 'A name is not UTF-8.');
  }
  const flaw = flawOfName(name);
  if (flaw !== undefined) throw new ZipFlaw(ZIP_NAME, `The name ${shownName(name)} ${flaw}.`);
  return name;
}

/** Why a name is not safe to join to a folder, on any system. */
export function flawOfName(name: string): string | undefined {
  if (name === '') return 'is empty';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for.
  if (/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/.test(name)) return 'has control characters';
  if (name.includes('\\')) return 'has a backslash, which is a slash on some systems';
  if (name.startsWith('/')) return 'is absolute';
  if (/^[a-z]:/i.test(name)) return 'begins with a drive letter';
  const parts = name.replace(/\/$/, '').split('/');
  if (parts.includes('..')) return 'leads out of the archive';
  if (parts.includes('.') || parts.includes('')) return 'has parts that name nothing';
  return undefined;
}

/**
 * Throws a {@link ZipFlaw} if two names are the same on a disk that ignores case or Unicode normalization, or if a file is also a
 * folder.
 */
export function refuseDoubles(entries: readonly { readonly name: string; readonly isFolder: boolean }[]): void {
  const seen = new Set<string>();
  const folders = new Set<string>();
  for (const { name } of entries) {
    const key = foldedName(name.replace(/\/$/, ''));
    if (seen.has(key)) throw new ZipFlaw(ZIP_DOUBLE, `The name ${shownName(name)} is there twice.`);
    seen.add(key);
    for (
      let end = key.lastIndexOf('/');
      end > 0 && !folders.has(key.slice(0, end));
      end = key.lastIndexOf('/', end - 1)
    ) {
      folders.add(key.slice(0, end));
    }
  }
  const both = entries.find(({ name, isFolder }) => !isFolder && folders.has(foldedName(name)));
  if (both !== undefined) throw new ZipFlaw(ZIP_DOUBLE, `${shownName(both.name)} is a file and a folder.`);
}

/** Equal for names that some file system treats as one. */
function foldedName(name: string): string {
  return name.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}

/** For messages: printable, and not long. */
export function shownName(name: string): string {
  return JSON.stringify(name.length > MAX_SHOWN ? `${name.slice(0, MAX_SHOWN)}…` : name).replace(
    /[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

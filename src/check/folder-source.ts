import type { DocumentSource } from '../dialects/document-source.ts';
import { TidingsError } from '../errors/tidings-error.ts';
import { headersFor, parseHeadersFile } from './headers-file.ts';

/** Files by their path below a folder. */
export interface ReadableFolder {
  readonly name: string;
  /** Undefined when there is no such file. */
  read(path: string): Promise<Uint8Array | undefined>;
  /** Undefined when there is no such file. */
  sizeOf?(path: string): number | undefined;
}

/**
 * A published site as a folder. A URL names the file at its path, or at the end of its path if the site is below the root of its host. How files are
 * served is known only from a `_headers` file.
 */
export async function createFolderSource(folder: ReadableFolder): Promise<DocumentSource> {
  const rules = parseHeadersFile(new TextDecoder().decode((await folder.read('_headers')) ?? new Uint8Array()));
  const name = folder.name.replace(/\/+$/, '') || '/';
  return {
    name,
    live: false,

    async read(address, { maxFileBytes = Number.POSITIVE_INFINITY } = {}) {
      const path = new URL(address, 'http://folder/').pathname;
      try {
        for (const file of candidates(path)) {
          const size = maxFileBytes === Number.POSITIVE_INFINITY ? 0 : (folder.sizeOf?.(file) ?? 0);
          if (size > maxFileBytes) {
            const failure = `It has ${size} bytes, and is not read.`;
            return { kind: 'unread', where: `${name}/${file}`, failure, recovery: 'fix-input', isTooLarge: true };
          }
          const bytes = await readFile(folder, file);
          if (bytes === undefined) continue;
          const headers = headersFor(rules, path);
          return { kind: 'answered', where: `${name}/${file}`, status: 200, headers, bytes };
        }
      } catch (error) {
        if (!(error instanceof TidingsError)) throw error;
        const { message: failure, recovery } = error;
        return { kind: 'unread', where: name + path, failure, recovery, cause: error };
      }
      return { kind: 'answered', where: name + path, status: 404, headers: undefined, bytes: new Uint8Array() };
    },
  };
}

/** A folder at the path of a file does not count as a file. */
async function readFile(folder: ReadableFolder, path: string): Promise<Uint8Array | undefined> {
  try {
    return await folder.read(path);
  } catch (error) {
    const cause = error instanceof TidingsError ? error.cause : undefined;
    if (cause instanceof Error && 'code' in cause && cause.code === 'EISDIR') return undefined;
    throw error;
  }
}

/** `/docs/feed.ndjson` → `docs/feed.ndjson`, `feed.ndjson`. None for a path that could leave the folder. */
function candidates(path: string): string[] {
  const names = path.split('/').slice(1).map(decodeName);
  // On some systems a backslash is a path separator.
  if (names.some((name) => name.split('\\').some((part) => /^\.{0,2}$|[/\0]/.test(part)))) return [];
  return names.map((_, index) => names.slice(index).join('/'));
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

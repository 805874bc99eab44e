import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface TestSection {
  readonly id?: string;
  readonly heading: string;
  readonly text: string;
}

/** A documentation page as generators build them: navigation, main content, footer. */
export function htmlPage(title: string, sections: readonly TestSection[]): string {
  const body = sections.map(
    ({ id, heading, text }) => `<h2${id === undefined ? '' : ` id="${id}"`}>${heading}</h2>\n<p>${text}</p>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title} – Docs</title><link rel="stylesheet" href="/theme.css"></head>
<body><nav><a href="/">Home</a> <a href="/about.html">About</a></nav>
<main>
<h1>${title}</h1>
<p>An introduction to ${title}.</p>
${body.join('\n')}
</main>
<footer>© Docs</footer></body></html>
`;
}

export interface TestFolder extends Disposable {
  readonly path: string;
  write(files: Readonly<Record<string, string | Uint8Array>>): void;
  read(path: string): string;
  remove(path: string): void;
  /** Every file with the hash of its bytes. */
  fingerprint(): Record<string, string>;
}

export function temporaryFolder(): TestFolder {
  const path = mkdtempSync(join(tmpdir(), 'tidings-'));
  return {
    path,
    write(files) {
      for (const [name, content] of Object.entries(files)) {
        mkdirSync(dirname(join(path, name)), { recursive: true });
        writeFileSync(join(path, name), content);
      }
    },
    read: (name) => readFileSync(join(path, name), 'utf8'),
    remove: (name) => rmSync(join(path, name), { recursive: true }),
    fingerprint() {
      const files = readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
      const named = files.map((entry) => join(entry.parentPath, entry.name));
      return Object.fromEntries(named.sort().map((file) => [file.slice(path.length + 1), sha256(readFileSync(file))]));
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

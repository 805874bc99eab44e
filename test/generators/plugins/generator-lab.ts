import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

export interface BuildResult {
  readonly code: number | null;
  /** What it wrote to both streams. */
  readonly said: string;
}

export interface GeneratorSite {
  readonly folder: string;
  write(files: Readonly<Record<string, string>>): void;
  replace(file: string, from: string, to: string): void;
  /** Runs a generator as a user does, in the folder of the site. */
  build(program: string, words: readonly string[], env?: Readonly<Record<string, string>>): Promise<BuildResult>;
  /** `create https://docs.example/x/`, `update https://docs.example/x/#install`: what the feed in this folder tells. */
  events(output: string): readonly string[];
  /** The log of the copy that the plugin keeps, or nothing. */
  kept(): string;
  has(path: string): boolean;
}

/** A new site beside the generators, so that it finds them. */
export function generatorSite(generators: string, files: Readonly<Record<string, string>>): GeneratorSite {
  mkdirSync(join(generators, 'sites'), { recursive: true });
  const folder = mkdtempSync(join(generators, 'sites', 'site-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const site: GeneratorSite = {
    folder,

    write(more) {
      for (const [file, text] of Object.entries(more)) {
        mkdirSync(dirname(join(folder, file)), { recursive: true });
        writeFileSync(join(folder, file), text);
      }
    },

    replace(file, from, to) {
      const text = readFileSync(join(folder, file), 'utf8');
      if (!text.includes(from)) throw new Error(`${file} does not say "${from}"`);
      writeFileSync(join(folder, file), text.replace(from, to));
    },

    build: (program, words, env = {}) => run(join(generators, 'node_modules', program), words, { folder, env }),

    events(output) {
      const feed = join(folder, output, 'ai-changes.ndjson');
      if (!existsSync(feed)) return [];
      const lines = readFileSync(feed, 'utf8').trim().split('\n');
      return lines.map((line) => {
        const { action, url, anchor } = JSON.parse(line);
        return `${action} ${url}${anchor === undefined ? '' : `#${anchor}`}`;
      });
    },

    kept() {
      const copies = join(folder, '.tidings/published');
      const [place] = existsSync(copies) ? readdirSync(copies) : [];
      return place === undefined ? '' : readFileSync(join(copies, place, '.well-known/tidings/log.ndjson'), 'utf8');
    },

    has: (path) => existsSync(join(folder, path)),
  };
  site.write(files);
  return site;
}

function run(
  program: string,
  words: readonly string[],
  { folder, env }: { readonly folder: string; readonly env: Readonly<Record<string, string>> },
): Promise<BuildResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...words], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 500_000,
      // Nothing of what the tests run in: generators build otherwise where it says so.
      env: { PATH: process.env.PATH, HOME: folder, NO_COLOR: '1', ASTRO_TELEMETRY_DISABLED: '1', ...env },
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
    }
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, said }));
  });
}

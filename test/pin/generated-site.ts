import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What an author does to a site in one sitting. */
export type Edit =
  | 'create'
  | 'update'
  | 'delete'
  | 'add-section'
  | 'remove-section'
  | 'rename-section'
  | 'edit-two-sections'
  | 'title'
  | 'introduction';

interface Section {
  readonly id: string;
  heading: string;
  text: string;
}

interface Page {
  readonly path: string;
  title: string;
  introduction: string;
  readonly sections: Section[];
}

const WORDS =
  'anchor basin cedar delta ember fjord grove harbour island jetty kelp lantern meadow north orchard pebble quarry ridge spring tide umber valley willow yarrow zephyr Größe café 日本'.split(
    ' ',
  );
const FOLDERS = ['', 'guides/', 'notes/'];

/** A site of HTML files whose whole history follows from its seed. */
export class GeneratedSite {
  readonly #pages: Page[] = [];
  readonly #random: () => number;
  #made = 0;

  constructor(seed: number, pages: number) {
    this.#random = seededRandom(seed);
    this.#add('index.html');
    for (let count = 1; count < pages; count += 1) this.#add();
  }

  apply(edit: Edit): void {
    const page = this.#pick(this.#pages);
    if (edit === 'create') this.#add();
    if (edit === 'delete') this.#drop();
    if (edit === 'title') page.title = `${page.title} ${this.#pick(WORDS)}`;
    if (edit === 'introduction') page.introduction = this.#sentence();
    if (edit === 'add-section') page.sections.splice(1, 0, this.#section());
    if (edit === 'remove-section' && page.sections.length > 1) page.sections.pop();
    if (edit === 'rename-section') this.#pick(page.sections).heading = this.#heading();
    if (edit === 'update') this.#pick(page.sections).text = this.#sentence();
    if (edit === 'edit-two-sections') for (const section of page.sections.slice(0, 2)) section.text = this.#sentence();
  }

  /** Every page, by its path. */
  files(): ReadonlyMap<string, string> {
    return new Map(this.#pages.map((page) => [page.path, htmlOf(page)]));
  }

  /** Makes the HTML files of a folder those of the site; the names are what was there before. */
  write(folder: string, before: Iterable<string> = []): void {
    const files = this.files();
    for (const path of before) if (!files.has(path)) rmSync(join(folder, path));
    for (const [path, html] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), html);
    }
  }

  #add(path?: string): void {
    this.#made += 1;
    const name = `${this.#pick(FOLDERS)}page-${this.#made}.html`;
    const sections = [this.#section(), this.#section(), this.#section()];
    const title = `${this.#heading()} & more`;
    this.#pages.push({ path: path ?? name, title, introduction: this.#sentence(), sections });
  }

  /** Never the first page, which is the front of the site. */
  #drop(): void {
    if (this.#pages.length > 2) this.#pages.splice(1 + Math.floor(this.#random() * (this.#pages.length - 1)), 1);
  }

  #section(): Section {
    this.#made += 1;
    return { id: `part-${this.#made}`, heading: this.#heading(), text: this.#sentence() };
  }

  #heading(): string {
    return `${this.#pick(WORDS)} ${this.#pick(WORDS)}`;
  }

  #sentence(): string {
    const words = Array.from({ length: 6 + Math.floor(this.#random() * 12) }, () => this.#pick(WORDS));
    return `${words.join(' ')} <code>x &lt; ${Math.floor(this.#random() * 1000)}</code>.`;
  }

  #pick<T>(all: readonly T[]): T {
    const one = all[Math.floor(this.#random() * all.length)];
    if (one === undefined) throw new Error('There is nothing to choose from.');
    return one;
  }
}

function htmlOf({ path, title, introduction, sections }: Page): string {
  // Half of the pages leave the names of their sections to the extractor.
  const hasIds = path.length % 2 === 0;
  const parts = sections.map(
    ({ id, heading, text }) =>
      `<h2${hasIds ? ` id="${id}"` : ''}>${heading}</h2>\n<p>${text}</p>\n<ul><li>${heading}</li><li><a href="/index.html">home</a></li></ul>`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title.replace('&', '&amp;')} – Generated</title></head>
<body><nav><a href="/">Home</a></nav><main><h1>${title.replace('&', '&amp;')}</h1><p>${introduction}</p>
${parts.join('\n')}
</main><footer>© Generated</footer></body></html>
`;
}

/** Mulberry32: numbers from 0 up to, not including, 1, the same for a seed on every machine. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

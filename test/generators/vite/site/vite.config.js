import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineConfig } from 'vite';

const at = (path) => resolve(import.meta.dirname, path);
const pagesIn = (folder) => readdirSync(at(folder)).filter((name) => name.endsWith('.html')).map((name) => at(`${folder}/${name}`));
const edition = JSON.parse(readFileSync(at('edition.json'), 'utf8'));

/** The head and the foot of every page come from two files. */
const parts = {
  name: 'parts',
  transformIndexHtml: {
    order: 'pre',
    handler: (html) =>
      html
        .replace(/<!-- (header|footer) -->/g, (_, part) => readFileSync(at(`parts/${part}.html`), 'utf8'))
        .replaceAll('%SITE%', `Umeå Instruments ${edition}`)
        .replaceAll('%EDITION%', edition)
        .replaceAll('%BUILT%', new Date().toDateString()),
  },
};

export default defineConfig({
  plugins: [parts],
  build: { assetsInlineLimit: 0, rollupOptions: { input: [...pagesIn('.'), ...pagesIn('products')] } },
});

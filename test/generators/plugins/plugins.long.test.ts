import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { serveFolder } from '../../support/static-server.ts';
import { type GeneratorSite, generatorSite } from './generator-lab.ts';
import { installedGenerators } from './installed-generators.ts';

const { folder: generators, missing } = await installedGenerators();
// biome-ignore lint/suspicious/noConsole: whoever runs the tests must learn that these did not run.
if (missing !== undefined) console.warn(`The plugins were NOT tried with real generators: ${missing}.`);
const describeBuilds = missing === undefined ? describe : describe.skip;
const because = missing === undefined ? '' : ` (skipped: ${missing})`;

const HOME =
  '<h1>Home</h1><p>Welcome to this tool of ours.</p><h2 id="install">Install</h2><p>Run npm install tool.</p>';
const GUIDE = HOME.replace('Home', 'Guide').replace('Welcome to', 'This is how you use');
const html = (body: string) =>
  `<!doctype html><html lang="en"><head><title>Docs</title></head><body><main>${body}</main></body></html>\n`;
const markdown = (title: string) =>
  `# ${title}\n\nWelcome to this ${title} of ours.\n\n## Install {#install}\n\nRun npm install tool.\n`;
const MODULES = { 'package.json': '{ "private": true, "type": "module" }' };

interface Generator {
  readonly name: string;
  readonly program: string;
  readonly words: readonly string[];
  readonly output: string;
  /** Served below /x/, with a draft where the generator knows drafts. */
  readonly files: Readonly<Record<string, string>>;
  readonly pages: readonly string[];
  /** The file with the page that is edited; `npm install tool` in it becomes something else. */
  readonly edited: string;
  readonly event: string;
  /** Files with which the build fails, as they are after that. */
  readonly broken: Readonly<Record<string, string>>;
  /** What is wrong in the configuration, and what is said of it. */
  readonly wrong: readonly [file: string, from: string, to: string, said: string];
}

const viteFiles = {
  ...MODULES,
  'index.html': html(HOME),
  'guide/index.html': html(GUIDE),
  'vite.config.js': `import tidings from 'tidings/vite';
export default {
  base: '/x/',
  build: { rollupOptions: { input: ['index.html', 'guide/index.html'] } },
  plugins: [tidings({ site: 'https://docs.example/' })],
};`,
};

const vite: Generator = {
  name: 'vite 7',
  program: 'vite/bin/vite.js',
  words: ['build'],
  output: 'dist',
  files: viteFiles,
  pages: ['https://docs.example/x/', 'https://docs.example/x/guide/'],
  edited: 'guide/index.html',
  event: 'update https://docs.example/x/guide/#install',
  broken: { 'index.html': html(`${HOME}<script type="module" src="/broken.js"></script>`), 'broken.js': 'const = 1;' },
  wrong: [
    'vite.config.js',
    "{ site: 'https://docs.example/' }",
    '',
    "tidings/vite: the public address of the site is not known. Write in vite.config.js: plugins: [tidings({ site: 'https://docs.example/' })]",
  ],
};

const vitepress: Generator = {
  name: 'vitepress',
  program: 'vitepress/bin/vitepress.js',
  words: ['build'],
  output: '.vitepress/dist',
  files: {
    ...MODULES,
    'index.md': markdown('Home'),
    'guide.md': markdown('Guide'),
    'fr/index.md': markdown('Accueil'),
    'drafts/plans.md': markdown('Plans'),
    '.vitepress/config.mjs': `import { defineConfig } from 'vitepress';
import { withTidings } from 'tidings/vitepress';
const config = defineConfig({
  title: 'Docs', base: '/x/', cleanUrls: true, srcExclude: ['drafts/**'],
  locales: { root: { label: 'English', lang: 'en' }, fr: { label: 'Français', lang: 'fr' } },
  buildEnd() { console.log('the hook of the author'); },
});
export default withTidings(config, { site: 'https://docs.example' });`,
  },
  pages: ['https://docs.example/x/', 'https://docs.example/x/fr/', 'https://docs.example/x/guide'],
  edited: 'guide.md',
  event: 'update https://docs.example/x/guide#install',
  broken: { 'index.md': `${markdown('Home')}\nSee [nothing](./nothing).\n` },
  wrong: [
    '.vitepress/config.mjs',
    "{ site: 'https://docs.example' }",
    '{}',
    "Write in .vitepress/config.mjs: export default withTidings({ … }, { site: 'https://docs.example/' })",
  ],
};

const astro: Generator = {
  name: 'astro',
  program: 'astro/astro.js',
  words: ['build'],
  output: 'dist',
  files: {
    ...MODULES,
    'src/pages/index.astro': html(HOME),
    'src/pages/guide.astro': html(GUIDE),
    'src/pages/_draft.astro': html(HOME.replace('Home', 'Plans')),
    'astro.config.mjs': `import { defineConfig } from 'astro/config';
import tidings from 'tidings/astro';
export default defineConfig({
  site: 'https://docs.example',
  base: '/x',
  integrations: [tidings()],
});`,
  },
  pages: ['https://docs.example/x/', 'https://docs.example/x/guide/'],
  edited: 'src/pages/guide.astro',
  event: 'update https://docs.example/x/guide/#install',
  broken: { 'src/pages/index.astro': `---\nthrow new Error('broken');\n---\n${html(HOME)}` },
  wrong: [
    'astro.config.mjs',
    "site: 'https://docs.example',",
    '',
    "Write in astro.config.mjs, beside integrations: site: 'https://docs.example',",
  ],
};

const docusaurusPage = (body: string) => `export default function Page() { return <main>${body}</main>; }\n`;
const docusaurus: Generator = {
  name: 'docusaurus',
  program: '@docusaurus/core/bin/docusaurus.mjs',
  words: ['build'],
  output: 'build',
  files: {
    'package.json': '{ "private": true }',
    'src/pages/index.js': docusaurusPage(HOME),
    'src/pages/guide.js': docusaurusPage(GUIDE),
    'src/pages/plans.md': '---\ndraft: true\n---\n\n# Plans\n',
    'docusaurus.config.js': `export default {
  title: 'Docs', url: 'https://docs.example', baseUrl: '/x/',
  i18n: { defaultLocale: 'en', locales: ['en', 'fr'] },
  plugins: ['@docusaurus/plugin-content-pages', ['tidings/docusaurus', {}]],
};`,
  },
  pages: ['', 'fr/', 'fr/guide/', 'guide/'].map((path) => `https://docs.example/x/${path}`),
  edited: 'src/pages/guide.js',
  event: 'update https://docs.example/x/guide/#install',
  broken: { 'src/pages/index.js': docusaurusPage('{nothing.of.this}') },
  wrong: [
    'docusaurus.config.js',
    'https://docs.example',
    'http://docs.example',
    'tidings/docusaurus: `site` http://docs.example is refused: it is plain http',
  ],
};

const eleventy: Generator = {
  name: 'eleventy',
  program: '@11ty/eleventy/cmd.cjs',
  words: [],
  output: '_site',
  files: {
    ...MODULES,
    'index.html': html(HOME),
    'guide.html': html(GUIDE),
    'plans.md': '---\ndraft: true\n---\n\n# Plans\n',
    'eleventy.config.js': `import tidings from 'tidings/eleventy';
export default function (eleventyConfig) {
  eleventyConfig.addPlugin(tidings, { site: 'https://docs.example/' });
  eleventyConfig.addPreprocessor('drafts', '*', ({ draft }) => draft ? false : undefined);
  return { pathPrefix: '/x/' };
}`,
  },
  pages: ['https://docs.example/x/', 'https://docs.example/x/guide/'],
  edited: 'guide.html',
  event: 'update https://docs.example/x/guide/#install',
  broken: { 'index.html': html(`${HOME}{% nothing %}`) },
  wrong: [
    'eleventy.config.js',
    ", { site: 'https://docs.example/' }",
    '',
    "Write in eleventy.config.js: eleventyConfig.addPlugin(tidings, { site: 'https://docs.example/' });",
  ],
};

const vite8: Generator = { ...vite, name: 'vite 8', program: 'vite-8/bin/vite.js' };

describeBuilds.each([vite, vite8, vitepress, astro, docusaurus, eleventy])(`$name${because}`, (generator) => {
  const { program, words, output, files, pages, edited, event, broken, wrong } = generator;
  const made = pages.length;

  test('a first build begins, a rebuild tells nothing, an edit is told, a build that fails leaves all as it was', async () => {
    const site = generatorSite(generators, files);
    const first = await site.build(program, words);
    expect(first, first.said).toMatchObject({ code: 0 });
    expect(first.said.split(`${made} pages: ${made} created, 0 updated, 0 deleted, 0 unchanged`)).toHaveLength(2);
    expect(site.events(output).toSorted()).toEqual(pages.map((url) => `create ${url}`).toSorted());

    const again = await site.build(program, words);
    expect(again.said).toContain(`${made} pages: 0 created, 0 updated, 0 deleted, ${made} unchanged`);
    expect(site.events(output)).toHaveLength(made);

    // Behind a build that failed the edit is told by the next one.
    const intact = Object.fromEntries(Object.keys(broken).map((file) => [file, files[file] ?? '']));
    const keptBefore = site.kept();
    site.replace(edited, 'npm install tool', 'npm install another-tool');
    site.write(broken);
    const failed = await site.build(program, words);
    expect(failed.code, failed.said).not.toBe(0);
    expect(failed.said).not.toMatch(/\d+ pages: /);
    expect(site.kept()).toBe(keptBefore);

    site.write(intact);
    const mended = await site.build(program, words);
    expect(mended, mended.said).toMatchObject({ code: 0 });
    const told = site.events(output).slice(made);
    // Docusaurus shows a page that is not translated in each locale.
    expect(told.filter((one) => !one.includes('/fr/'))).toEqual([event]);
    expect(told).toHaveLength(generator === docusaurus ? 2 : 1);
  });

  test('what is wrong in the configuration ends the build with what to write, and nothing is written', async () => {
    const site = generatorSite(generators, files);
    const [file, from, to, said] = wrong;
    site.replace(file, from, to);
    const result = await site.build(program, words);
    expect(result.code, result.said).not.toBe(0);
    expect(result.said).toContain(said);
    expect(site.events(output)).toEqual([]);
    expect(site.has('.tidings')).toBe(false);
    expect(site.has(join(output, '.well-known'))).toBe(false);
  });
});

const addressesOf = (site: GeneratorSite, output: string) =>
  site
    .events(output)
    .map((event) => event.replace('create https://docs.example', ''))
    .toSorted();

describeBuilds(`forms of addresses${because}`, () => {
  test('vitepress without clean URLs, with the address of its sitemap', async () => {
    const config = `import { withTidings } from 'tidings/vitepress';
export default withTidings({ sitemap: { hostname: 'https://docs.example' } });`;
    const files = { ...MODULES, 'index.md': markdown('Home'), 'guide.md': markdown('Guide') };
    const site = generatorSite(generators, { ...files, '.vitepress/config.mjs': config });
    const { said } = await site.build(vitepress.program, vitepress.words);
    expect(addressesOf(site, vitepress.output), said).toEqual(['/', '/guide.html']);
  });

  test.each([
    ["build: { format: 'file' }", ['/x/', '/x/guide']],
    ["trailingSlash: 'never'", ['/x/', '/x/guide']],
    ["trailingSlash: 'always'", ['/x/', '/x/guide/']],
  ])('astro with %s', async (setting, expected) => {
    const site = generatorSite(generators, astro.files);
    site.replace('astro.config.mjs', "base: '/x',", `base: '/x', ${setting},`);
    const { said } = await site.build(astro.program, astro.words);
    expect(addressesOf(site, astro.output), said).toEqual(expected);
  });

  test('docusaurus without trailing slashes, of one locale that is served by itself', async () => {
    const site = generatorSite(generators, docusaurus.files);
    site.replace('docusaurus.config.js', "title: 'Docs',", "title: 'Docs', trailingSlash: false,");
    const { said } = await site.build(docusaurus.program, ['build', '--locale', 'fr']);
    expect(addressesOf(site, docusaurus.output), said).toEqual(['/x/', '/x/guide']);
  });
});

describeBuilds(`what is no site${because}`, () => {
  test('eleventy that writes JSON publishes nothing', async () => {
    const site = generatorSite(generators, eleventy.files);
    expect(await site.build(eleventy.program, ['--to=json'])).toMatchObject({ code: 0 });
    expect(site.has('_site')).toBe(false);
    expect(site.has('.tidings')).toBe(false);
  });

  test.each([vite, vite8])('$name for a server publishes nothing', async ({ program }) => {
    const site = generatorSite(generators, { ...viteFiles, 'server.js': 'export const render = () => 1;' });
    site.replace('vite.config.js', "{ rollupOptions: { input: ['index.html', 'guide/index.html'] } }", '{}');
    const { code, said } = await site.build(program, ['build', '--ssr', 'server.js']);
    expect(code, said).toBe(0);
    expect(site.has('dist/server.js')).toBe(true);
    expect(site.has('dist/ai-changes.ndjson')).toBe(false);
  });
});

describeBuilds.each([vite, vite8])(`among other plugins: $name${because}`, ({ program, words }) => {
  const withPlugin = (plugin: string, more = '') => {
    const site = generatorSite(generators, viteFiles);
    site.replace('vite.config.js', 'plugins: [', `${more} plugins: [${plugin}, `);
    return site;
  };

  test('pages that another plugin writes at the very end are published', async () => {
    const late = `{ name: 'late', async closeBundle() {
      for (let turn = 0; turn < 1000; turn += 1) await new Promise(setImmediate);
      const fs = await import('node:fs');
      fs.writeFileSync('dist/late.html', fs.readFileSync('dist/index.html', 'utf8').replace('Home', 'Late'));
    } }`;
    const site = withPlugin(late);
    const { said } = await site.build(program, words);
    expect(addressesOf(site, 'dist'), said).toEqual(['/x/', '/x/guide/', '/x/late.html']);
  });

  test('where another plugin fails behind the pages, nothing is published', async () => {
    const site = withPlugin(`{ name: 'failing', writeBundle() { throw new Error('planted'); } }`);
    const { code, said } = await site.build(program, words);
    expect(code).not.toBe(0);
    expect(said).toContain('planted');
    expect(site.has('dist/index.html')).toBe(true);
    expect(site.has('dist/ai-changes.ndjson')).toBe(false);
  });

  test.each([
    ['that builds all by itself', 'builder: {},'],
    [
      'that says in which order',
      'builder: { async buildApp(builder) { for (const one of Object.values(builder.environments)) await builder.build(one); } },',
    ],
  ])('an app of several environments %s is published once', async (_, builder) => {
    const server = `environments: { ssr: { build: { outDir: 'dist-server', rollupOptions: { input: 'server.js' } } } },`;
    const site = withPlugin('', `${builder} ${server}`);
    site.write({ 'server.js': 'export const render = () => 1;' });
    site.replace('vite.config.js', '[, ', '[');
    const { code, said } = await site.build(program, ['build', '--app']);
    expect(code, said).toBe(0);
    expect(site.has('dist-server/server.js'), said).toBe(true);
    expect(said.match(/2 pages: 2 created/g), said).toHaveLength(1);
    expect(addressesOf(site, 'dist')).toEqual(['/x/', '/x/guide/']);
  });
});

describeBuilds(`on another machine${because}`, () => {
  test('a build goes on from what is live', async () => {
    const site = generatorSite(generators, viteFiles);
    await site.build(vite.program, vite.words);
    await using live = await serveFolder(join(site.folder, 'dist'));

    const clone = generatorSite(generators, viteFiles);
    clone.replace('guide/index.html', 'npm install tool', 'npm install another-tool');
    const options = `{ site: 'https://docs.example/', previous: '${live.url}', allowPrivate: true }`;
    clone.replace('vite.config.js', "{ site: 'https://docs.example/' }", options);
    const { code, said } = await clone.build(vite.program, vite.words);
    expect(code, said).toBe(0);
    expect(clone.events('dist').slice(2)).toEqual(['update https://docs.example/x/guide/#install']);
    expect(clone.has('.tidings')).toBe(false);
  });

  test('of a build service the live site is asked, and the message says what to do where it does not answer', async () => {
    const site = generatorSite(generators, viteFiles);
    // A port of this machine that nobody listens at any more.
    const gone = await serveFolder(site.folder);
    await gone[Symbol.asyncDispose]();
    const address = gone.url.replace('http:', 'https:');
    const options = `{ site: '${address}', force: true, allowPrivate: true }`;
    site.replace('vite.config.js', "{ site: 'https://docs.example/' }", options);
    const { code, said } = await site.build(vite.program, vite.words, { CI: 'true' });
    expect(code, said).not.toBe(0);
    expect(said).toContain('because CI is set and `previous` is not given');
    expect(said).toContain('`previous: false`');
    expect(site.has('dist/ai-changes.ndjson')).toBe(false);
  });

  test('without the copy of the last build a folder that is emptied begins anew, which is what the copy is for', async () => {
    const site = generatorSite(generators, viteFiles);
    await site.build(vite.program, vite.words);
    rmSync(join(site.folder, '.tidings'), { recursive: true });
    const { said } = await site.build(vite.program, vite.words);
    expect(said).toContain('2 pages: 2 created');
  });
});

import { assignedValue, literalValue, yamlValue } from './seen-values.ts';

/** The known generators, in the order in which they are looked for. */
export const GENERATOR_NAMES = [
  ...(['docusaurus', 'vitepress', 'astro', 'eleventy', 'next', 'hexo'] as const),
  ...(['hugo', 'jekyll', 'mkdocs', 'sphinx', 'vite'] as const),
] as const;
export type GeneratorName = (typeof GENERATOR_NAMES)[number];

/** A tool that builds the HTML of a project. */
export interface SiteGenerator {
  readonly title: string;
  /** Its npm package, which alone shows that the project is built with it. */
  readonly package?: string;
  /** Where its settings may be. For a generator without a package they are required. */
  readonly configs: readonly string[];
  /** What its settings must contain, if their file name alone is not specific enough. */
  readonly mark?: RegExp;
  /** Where it writes the HTML, according to its settings and their place. */
  output(config: string, text: string): string;
  /** The URL of the site in its settings. */
  site?(text: string): string | undefined;
  /** The build command, if no script in package.json builds. */
  readonly build: string;
  /** What installs it on GitHub: steps of a workflow, `npm` if package.json does. */
  readonly tools: 'npm' | 'python' | 'ruby' | 'hugo';
}

const js = (name: string) => ['js', 'mjs', 'ts', 'mts', 'cjs'].map((ending) => `${name}.${ending}`);
/** A URL and the path below it: `url: https://docs.example`, `baseurl: /guide`. */
const joined = (url: string | undefined, path = ''): string | undefined =>
  url === undefined ? undefined : `${url.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`;

const VITEPRESS_PLACES = ['', 'docs/'];
const SPHINX_PLACES = ['docs/', 'docs/source/', 'doc/', 'source/', ''];

export const GENERATORS: Readonly<Record<GeneratorName, SiteGenerator>> = {
  docusaurus: {
    title: 'Docusaurus',
    package: '@docusaurus/core',
    configs: js('docusaurus.config'),
    output: () => 'build',
    site: (text) => joined(literalValue(text, 'url'), literalValue(text, 'baseUrl')),
    build: 'npx docusaurus build',
    tools: 'npm',
  },
  vitepress: {
    title: 'VitePress',
    package: 'vitepress',
    configs: VITEPRESS_PLACES.flatMap((place) => js(`${place}.vitepress/config`)),
    output: (config) => `${config.startsWith('docs/') ? 'docs/' : ''}.vitepress/dist`,
    site: (text) => joined(literalValue(text, 'hostname'), literalValue(text, 'base')),
    build: 'npx vitepress build',
    tools: 'npm',
  },
  astro: {
    title: 'Astro',
    package: 'astro',
    configs: js('astro.config'),
    output: (_, text) => literalValue(text, 'outDir') ?? 'dist',
    site: (text) => joined(literalValue(text, 'site'), literalValue(text, 'base')),
    build: 'npx astro build',
    tools: 'npm',
  },
  eleventy: {
    title: 'Eleventy',
    package: '@11ty/eleventy',
    configs: [...js('eleventy.config'), '.eleventy.js'],
    output: (_, text) => literalValue(text, 'output') ?? '_site',
    build: 'npx @11ty/eleventy',
    tools: 'npm',
  },
  next: {
    title: 'Next.js (static export)',
    package: 'next',
    configs: js('next.config'),
    mark: /\boutput\s*:\s*["']export["']/,
    output: (_, text) => literalValue(text, 'distDir') ?? 'out',
    build: 'npx next build',
    tools: 'npm',
  },
  hexo: {
    title: 'Hexo',
    package: 'hexo',
    configs: ['_config.yml', '_config.yaml'],
    output: (_, text) => yamlValue(text, 'public_dir') ?? 'public',
    site: (text) => yamlValue(text, 'url'),
    build: 'npx hexo generate',
    tools: 'npm',
  },
  hugo: {
    title: 'Hugo',
    configs: ['', 'config/_default/'].flatMap((place) =>
      ['hugo', 'config'].flatMap((name) =>
        ['toml', 'yaml', 'yml', 'json'].map((ending) => `${place}${name}.${ending}`),
      ),
    ),
    mark: /^[ \t]*["']?baseURL["']?[ \t]*[:=]/im,
    output: (config, text) => (config.endsWith('.toml') ? assignedValue : yamlValue)(text, 'publishDir') ?? 'public',
    site: (text) => assignedValue(text, 'baseURL') ?? yamlValue(text, 'baseURL') ?? literalValue(text, 'baseURL'),
    build: 'hugo --minify',
    tools: 'hugo',
  },
  jekyll: {
    title: 'Jekyll',
    configs: ['_config.yml', '_config.yaml'],
    mark: /^(?:theme|remote_theme|baseurl|plugins|collections|permalink|markdown|kramdown)[ \t]*:/m,
    output: (_, text) => yamlValue(text, 'destination') ?? '_site',
    site: (text) => joined(yamlValue(text, 'url'), yamlValue(text, 'baseurl')),
    build: 'bundle exec jekyll build',
    tools: 'ruby',
  },
  mkdocs: {
    title: 'MkDocs',
    configs: ['mkdocs.yml', 'mkdocs.yaml'],
    output: (_, text) => yamlValue(text, 'site_dir') ?? 'site',
    site: (text) => yamlValue(text, 'site_url'),
    build: 'mkdocs build',
    tools: 'python',
  },
  sphinx: {
    title: 'Sphinx',
    configs: SPHINX_PLACES.map((place) => `${place}conf.py`),
    mark: /^(?:extensions|html_theme|project)\s*=/m,
    output: (config) => sphinxOutput(config),
    site: (text) => assignedValue(text, 'html_baseurl'),
    build: 'sphinx-build -b html',
    tools: 'python',
  },
  vite: {
    title: 'Vite',
    package: 'vite',
    configs: js('vite.config'),
    output: (_, text) => literalValue(text, 'outDir') ?? 'dist',
    build: 'npx vite build',
    tools: 'npm',
  },
};

/** As its Makefile does: `docs/_build/html`, or `docs/build/html` if the sources have a separate folder. */
function sphinxOutput(config: string): string {
  const folder = config.replace(/conf\.py$/, '');
  return folder.endsWith('source/') ? folder.replace(/source\/$/, 'build/html') : `${folder}_build/html`;
}

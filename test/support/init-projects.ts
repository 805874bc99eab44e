/** Projects as their generators and hosts create them, with the expected result of `tidings init`. */
export interface InitProject {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly options?: readonly string[];
  /** What it detects, as in `--json`. */
  readonly sees: Readonly<Record<string, string | null>>;
  /** The files that it creates, with a text that each contains. */
  readonly makes: Readonly<Record<string, string>>;
  /** The files that it leaves to the user, with a line that it says to add. */
  readonly says: Readonly<Record<string, string>>;
}

const packageJson = (devDependencies: Record<string, string>, more: object = {}) =>
  JSON.stringify({ private: true, scripts: { build: 'build' }, devDependencies, ...more });

const SITE = 'https://docs.tidings.example/';

const PAGES_WORKFLOW = `name: deploy
on: { push: { branches: [main] } }
jobs:
  build:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - run: pip install mkdocs && mkdocs build
      - uses: actions/upload-pages-artifact@v5
        with:
          path: site
      - uses: actions/deploy-pages@v4
`;

export const INIT_PROJECTS: readonly InitProject[] = [
  {
    name: 'Hugo at Netlify',
    files: {
      'hugo.toml': `baseURL = '${SITE}'\ntitle = 'Docs'\n[params]\nbaseURL = 'https://other.example/'\n`,
      'netlify.toml': '[build]\n  command = "hugo"\n  publish = "public"\n',
    },
    sees: { generator: 'hugo', site: SITE, directory: 'public', host: 'netlify', ci: 'none' },
    makes: { 'tidings.config.json': `"site": "${SITE}"` },
    says: {
      'netlify.toml': `command = "hugo --minify && npx --yes tidings@0.0.0 publish public --previous ${SITE}"`,
    },
  },
  {
    name: 'Astro at Cloudflare',
    files: {
      'package.json': packageJson({ astro: '^5', vite: '^7' }),
      'astro.config.mjs': `import { defineConfig } from 'astro/config';\n// site: 'https://old.example',\nexport default defineConfig({ site: '${SITE}' });\n`,
      'wrangler.toml': 'name = "docs"\npages_build_output_dir = "dist"\n',
    },
    sees: { generator: 'astro', site: SITE, directory: 'dist', host: 'cloudflare', ci: 'none' },
    makes: { 'tidings.config.json': `"site": "${SITE}"` },
    says: { 'astro.config.mjs': "import tidings from 'tidings/astro';" },
  },
  {
    name: 'Vite without settings, on GitHub Pages with a domain',
    files: {
      'package.json': packageJson({ vite: '^7' }),
      'index.html': '<!doctype html><title>Docs</title>',
      'public/CNAME': 'docs.tidings.example\n',
    },
    sees: { generator: 'vite', site: SITE, directory: 'dist', host: 'github-pages', ci: 'github' },
    makes: {
      'tidings.config.json': `"site": "${SITE}"`,
      'vite.config.mjs': `plugins: [tidings({ site: '${SITE}' })]`,
      '.github/workflows/pages.yml': 'include-hidden-files: true',
    },
    says: {},
  },
  {
    name: 'VitePress at Vercel',
    files: {
      'package.json': packageJson({ vitepress: '^1', vite: '^7', tidings: '*' }, { scripts: { 'docs:build': 'x' } }),
      'docs/.vitepress/config.mts': `export default { title: 'Docs', sitemap: { hostname: '${SITE}' } };\n`,
      'docs/index.md': '# Docs\n',
      'vercel.json': '{ "cleanUrls": true }\n',
    },
    sees: { generator: 'vitepress', site: SITE, directory: 'docs/.vitepress/dist', host: 'vercel', ci: 'none' },
    makes: { 'tidings.config.json': `"site": "${SITE}"` },
    says: {
      'docs/.vitepress/config.mts': "import { withTidings } from 'tidings/vitepress';",
      'vercel.json': '"source": "/.well-known/ai-changefeed"',
    },
  },
  {
    name: 'MkDocs with a workflow for GitHub Pages',
    files: {
      'mkdocs.yml': `site_name: Docs\nsite_url: ${SITE} # where it is\nmarkdown_extensions:\n  - pymdownx.emoji:\n      emoji_index: !!python/name:material.extensions.emoji.twemoji\n`,
      '.github/workflows/deploy.yml': PAGES_WORKFLOW,
    },
    sees: { generator: 'mkdocs', site: SITE, directory: 'site', host: 'github-pages', ci: 'github' },
    makes: { 'tidings.config.json': `"site": "${SITE}"` },
    says: { '.github/workflows/deploy.yml': `site: ${SITE}` },
  },
  {
    name: 'Sphinx on GitLab Pages',
    files: {
      'docs/conf.py': `project = 'Docs'\nextensions = []\nhtml_baseurl = "${SITE}"\n`,
      '.gitlab-ci.yml': 'pages:\n  script:\n    - make -C docs html\n    - mv docs/_build/html public\n',
    },
    sees: { generator: 'sphinx', site: SITE, directory: 'docs/_build/html', host: 'gitlab-pages', ci: 'gitlab' },
    makes: { 'tidings.config.json': `"site": "${SITE}"` },
    says: { '.gitlab-ci.yml': `publish docs/_build/html --previous ${SITE}` },
  },
  {
    name: 'Docusaurus in a bucket',
    files: {
      'package.json': packageJson({ '@docusaurus/core': '^3' }),
      'docusaurus.config.ts': `export default { url: 'https://tidings.example', baseUrl: '/guide/', title: 'Docs' };\n`,
      '.github/workflows/site.yml':
        'jobs:\n  a:\n    steps:\n      - run: npm run build\n      - run: aws s3 sync build s3://docs\n',
    },
    sees: {
      generator: 'docusaurus',
      site: 'https://tidings.example/guide/',
      directory: 'build',
      host: 's3',
      ci: 'github',
    },
    makes: { 'tidings.config.json': '"site": "https://tidings.example/guide/"' },
    says: { 'docusaurus.config.ts': "plugins: [['tidings/docusaurus', {}]]," },
  },
  {
    name: 'Eleventy alone',
    files: { 'package.json': packageJson({ '@11ty/eleventy': '^3' }), 'pnpm-lock.yaml': '', 'index.md': '# Docs\n' },
    options: ['--site', SITE],
    sees: { generator: 'eleventy', site: SITE, directory: '_site', host: null, ci: 'none' },
    makes: {
      'tidings.config.json': `"site": "${SITE}"`,
      'eleventy.config.mjs': `eleventyConfig.addPlugin(tidings, { site: '${SITE}' });`,
    },
    says: {},
  },
  {
    name: 'Jekyll, with settings of a hub',
    files: {
      '_config.yml': `theme: minima\nurl: "https://tidings.example"\nbaseurl: "/blog"\n`,
      CNAME: 'tidings.example',
      'tidings.config.json': '{ "port": 8081 }\n',
    },
    sees: {
      generator: 'jekyll',
      site: 'https://tidings.example/blog/',
      directory: '_site',
      host: 'github-pages',
      ci: 'github',
    },
    makes: { '.github/workflows/pages.yml': 'dir: _site' },
    says: { 'tidings.config.json': '"site": "https://tidings.example/blog/"' },
  },
  {
    name: 'Hexo on a GitLab that is named',
    files: {
      'package.json': packageJson({ hexo: '^7' }),
      'yarn.lock': '',
      '_config.yml': `theme: landscape\nurl: ${SITE}\npublic_dir: public\n`,
    },
    options: ['--ci', 'gitlab'],
    sees: { generator: 'hexo', site: SITE, directory: 'public', host: null, ci: 'gitlab' },
    makes: {
      'tidings.config.json': `"site": "${SITE}"`,
      '.gitlab-ci.yml': `npx tidings publish public --previous ${SITE}`,
    },
    says: {},
  },
  {
    name: 'Next.js as a static export',
    files: {
      'package.json': packageJson({ next: '^16' }, { homepage: SITE }),
      'next.config.ts': "export default { output: 'export' };\n",
    },
    sees: { generator: 'next', site: SITE, directory: 'out', host: null, ci: 'none' },
    makes: { 'tidings.config.json': `"site": "${SITE}"` },
    says: {},
  },
];

import { GENERATORS } from './generators.ts';
import { buildCommand, hasPlugin, publishCommand, type SetupFacts } from './setup-facts.ts';

const KEY_VARIABLE = `TIDINGS_LOG_KEY: \${{ secrets.TIDINGS_LOG_KEY }}`;
const SETUP_NODE = ['- uses: actions/setup-node@v4', '  with:', '    node-version: 22'];

/** The step of a workflow that publishes what was built. */
export function publishStep({ version, output, site, wantsKey }: SetupFacts): string {
  return [
    `- uses: tidings/tidings@v${version}`,
    '  with:',
    `    dir: ${output}`,
    `    site: ${site.site.href}`,
    ...keyLines(wantsKey),
  ].join('\n');
}

/** A workflow that builds the site, publishes its feeds and deploys everything to GitHub Pages. */
export function pagesWorkflow(facts: SetupFacts): string {
  const build = [`- run: ${buildCommand(facts) ?? 'npm run build # what builds your site'}`];
  if (hasPlugin(facts)) build.push(...keyLines(facts.wantsKey));
  else build.push(...publishStep(facts).split('\n'));
  const steps = [
    '- uses: actions/checkout@v4',
    ...toolSteps(facts),
    ...build,
    '- uses: actions/upload-pages-artifact@v5',
    '  with:',
    `    path: ${facts.output}`,
    '    include-hidden-files: true # without it the upload drops .well-known, and with it the feeds',
    '- uses: actions/deploy-pages@v4',
  ];
  return `${PAGES_HEAD}${steps.map((line) => `      ${line}\n`).join('')}`;
}

/** A GitLab job that builds the site, publishes its feeds and deploys everything to GitLab Pages, which serves \`public\`. */
export function gitlabPages(facts: SetupFacts): string {
  const { output, packageFile } = facts;
  const { install, isExtra } = packageFile.manager;
  const script = [
    ...(isExtra ? ['corepack enable'] : []),
    ...(packageFile.isThere ? [install] : []),
    buildCommand(facts) ?? 'npm run build # what builds your site',
    ...(hasPlugin(facts) ? [] : [publishCommand(facts)]),
    ...(output === 'public' ? [] : [`rm -rf public && mv ${output} public`]),
  ];
  return `${GITLAB_HEAD}${script.map((line) => `    - ${line}\n`).join('')}${GITLAB_END}`;
}

function toolSteps({ generator, packageFile }: SetupFacts): string[] {
  const tools = generator === undefined ? 'npm' : GENERATORS[generator.name].tools;
  const { install, isExtra } = packageFile.manager;
  const npm = [...SETUP_NODE, ...(isExtra ? ['- run: corepack enable'] : []), `- run: ${install}`];
  if (tools === 'npm') return npm;
  const own = {
    python: [
      ...['- uses: actions/setup-python@v5', '  with:', "    python-version: '3.13'"],
      `- run: pip install ${generator?.name === 'sphinx' ? 'sphinx' : 'mkdocs'} # or: pip install -r requirements.txt`,
    ],
    ruby: ['- uses: ruby/setup-ruby@v1', '  with:', "    ruby-version: '3.3'", '    bundler-cache: true'],
    hugo: ['- uses: peaceiris/actions-hugo@v3', '  with:', '    hugo-version: latest', '    extended: true'],
  }[tools];
  return packageFile.isThere ? [...npm, ...own] : own;
}

function keyLines(wantsKey: boolean): string[] {
  return wantsKey ? ['  env:', `    ${KEY_VARIABLE}`] : [];
}

const PAGES_HEAD = `name: pages
on:
  push:
    branches: [main, master]
  workflow_dispatch:

# Two runs at once would both continue the same log.
concurrency:
  group: pages
  cancel-in-progress: false

permissions:
  contents: read

jobs:
  publish:
    runs-on: ubuntu-24.04
    permissions:
      contents: read
      pages: write
      id-token: write
    environment: github-pages
    steps:
`;

const GITLAB_HEAD = `pages:
  image: node:22
  # Two runs at once would both continue the same log.
  resource_group: pages
  rules:
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
  script:
`;

const GITLAB_END = `  artifacts:
    paths:
      - public
`;

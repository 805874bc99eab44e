/** The documentation as a site: `npm run docs`. See docs/adr/0095-the-documentation-is-a-site.md. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { withTidings } from 'tidings/vitepress';
import { defineConfig } from 'vitepress';
import { headingSlug } from '../../scripts/heading-slug.mjs';
import { foldersWithoutPages, linkedFiles, PROJECT, pagePath, projectPath, siteLink } from './pages.mjs';
import { sidebar } from './sidebar.mjs';

const site = defineConfig({
  title: 'Tidings',
  description: 'Tells machines what changed on the web: section by section, provably, in every dialect.',
  lang: 'en',
  head: [['link', { rel: 'alternate', type: 'application/atom+xml', title: 'What changed', href: '/changes.atom' }]],
  // The whole project, so that a link from a guide to ARCHITECTURE.md or to a specification is a link between pages.
  srcDir: '..',
  srcExclude: foldersWithoutPages().map((folder) => `${folder}/**`),
  rewrites: (file) => pagePath(file),
  markdown: {
    config: asSite,
    anchor: { slugify: headingSlug },
    // `{…}` in the texts is never an attribute.
    attrs: { disable: true },
  },
  themeConfig: {
    nav: [
      { text: 'Publish', link: '/guides/publish' },
      { text: 'Follow', link: '/guides/follow' },
      { text: 'Run a hub', link: '/guides/hub' },
      { text: 'Command line', link: '/verbs' },
      { text: 'Library', link: '/api' },
    ],
    sidebar: sidebar(),
    outline: [2, 3],
    search: { provider: 'local' },
  },
  // The table of clauses and the search index are large by nature.
  vite: { build: { chunkSizeWarningLimit: 4096 } },
  buildEnd({ outDir }) {
    for (const file of linkedFiles) cpSync(join(PROJECT, file), join(outDir, file));
  },
});

export default withTidings(site, { site: 'https://tidings.example/', title: 'Tidings' });

/** Angle brackets inside a sentence, such as `<dir>` in a quotation, are text. Comments and line breaks are not. */
const TEXT_IN_BRACKETS = /^<(?!!--|br\b)/;

/** Papers are written for a git host: links are relative to the file. Here they become addresses of the site. */
function asSite(md) {
  md.core.ruler.push('as-site', ({ tokens, env }) => {
    const from = projectPath(env.realPath ?? env.path);
    for (const token of tokens.flatMap((block) => [block, ...(block.children ?? [])])) {
      if (token.type === 'link_open') rewriteLink(token, from);
      // Pictures in HTML are found like those in Markdown: relative to the file.
      else if (token.type === 'html_block')
        token.content = token.content.replaceAll(/(<img\b[^>]* src=")(?=docs\/)/g, '$1./');
      else if (token.type === 'html_inline' && TEXT_IN_BRACKETS.test(token.content)) token.type = 'text';
    }
  });
}

function rewriteLink(token, from) {
  const link = siteLink(token.attrGet('href') ?? '', from);
  if (link === undefined) return;
  token.attrSet('href', link.href);
  // Not a page: the router of the site must leave it to the browser.
  if (link.isFile) token.attrSet('target', '_self');
}

/** The sidebar: for each kind of user what docs/README.md lists, then decisions and specifications. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT, pagePath, pagesIn, pageTitle, siteLink } from './pages.mjs';

const INDEX = 'docs/README.md';

export function sidebar() {
  return [
    {
      text: 'Start',
      items: [itemOf('README.md', 'What Tidings is'), itemOf(INDEX, 'All pages'), itemOf('CHANGELOG.md')],
    },
    ...userGroups(),
    { text: 'Decisions', collapsed: true, items: pagesIn('docs/adr').map((file) => itemOf(file)) },
    { text: 'Specifications', collapsed: true, items: specificationPages().map((file) => itemOf(file, nameOf(file))) },
  ];
}

function itemOf(file, text = pageTitle(file)) {
  return { text, link: `/${pagePath(file)}` };
}

/** `## Publishers` with a table of links, as a group. */
function userGroups() {
  const groups = readFileSync(join(PROJECT, INDEX), 'utf8').split(/^## /m).slice(1);
  return groups.map((group) => {
    const [text = ''] = group.split('\n', 1);
    const links = [...group.matchAll(/^\| \[([^\]]+)\]\(([^)]+)\)/gm)];
    const items = links.map(([, title, href]) => ({ text: title, link: siteLink(href, INDEX).href }));
    return { text, collapsed: false, items };
  });
}

function specificationPages() {
  const folders = readdirSync(join(PROJECT, 'specs'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.flatMap(({ name }) => pagesIn(`specs/${name}`));
}

/** Pages of specifications have titles of their own authors, so their names say more. */
function nameOf(file) {
  return file
    .replace(/^specs\//, '')
    .replace(/\.md$/, '')
    .replace('/', ': ');
}

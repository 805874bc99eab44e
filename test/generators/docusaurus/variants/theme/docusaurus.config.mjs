import { readFileSync } from 'node:fs';

const version = JSON.parse(readFileSync(new URL('version.json', import.meta.url), 'utf8'));

export default {
  title: `Lantern ${version}`,
  tagline: 'Feature flags in plain files',
  url: 'https://docs.example',
  baseUrl: '/',
  onBrokenLinks: 'warn',
  presets: [
    [
      'classic',
      {
        docs: {
          routeBasePath: '/',
          sidebarPath: './sidebars.js',
          editUrl: 'https://git.example/lantern/edit/main/',
          showLastUpdateTime: true,
          breadcrumbs: false,
        },
        blog: false,
      },
    ],
  ],
  themeConfig: {
    announcementBar: { id: 'days', content: 'Lantern Days are on 9 and 10 October in Bremen. Tickets are on sale.' },
    docs: { sidebar: { hideable: true, autoCollapseCategories: true } },
    tableOfContents: { minHeadingLevel: 2, maxHeadingLevel: 5 },
    navbar: {
      title: 'Lantern',
      items: [
        { to: '/guide/introduction', label: 'Guide', position: 'left' },
        { to: '/reference/changes', label: `v${version}`, position: 'right' },
      ],
    },
    footer: {
      style: 'dark',
      links: [{ title: 'More', items: [{ label: 'Forum', href: 'https://forum.example/' }] }],
      copyright: `Lantern ${version}. Copyright © ${new Date().getFullYear()} The Lantern authors.`,
    },
  },
};

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
        },
        blog: false,
      },
    ],
  ],
  themeConfig: {
    navbar: {
      title: 'Lantern',
      items: [
        { to: '/guide/introduction', label: 'Guide', position: 'left' },
        { to: '/reference/changes', label: `v${version}`, position: 'right' },
      ],
    },
    footer: { copyright: `Lantern ${version}. Copyright © ${new Date().getFullYear()} The Lantern authors.` },
  },
};

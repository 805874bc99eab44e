import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitepress';

const version = JSON.parse(readFileSync(new URL('version.json', import.meta.url), 'utf8'));

export default defineConfig({
  title: `Lantern ${version}`,
  description: 'Feature flags in plain files',
  lastUpdated: true,
  themeConfig: {
    nav: [
      { text: 'Guide', link: '/guide/introduction', activeMatch: '/guide/' },
      { text: 'Reference', link: '/reference/command-line', activeMatch: '/reference/' },
      { text: `v${version}`, items: [{ text: 'Changes', link: '/reference/changes' }] },
    ],
    sidebar: [
      {
        text: 'Guide',
        items: [
          { text: 'Introduction', link: '/guide/introduction' },
          { text: 'Installation', link: '/guide/installation' },
          { text: 'Quick start', link: '/guide/quick-start' },
          { text: 'Configuration', link: '/guide/configuration' },
          { text: 'Deployment', link: '/guide/deployment' },
        ],
      },
      {
        text: 'Reference',
        collapsed: true,
        items: [
          { text: 'Command line', link: '/reference/command-line' },
          { text: 'Questions', link: '/reference/questions' },
          { text: 'Changes', link: '/reference/changes' },
        ],
      },
    ],
    search: { provider: 'local' },
    editLink: { pattern: 'https://git.example/lantern/edit/main/docs/:path', text: 'Suggest a change' },
    footer: { message: `Lantern ${version} is free software under the MIT licence.`, copyright: '© 2026 The Lantern authors' },
    aside: 'left',
    lastUpdated: { text: 'Last changed', formatOptions: { dateStyle: 'long' } },
    docFooter: { prev: 'Back', next: 'Onward' },
    outline: { level: [2, 3], label: 'On this page you find' },
  },
});

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
          { text: 'Recipes', link: '/guide/recipes' },
          { text: 'Deployment', link: '/guide/deployment' },
        ],
      },
      {
        text: 'Reference',
        items: [
          { text: 'Command line', link: '/reference/command-line' },
          { text: 'Questions', link: '/reference/questions' },
          { text: 'Changes', link: '/reference/changes' },
        ],
      },
    ],
    outline: [2, 3],
    search: { provider: 'local' },
    editLink: { pattern: 'https://git.example/lantern/edit/main/docs/:path', text: 'Edit this page' },
    footer: { message: `Lantern ${version} is free software under the MIT licence.`, copyright: '© 2026 The Lantern authors' },
  },
});

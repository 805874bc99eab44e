import starlight from '@astrojs/starlight';
import { defineConfig, passthroughImageService } from 'astro/config';
import version from './src/version.json';

export default defineConfig({
  site: 'https://docs.example',
  image: { service: passthroughImageService() },
  integrations: [
    starlight({
      title: `Lantern ${version}`,
      description: 'Feature flags in plain files',
      lastUpdated: true,
      editLink: { baseUrl: 'https://git.example/lantern/edit/main/' },
      components: {
        Footer: './src/components/Footer.astro',
        PageTitle: './src/components/PageTitle.astro',
        Banner: './src/components/Banner.astro',
      },
      tableOfContents: false,
      credits: true,
      pagination: false,
      customCss: ['./src/styles/right.css'],
      sidebar: [
        {
          label: 'Guide',
          items: ['guide/introduction', 'guide/installation', 'guide/quick-start', 'guide/configuration', 'guide/deployment'],
        },
        { label: 'Reference', items: ['reference/command-line', 'reference/questions', 'reference/changes'] },
      ],
    }),
  ],
});

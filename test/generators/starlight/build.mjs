import { buildWithNpm } from '../build-with-npm.mjs';

buildWithNpm(new URL('.', import.meta.url), {
  packages: { '@astrojs/starlight': '0.36.2', astro: '5.15.9' },
  minorPackages: { '@astrojs/starlight': '0.37.1', astro: '5.16.6' },
  command: ['astro', 'build'],
  output: 'dist',
});

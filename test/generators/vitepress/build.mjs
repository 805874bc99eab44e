import { buildWithNpm } from '../build-with-npm.mjs';

buildWithNpm(new URL('.', import.meta.url), {
  packages: { vitepress: '1.5.0', vue: '3.5.13' },
  minorPackages: { vitepress: '1.6.4', vue: '3.5.22' },
  command: ['vitepress', 'build'],
  output: '.vitepress/dist',
});

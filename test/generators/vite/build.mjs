import { buildWithNpm } from '../build-with-npm.mjs';

buildWithNpm(new URL('.', import.meta.url), {
  packages: { vite: '7.0.6' },
  minorPackages: { vite: '8.3.8' },
  command: ['vite', 'build'],
  output: 'dist',
});

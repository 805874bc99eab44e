import { buildWithNpm } from '../build-with-npm.mjs';

const at = (version) => ({
  '@11ty/eleventy': version,
  '@11ty/eleventy-plugin-syntaxhighlight': '5.0.1',
  'markdown-it-container': '4.0.0',
});

buildWithNpm(new URL('.', import.meta.url), {
  packages: at('3.0.0'),
  minorPackages: at('3.1.2'),
  command: ['eleventy'],
  output: '_site',
});

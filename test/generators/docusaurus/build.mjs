import { buildWithNpm } from '../build-with-npm.mjs';

const at = (version) => ({
  '@docusaurus/core': version,
  '@docusaurus/preset-classic': version,
  react: '19.2.0',
  // Later versions refuse what the progress bar of Docusaurus asks for.
  webpack: '5.99.9',
  'react-dom': '19.2.0',
});

buildWithNpm(new URL('.', import.meta.url), {
  packages: at('3.8.1'),
  // The search box of 3.9 takes any later version of its package, of which not all can be installed.
  minorPackages: { ...at('3.9.2'), '@docsearch/react': '4.7.0' },
  command: ['docusaurus', 'build'],
  output: 'build',
});

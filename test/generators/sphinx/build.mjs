// Sphinx with the theme of Read the Docs; `SPHINX_NEXT` names a folder with the Python packages of another version, for `minor`.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { keepHtml } from '../keep-html.mjs';

const NEXT = process.env.SPHINX_NEXT;
/** Of the last change; a rebuild is of another day. */
const BUILT = { base: '1767225600', rebuild: '1769990400' };

const variants = [
  'base',
  'rebuild',
  'new-page',
  'bump',
  'layout',
  'theme',
  'alabaster',
  'edited',
  ...(NEXT ? ['minor'] : []),
];
keepHtml(new URL('.', import.meta.url), variants, (sources, variant) => {
  const site = join(sources, '../out');
  const env = {
    ...process.env,
    SOURCE_DATE_EPOCH: BUILT[variant] ?? BUILT.base,
    ...(variant === 'minor' && { PYTHONPATH: NEXT }),
  };
  const flags = ['-q', '-b', 'html', '-d', join(sources, '../doctrees')];
  execFileSync('/usr/bin/python3', ['-m', 'sphinx', ...flags, sources, site], {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return site;
});

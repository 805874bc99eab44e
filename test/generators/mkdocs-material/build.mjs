// MkDocs with the theme Material; `MKDOCS_NEXT` names a folder with the Python packages of another version, for `minor`.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { keepHtml } from '../keep-html.mjs';

const NEXT = process.env.MKDOCS_NEXT;
/** Of the last change; a rebuild is of another day. */
const BUILT = { base: '1767225600', rebuild: '1769990400' };

const variants = ['base', 'rebuild', 'new-page', 'bump', 'theme', 'edited', ...(NEXT ? ['minor'] : [])];
keepHtml(new URL('.', import.meta.url), variants, (sources, variant) => {
  const site = join(sources, '../out');
  const env = {
    ...process.env,
    SOURCE_DATE_EPOCH: BUILT[variant] ?? BUILT.base,
    ...(variant === 'minor' && { PYTHONPATH: NEXT }),
  };
  execFileSync('/usr/bin/python3', ['-m', 'mkdocs', 'build', '--quiet', '--site-dir', site], { cwd: sources, env });
  return site;
});

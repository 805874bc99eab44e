// Hexo; `HEXO` names a folder in which its packages are installed, `HEXO_OTHER` one with another version of them, for `minor`.
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, statSync, symlinkSync, utimesSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { keepHtml } from '../keep-html.mjs';

const [hexo, other] = [process.env.HEXO, process.env.HEXO_OTHER];
if (hexo === undefined) throw new Error('HEXO must name the folder where hexo is installed.');
/** When the files of the site were written: Hexo tells that in each page. */
const WRITTEN = { base: 1767225600, rebuild: 1769990400 };

const variants = ['base', 'rebuild', 'new-page', 'bump', 'theme', 'edited', ...(other ? ['minor'] : [])];
keepHtml(new URL('.', import.meta.url), variants, (sources, variant) => {
  const packages = resolve(variant === 'minor' ? other : hexo);
  symlinkSync(join(packages, 'node_modules'), join(sources, 'node_modules'));
  cpSync(join(packages, 'package.json'), join(sources, 'package.json'));
  const written = WRITTEN[variant] ?? WRITTEN.base;
  for (const file of readdirSync(join(sources, 'source'), { recursive: true })) {
    const path = join(sources, 'source', file);
    if (statSync(path).isFile()) utimesSync(path, written, written);
  }
  const main = join(packages, 'node_modules/hexo/bin/hexo');
  execFileSync(process.execPath, [main, 'generate', '--silent'], { cwd: sources, stdio: 'inherit' });
  return join(sources, 'public');
});

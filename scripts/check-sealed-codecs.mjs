// Compiles src/codecs with only the language and scripts/sealed-globals.d.ts: no Node, no DOM. Then compiles planted breaches, each of which the compiler must
// refuse: this proves that the seal works.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const BREACHES = {
  'process-env.ts': 'export const home = process.env.HOME;',
  'global-fetch.ts': "export const answer = fetch('https://example.com/');",
  'node-import.ts': "import { readFileSync } from 'node:fs';\nexport const text = readFileSync('x', 'utf8');",
  'timer.ts': 'setTimeout(() => {}, 1);\nexport {};',
  'buffer.ts': "export const bytes = Buffer.from('x');",
};

/** The compiler errors for a missing name or module, with the file. */
const NOT_FOUND = /([\w-]+\.ts)\(\d+,\d+\): error TS(?:2304|2307|2552|2580|2584|2591):/g;

const root = fileURLToPath(new URL('..', import.meta.url));
mkdirSync(join(root, '.tmp'), { recursive: true });
const planted = mkdtempSync(join(root, '.tmp', 'sealed-'));
try {
  const codecs = compile('tsconfig.codecs.json');
  if (codecs.status !== 0) fail(`The codecs reach outside:\n${codecs.stdout}${codecs.stderr}`);

  for (const [name, source] of Object.entries(BREACHES)) writeFileSync(join(planted, name), source);
  writeFileSync(
    join(planted, 'tsconfig.json'),
    JSON.stringify({
      extends: '../../tsconfig.codecs.json',
      compilerOptions: { rootDir: '../..' },
      include: ['*.ts', '../../scripts/sealed-globals.d.ts'],
      exclude: [],
    }),
  );
  const breaches = compile(planted);
  const refused = [...breaches.stdout.matchAll(NOT_FOUND)].map(([, name]) => name);
  const missed = Object.keys(BREACHES).filter((name) => !refused.includes(name));
  if (missed.length > 0) fail(`The seal lets through: ${missed.join(', ')}\n${breaches.stdout}${breaches.stderr}`);
  else if (codecs.status === 0)
    console.log(`codecs are sealed; ${Object.keys(BREACHES).length} planted breaches refused`);
} finally {
  rmSync(planted, { recursive: true, force: true });
}

function compile(project) {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  return spawnSync(process.execPath, [tsc, '--noEmit', '-p', project], {
    cwd: root,
    encoding: 'utf8',
    timeout: 120_000,
  });
}

function fail(message) {
  console.error(message);
  process.exitCode = 1;
}

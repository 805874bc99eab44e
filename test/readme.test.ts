import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const README = readFileSync('README.md', 'utf8');

test('the README shows what npm start prints', async () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  const [, command = ''] = scripts.start?.split('&& node ') ?? [];
  const data = mkdtempSync(join(tmpdir(), 'tidings-readme-'));
  onTestFinished(() => rmSync(data, { recursive: true, force: true }));
  const hub = spawn(process.execPath, [...command.split(' '), '--port', '0', '--data', data]);
  const closed = new Promise((resolve) => hub.on('close', resolve));
  let stdout = '';
  for await (const text of hub.stdout.setEncoding('utf8')) {
    stdout += text;
    if (stdout.endsWith('stops it.\n')) hub.kill('SIGTERM');
  }
  expect(await closed).toBe(0);
  expect(withoutPort(blockAfter(README, 'output of npm start'))).toBe(withoutPort(stdout));
});

test('the snippets in README and guides are the examples', () => {
  const pages = ['README.md', ...readdirSync('docs/guides').map((name) => `docs/guides/${name}`)];
  const snippets = pages.flatMap((page) => snippetsOf(readFileSync(page, 'utf8')));
  expect(snippets.map(({ file }) => file)).toEqual(
    expect.arrayContaining(['examples/hub.mjs', 'examples/publish.mjs', 'examples/follow.mjs', 'examples/check.mjs']),
  );
  for (const { file, code } of snippets) expect(code, file).toBe(readFileSync(file, 'utf8'));
});

test('a changed snippet and a changed output are noticed', () => {
  const page =
    '<!-- output of npm start -->\n```text\nat http://127.0.0.1:1/\n```\n<!-- examples/a.mjs -->\n```js\nb();\n```\n';
  expect(snippetsOf(page)).toEqual([{ file: 'examples/a.mjs', code: 'b();\n' }]);
  expect(withoutPort(blockAfter(page, 'output of npm start'))).toBe('at http://127.0.0.1:PORT/\n');
  expect(() => blockAfter(page, 'output of npm test')).toThrow('output of npm test');
});

test.each(['package-lock.json', 'docs/package-lock.json'])(
  'npm ci finds every platform package of every tool in %s',
  (lock) => {
    const { packages } = JSON.parse(readFileSync(lock, 'utf8')) as {
      packages: Record<string, { optionalDependencies?: Record<string, string> }>;
    };
    const needed = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).map((name) => ({ path, name })),
    );
    expect(needed.length).toBeGreaterThan(40);
    const missing = needed.filter(({ path, name }) => {
      return !(`${path}/node_modules/${name}` in packages) && !(`node_modules/${name}` in packages);
    });
    expect(missing).toEqual([]);
  },
);

/** The fenced block below `<!-- marker -->`. */
function blockAfter(page: string, marker: string): string {
  const [, block] = page.match(new RegExp(`<!-- ${marker} -->\\n+\`\`\`\\w*\\n([\\s\\S]*?)^\`\`\``, 'm')) ?? [];
  if (block === undefined) throw new Error(`no block is marked "${marker}"`);
  return block;
}

function snippetsOf(page: string): { file: string; code: string }[] {
  const marked = page.matchAll(/<!-- (examples\/[\w./-]+) -->/g);
  return [...marked].map(([, file = '']) => ({ file, code: blockAfter(page, file) }));
}

function withoutPort(text: string): string {
  return text.replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT');
}

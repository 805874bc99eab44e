import { expect, test } from 'vitest';
import { tidingsCached as tidings, tidingsHere } from './support/tidings-here.ts';
import { FILE_PATH, openLab } from './support/verification-lab.ts';

test('issue, publish, check: what to publish is printed, then what was seen from whom', async () => {
  const lab = await openLab();
  const state = ['--state', lab.state];
  const issued = await tidings('verify-domain', 'Example.test', '--issue', ...state);
  expect(issued).toMatchObject({ code: 0, stderr: '' });
  const value = /aiwi-verify=[0-9a-f]{64}/.exec(issued.stdout)?.[0] ?? '';
  expect(issued.stdout).toContain('_aiwebindex-verify.example.test');
  expect(issued.stdout).toContain('https://example.test/.well-known/aiwebindex-verify.txt');

  const ports = ['--https-port', String(lab.site.port), '--dns-port', String(lab.dns.port)];
  const cache = ['--cache', `${lab.state}/cache`, '--bot-url', 'https://us.test/bot'];
  const laboratory = ['--resolver', lab.dns.address, ...cache, '--ca', lab.ca, '--allow-private', ...ports, ...state];
  const check = (...args: string[]) => tidings('verify-domain', 'example.test', '--check', ...laboratory, ...args);
  const early = await check();
  expect(early.code).toBe(3);
  expect(early.stdout).toContain(`${lab.dns.address}: no such name`);
  expect(early.stdout).toContain('status 404');
  expect(early.stderr).toContain(value);
  expect(early.stderr).toContain('needs time');

  lab.site.put('example.test', FILE_PATH, { body: `# ours\n${value}\n` });
  const byFile = await check();
  expect(byFile).toMatchObject({ code: 0, stderr: '' });
  expect(byFile.stdout).toContain('example.test is verified by its file.');
  expect(lab.site.asked.at(-1)?.userAgent).toBe('AIWebIndex/2.0 verification (+https://us.test/bot)');

  lab.site.put('example.test', FILE_PATH, { status: 404 });
  lab.dns.put('_aiwebindex-verify.example.test', 'TXT', value);
  const { code, stdout } = await check('--json', '--resolver', '127.0.0.1:1');
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    domain: 'example.test',
    verified: true,
    method: 'dns',
    dns: {
      name: '_aiwebindex-verify.example.test',
      sightings: expect.arrayContaining([{ server: lab.dns.address, role: 'resolver', outcome: 'match' }]),
    },
    remedy: null,
  });

  const again = await tidings('verify-domain', 'example.test', '--issue', '--json', ...state);
  expect(JSON.parse(again.stdout)).toMatchObject({ domain: 'example.test', replaced: true });
  expect((await check('--json')).code).toBe(3);
});

test('what makes no sense is refused with 2 and says what to do', async () => {
  const lab = await openLab();
  const state = ['--state', lab.state];
  const refusals: [string[], string][] = [
    [['example.test', '--check', ...state], 'tidings verify-domain example.test --issue'],
    [['example.test', ...state], 'either --issue or --check'],
    [['example.test', '--issue', '--check', ...state], 'either --issue or --check'],
    [['co.uk', '--issue', ...state], 'public suffix'],
    [['https://example.test/', '--issue', ...state], 'give the name alone'],
    [['example.test', '--check', '--resolver', 'dns.test', ...state], '--resolver dns.test'],
    [['example.test', '--issue'], '--state'],
    [[], 'missing required argument'],
  ];
  for (const [args, words] of refusals) {
    const { code, stdout, stderr } = await tidingsHere('verify-domain', ...args);
    expect([code, stdout], args.join(' ')).toEqual([2, '']);
    expect(stderr).toContain(words);
  }
});

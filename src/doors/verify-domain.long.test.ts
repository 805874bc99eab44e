import { expect, test } from 'vitest';
import { clause } from '../../test/clause.ts';
import { startDnsServer } from '../../test/support/dns-server.ts';
import { temporaryFolder } from '../../test/support/site.ts';
import { FILE_PATH, openLab } from '../../test/support/verification-lab.ts';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import { randomToken } from '../io/node/random-token.ts';
import { issueVerification } from '../verify/verify-domain.ts';
import { checkDomain, issueToken } from './verify-domain.ts';

const RECORD = '_aiwebindex-verify.example.test';

clause(['AWI-V1', 'AWI-V2'], 'the record alone is enough, and so is the file alone', async () => {
  const lab = await openLab();
  const value = await lab.issue('example.test');
  expect(await lab.check('example.test')).toMatchObject({ verified: false, method: null });

  lab.dns.put(RECORD, 'TXT', value);
  expect(await lab.check('example.test')).toMatchObject({ verified: true, method: 'dns', remedy: null });
  lab.dns.remove(RECORD);
  expect(await lab.check('example.test')).toMatchObject({ verified: false });

  lab.site.put('example.test', FILE_PATH, { body: `${value}\n` });
  expect(await lab.check('example.test')).toMatchObject({ verified: true, method: 'file', remedy: null });
});

clause('AWI-V3', 'the owner is told the exact name and value, and the URL and body of the file', async () => {
  using folder = temporaryFolder();
  const { domain, token, publish, replaced } = await issueToken('Example.COM.', { state: folder.path });
  expect(domain).toBe('example.com');
  expect(replaced).toBe(false);
  expect(publish).toEqual({
    dns: { name: '_aiwebindex-verify.example.com', type: 'TXT', value: `aiwi-verify=${token}` },
    file: { url: 'https://example.com/.well-known/aiwebindex-verify.txt', body: `aiwi-verify=${token}\n` },
  });
  const international = await issueToken('münchen.de', { state: folder.path });
  expect(international.publish.dns.name).toBe('_aiwebindex-verify.xn--mnchen-3ya.de');
});

clause('AWI-V4', 'the zone’s own server is asked for exactly this record, and its word is enough', async () => {
  const lab = await openLab();
  await using own = await startDnsServer('127.0.0.2');
  lab.dns.put('example.test', 'NS', 'ns.example.test');
  lab.dns.put('ns.example.test', 'A', '127.0.0.2');
  own.put(RECORD, 'TXT', await lab.issue('example.test'));
  const report = await lab.check('example.test', { dnsPort: own.port });
  expect(report).toMatchObject({ verified: true, method: 'dns', dns: { name: RECORD, zone: 'example.test' } });
  expect(report.dns.sightings).toContainEqual({
    server: own.address,
    role: 'authoritative',
    host: 'ns.example.test',
    outcome: 'match',
  });
  expect(own.questions).toEqual([{ name: RECORD, type: 'TXT', over: 'udp' }]);
  expect(lab.dns.questions).toContainEqual({ name: RECORD, type: 'TXT', over: 'udp' });
});

clause('AWI-V4', 'a resolver that already knows does not keep the zone’s own server from being asked', async () => {
  const lab = await openLab();
  await using own = await startDnsServer('127.0.0.2');
  lab.dns.put('example.test', 'NS', 'ns.example.test');
  lab.dns.put('ns.example.test', 'A', '127.0.0.2');
  lab.dns.put(RECORD, 'TXT', await lab.issue('example.test'));
  own.fault = 'silent';
  expect(await lab.check('example.test', { dnsPort: own.port })).toMatchObject({ verified: true, method: 'dns' });
  await expect.poll(() => own.questions).toEqual([{ name: RECORD, type: 'TXT', over: 'udp' }]);
});

clause('AWI-V5', 'resolvers are asked side by side: one that is silent is not waited for', async () => {
  const lab = await openLab();
  await using silent = await startDnsServer();
  await using good = await startDnsServer();
  silent.fault = 'silent';
  good.put(RECORD, 'TXT', await lab.issue('example.test'));
  const resolvers = [silent.address, lab.dns.address, good.address];
  const { verified, dns } = await lab.check('example.test', { resolvers });
  expect(verified).toBe(true);
  expect(silent.questions.map(({ name, type }) => `${type} ${name}`)).toContain(`TXT ${RECORD}`);
  const outcomes = Object.fromEntries(dns.sightings.map(({ server, outcome }) => [server, outcome]));
  expect(outcomes[silent.address]).toBe('not-awaited');
  expect(outcomes[good.address]).toBe('match');
});

test('what each server says is told apart, and nothing of it is taken for the token', async () => {
  const lab = await openLab();
  const value = await lab.issue('example.test');
  await using failing = await startDnsServer();
  await using garbled = await startDnsServer();
  await using other = await startDnsServer();
  failing.fault = 'SERVFAIL';
  garbled.fault = 'cut';
  garbled.put(RECORD, 'TXT', value);
  const near = [
    `${value}0`,
    value.slice(0, -1),
    ` ${value}`,
    value.toUpperCase(),
    `x ${value} y`,
    value.replace('aiwi-verify=', ''),
  ];
  other.put(RECORD, 'TXT', ...near);
  const resolvers = [lab.dns.address, failing.address, garbled.address, other.address];
  const { verified, dns, remedy } = await lab.check('example.test', { resolvers });
  expect(verified).toBe(false);
  expect(dns.sightings.map(({ outcome }) => outcome)).toEqual([
    'no-such-name',
    'server-failure',
    'garbled',
    'other-values',
  ]);
  expect(dns.sightings.at(-1)?.values).toEqual(near.slice(0, 5));
  expect(remedy).toContain('only the one that was issued last counts');
  expect(remedy).toContain('needs time');
});

test('the value counts among others, in one string or several', async () => {
  const lab = await openLab();
  const value = await lab.issue('example.test');
  lab.dns.put(RECORD, 'TXT', 'v=spf1 -all', [value.slice(0, 9), value.slice(9)], 'aiwi-verify=older');
  expect(await lab.check('example.test')).toMatchObject({ verified: true, method: 'dns' });
});

test('neither the parent’s record nor that of a subdomain counts, nor one at the domain itself', async () => {
  const lab = await openLab();
  const value = await lab.issue('docs.example.test');
  for (const name of [RECORD, '_aiwebindex-verify.x.docs.example.test', 'docs.example.test', 'example.test']) {
    lab.dns.put(name, 'TXT', value);
  }
  expect(await lab.check('docs.example.test')).toMatchObject({ verified: false });
  lab.dns.put('_aiwebindex-verify.docs.example.test', 'TXT', value);
  expect(await lab.check('docs.example.test')).toMatchObject({ verified: true });
});

test('a zone cannot make us ask a private address', async () => {
  const lab = await openLab();
  await using inside = await startDnsServer('127.0.0.2');
  lab.dns.put('example.test', 'NS', 'ns.example.test');
  lab.dns.put('ns.example.test', 'A', '127.0.0.2');
  inside.put(RECORD, 'TXT', await lab.issue('example.test'));
  const { verified, dns, file } = await lab.check('example.test', { dnsPort: inside.port, allowPrivate: false });
  expect(verified).toBe(false);
  expect(dns.sightings[0]).toMatchObject({ host: 'ns.example.test', outcome: 'not-asked' });
  expect(inside.questions).toEqual([]);
  expect(file).toMatchObject({ outcome: 'failed', reason: expect.stringContaining('not a public address') });
  expect(lab.site.asked).toEqual([]);
});

clause('AWI-SE1', 'a token has 256 bits from the system’s source, and 10,000 of them never repeat', () => {
  const tokens = Array.from({ length: 10_000 }, randomToken);
  for (const token of tokens) expect(token).toMatch(/^[0-9a-f]{64}$/);
  expect(new Set(tokens).size).toBe(10_000);
});

clause('AWI-PR4', 'a token is opaque: nothing of the domain or of a person is in it', async () => {
  using folder = temporaryFolder();
  const { token } = await issueToken('example.com', { state: folder.path });
  expect(token).toMatch(/^[0-9a-f]{64}$/);
});

clause('AWI-SE2', 'every issuance is a new token, and the earlier one counts no longer', async () => {
  const lab = await openLab();
  const earlier = await lab.issue('example.test');
  lab.dns.put(RECORD, 'TXT', earlier);
  expect(await lab.check('example.test')).toMatchObject({ verified: true });
  const later = await issueToken('example.test', { state: lab.state });
  expect(later.replaced).toBe(true);
  expect(later.publish.dns.value).not.toBe(earlier);
  expect(await lab.check('example.test')).toMatchObject({ verified: false });
  lab.dns.put(RECORD, 'TXT', later.publish.dns.value);
  expect(await lab.check('example.test')).toMatchObject({ verified: true });
});

clause('AWI-SE3', 'the token of one domain verifies no other, and is never given to another', async () => {
  const lab = await openLab();
  const ofA = await lab.issue('a.github.io');
  const ofB = await lab.issue('b.github.io');
  expect(ofA).not.toBe(ofB);
  lab.dns.put('_aiwebindex-verify.b.github.io', 'TXT', ofA);
  lab.site.put('b.github.io', FILE_PATH, { body: ofA });
  expect(await lab.check('b.github.io')).toMatchObject({
    verified: false,
    file: { outcome: 'no-such-line' },
    dns: { sightings: [{ outcome: 'other-values' }] },
  });

  const given = ['same', 'same', 'fresh'];
  const { createFileTokenStore } = await import('../io/state/token-store.ts');
  const ports = { tokens: createFileTokenStore(lab.state), newToken: () => given.shift() ?? 'same', now: () => 0 };
  expect(await issueVerification('one.test', ports)).toMatchObject({ token: 'same' });
  expect(await issueVerification('two.test', ports)).toMatchObject({ token: 'fresh' });
  await expect(issueVerification('three.test', ports)).rejects.toThrow('repeats itself');
});

test('without a token, with a bad domain or a bad resolver nothing is asked', async () => {
  const lab = await openLab();
  await expect(lab.check('example.test')).rejects.toThrow(expect.objectContaining({ name: 'NoTokenError' }));
  await expect(lab.check('example.test')).rejects.toThrow('tidings verify-domain example.test --issue');
  await expect(lab.check('127.0.0.1')).rejects.toThrow(expect.objectContaining({ name: 'DomainRefusedError' }));
  await expect(issueToken('co.uk', { state: lab.state })).rejects.toThrow(
    expect.objectContaining({ name: 'DomainRefusedError' }),
  );
  await lab.issue('example.test');
  await expect(lab.check('docs.example.test'), 'a parent’s token').rejects.toThrow(
    expect.objectContaining({ name: 'NoTokenError' }),
  );
  await expect(lab.check('example.test', { resolvers: ['dns.test'] })).rejects.toThrow(SettingRefusedError);
  await expect(lab.check('example.test', { httpsPort: 70_000 })).rejects.toThrow(SettingRefusedError);
  await expect(lab.check('example.test', { botUrl: 'https://x/\r\ny: z' })).rejects.toThrow(SettingRefusedError);
  expect([lab.dns.questions, lab.site.asked]).toEqual([[], []]);
});

test('the caller’s signal ends a check', async () => {
  const lab = await openLab();
  await lab.issue('example.test');
  lab.dns.fault = 'silent';
  const controller = new AbortController();
  const checking = checkDomain('example.test', {
    state: lab.state,
    resolvers: [lab.dns.address],
    signal: controller.signal,
  });
  controller.abort();
  await expect(checking).rejects.toThrow('aborted');
});

test.each([[undefined], [{}], [{ state: '' }], [{ state: 7 }]])(
  'without a folder for tokens (%j) the setting is named',
  async (given) => {
    const options = given as unknown as { state: string };
    for (const call of [issueToken, checkDomain]) {
      const error = await call('example.com', options).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(SettingRefusedError);
      expect(error).toMatchObject({ setting: 'state', message: expect.stringContaining("{ state: './state' }") });
    }
  },
);

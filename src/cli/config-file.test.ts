import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/support/site.ts';
import { applyConfig } from './apply-config.ts';
import { readConfigFile } from './config-file.ts';
import { addCrawlOptions } from './crawl-options.ts';
import type { World } from './world.ts';

const worldOf = (env: World['env'] = {}): World => ({
  env,
  isTerminal: false,
  version: '0.0.0',
  signal: new AbortController().signal,
  print: async () => {},
  complain: () => {},
  status: () => {},
});

/** The options of a verb that reads the web, after a config of this text. */
function optionsAfter(text: string, args: string[] = [], env: World['env'] = {}): Record<string, unknown> {
  using folder = temporaryFolder();
  folder.write({ 'tidings.config.json': text });
  const command = addCrawlOptions(new Command().option('--site <url>'));
  command.parse(args, { from: 'user' });
  const config = readConfigFile(join(folder.path, 'tidings.config.json'));
  if (config === undefined) throw new Error('the file was not read');
  applyConfig(command, { ...config, folder: '/srv' }, worldOf(env));
  return command.opts();
}

test('keys become the values of options, and paths begin at the file', () => {
  expect(
    optionsAfter('{"$schema":"x","botUrl":"https://a.example/bot","cooldownMs":5000,"ca":"ca.pem","cache":"/c"}'),
  ).toEqual({ botUrl: 'https://a.example/bot', cooldown: 5000, ca: '/srv/ca.pem', cache: '/c' });
});

test('a byte order mark is no part of it', () => {
  expect(optionsAfter('\uFEFF{"site":"https://docs.example"}')).toEqual({ site: 'https://docs.example/' });
});

test('a flag counts more, and keys of the hub are no options', () => {
  const config = '{"cooldownMs":5000,"site":"https://a.example/","port":80,"sources":[],"data":"x"}';
  expect(optionsAfter(config, ['--cooldown', '7'])).toEqual({ cooldown: 7, site: 'https://a.example/' });
});

test.each([
  ['{"allowPrivate":true}', {}, true],
  ['{"allowPrivate":true}', { TIDINGS_ALLOW_PRIVATE: '0' }, undefined],
  ['{"allowPrivate":false}', {}, false],
  ['{}', {}, undefined],
])('private addresses: %s with %j sets the option to %s', (text, env, value) => {
  expect(optionsAfter(text, [], env).allowPrivate).toBe(value);
});

test('a source of the hub that is wrong is refused by every verb, and how fast is too fast depends on the flag', () => {
  const config = '{"sources":[{"id":"a","kind":"site","url":"http://127.0.0.1/","intervalSeconds":2}]}';
  expect(() => optionsAfter(config)).toThrow(/sources\[0\]\.intervalSeconds 2 is refused/);
  expect(() => optionsAfter(config, ['--allow-private'])).not.toThrow();
});

test.each([
  ['{"boturl":"x"}', /: boturl \(an unknown key\) is refused\. Did you mean botUrl\? Known are/],
  ['{"__proto__":"x"}', /__proto__/],
  ['{"cooldownMs":"2s"}', /cooldownMs "2s".*whole number/],
  ['{"ca":""}', /ca ""/],
  ['[]', /one JSON object|JSON object/],
  ['{', /not JSON/],
  ['', /not JSON/],
  ['{"port":80,"port":81}', /: port \(twice\) is refused/],
  ['{"sources":[{"id":"a","kind":"site","kind":"page"}]}', /: sources\[0\]\.kind \(twice\)/],
  [`{"${'k'.repeat(120)}":1,"${'k'.repeat(120)}":1}`, /: k{100} \(twice\)/],
  [`{"port":80,"port":81`, /not JSON/],
])('%s is refused by name', (text, message) => {
  expect(() => optionsAfter(text)).toThrow(message);
  expect(() => optionsAfter(text)).not.toThrow(/ {2}/);
});

test.each(['[', '{"sources":', '{"port":['])('a hundred thousand %s are refused by their depth', (opening) => {
  expect(() => optionsAfter(opening.repeat(100_000))).toThrow(/is refused\. It is nested deeper than 64 levels/);
});

test('a file that is not UTF-8 is refused', () => {
  using folder = temporaryFolder();
  const file = join(folder.path, 'c.json');
  for (const bytes of [Buffer.from('{"title":"caf\xe9"}', 'latin1'), Buffer.from('\uFEFF{}', 'utf16le')]) {
    writeFileSync(file, bytes);
    expect(() => readConfigFile(file)).toThrow(/c\.json \(as a whole\) is refused\. It is not UTF-8/);
  }
});

test('a file that is named must be there and be one', () => {
  using folder = temporaryFolder();
  expect(() => readConfigFile(join(folder.path, 'missing.json'))).toThrow(
    /--config .*missing\.json is refused.*ENOENT/,
  );
  expect(() => readConfigFile(folder.path)).toThrow(/--config .*EISDIR/);
});

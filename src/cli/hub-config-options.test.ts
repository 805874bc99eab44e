import { resolve } from 'node:path';
import { Command } from 'commander';
import { expect, test } from 'vitest';
import { applyConfig } from './apply-config.ts';
import { addServerOptions, readHubConfig } from './hub-config-options.ts';
import type { World } from './world.ts';

/** The settings of a hub that is started with these arguments, variables and file. */
function configOf(args: string[], { env = {}, file }: { env?: Record<string, string>; file?: object } = {}) {
  const world: World = {
    env,
    isTerminal: false,
    version: '0.0.0',
    signal: new AbortController().signal,
    print: async () => {},
    complain: () => {},
    status: () => {},
    ...(file !== undefined && { config: { file: 'hub.json', folder: '/srv', value: file } }),
  };
  const command = addServerOptions(new Command())
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
  const before = { ...process.env };
  Object.assign(process.env, env);
  try {
    command.parse(args, { from: 'user' });
  } finally {
    process.env = before;
  }
  if (world.config !== undefined) applyConfig(command, world.config, world);
  return readHubConfig(command.opts(), world);
}

test('nothing said: the defaults, with data in the working folder', () => {
  expect(configOf([])).toMatchObject({ host: '127.0.0.1', port: 8080, data: resolve('data'), allowPrivate: false });
});

const FILE = {
  host: '::1',
  port: 1,
  data: 'd',
  baseUrl: 'https://file.example/',
  botUrl: 'https://file.example/bot',
  cooldownMs: 1,
  ca: 'ca.pem',
  allowPrivate: true,
};

test('the file, with paths that begin where it is', () => {
  expect(configOf([], { file: FILE })).toMatchObject({ ...FILE, data: '/srv/d', ca: '/srv/ca.pem' });
});

const VARIABLES = {
  TIDINGS_HOST: '0.0.0.0',
  TIDINGS_PORT: '2',
  TIDINGS_DATA: 'v',
  TIDINGS_BASE_URL: 'https://variable.example',
  TIDINGS_ALLOW_PRIVATE: '0',
};

test('variables count more than the file, and flags more than both', () => {
  const said = configOf([], { file: FILE, env: VARIABLES });
  expect(said).toMatchObject({ host: '0.0.0.0', port: 2, data: resolve('v'), allowPrivate: false });
  expect(said).toMatchObject({ baseUrl: 'https://variable.example/', cooldownMs: 1 });
  const flags = [
    '--port',
    '0',
    '--host',
    'localhost',
    '--data',
    'f',
    '--allow-private',
    '--base-url',
    'https://f.example/x',
  ];
  expect(configOf(flags, { file: FILE, env: VARIABLES })).toMatchObject({
    host: 'localhost',
    port: 0,
    data: resolve('f'),
    baseUrl: 'https://f.example/x/',
    allowPrivate: true,
  });
});

test.each<[string[], Record<string, string>, RegExp]>([
  [['--port', '65536'], {}, /--port 65536/],
  [['--port', '-1'], {}, /--port/],
  [['--host', 'a:1'], {}, /--host "a:1"/],
  [['--data', ''], {}, /--data/],
  [['--base-url', 'hub.example'], {}, /--base-url "hub\.example"/],
  [[], { TIDINGS_PORT: 'http' }, /TIDINGS_PORT/],
  [[], { TIDINGS_ALLOW_PRIVATE: 'maybe' }, /TIDINGS_ALLOW_PRIVATE maybe/],
])('%j with %j is refused by name', (args, env, message) => {
  expect(() => configOf(args, { env })).toThrow(message);
});

// Runs every example against a copy of examples/site, each within a time limit, and reports failures. Needs a build: the examples import the package by its
// name.
import { spawn, spawnSync } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publish } from 'tidings';
import { announceEndpoint, changeSchema, newSigningKey } from 'tidings/agent-feed';
import { serveFolder } from '../examples/serve-folder.mjs';

const LIMIT_MS = 60_000;
const examples = fileURLToPath(new URL('../examples', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'tidings-examples-'));
const built = join(folder, 'built');
const served = join(folder, 'served');
for (const copy of [built, served]) await cp(join(examples, 'site'), copy, { recursive: true });
const server = await serveFolder(served);

try {
  await publish({ dir: served, site: server.url, cleanUrls: true, force: true });
  await announceApi({ dir: served, site: server.url, key: join(folder, 'key.json'), force: true });
  await run('quickstart.mjs', [], /update http\S+#tiers/);
  await run('publish.mjs', [built, 'https://docs.example/'], /^create https:\/\/docs\.example\/pricing\.html$/m);
  await run('hub.mjs', [built, join(folder, 'hub')], /^create https:\/\/docs\.example\/pricing\.html$/m);
  await run('webhooks.mjs', [built, join(folder, 'told')], /^create https:\/\/docs\.example\/pricing\.html$/m);
  await run('check.mjs', [built], /^0 findings$/m);
  await run('follow.mjs', [server.url, join(folder, 'follower'), '--allow-private'], /^index http\S+\/pricing /m);
  // By its pages, like a site without a feed.
  const follower = [
    ...[process.execPath, fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))],
    ...['follow', server.url, '--dialect', 'pages', '--once', '--content'],
    ...['--allow-private', '--cooldown', '0', '--cache', join(folder, 'follow-py')],
  ];
  if (hasPython()) await run('follow.py', follower, /^create http\S+\/pricing$[\s\S]*^\d+ entries$/m, 'python3');
  else console.log('skipped examples/follow.py: there is no python3 here');
  // Neither a new reader nor one after an unchanged run has missed any runs.
  await run(
    'diffdelta.mjs',
    [`${server.url}diff/head.json`],
    /^(?![\s\S]*missed)[\s\S]*^new http\S+\/pricing [\s\S]*^keep sha256:/m,
  );
  await run(
    'harvest.mjs',
    [server.url, join(folder, 'feeds'), join(folder, 'harvest'), '--allow-private'],
    /: \d+ changes in \S+\.atom$/m,
  );
  const answers = /^rest orders-api 1\.1 http\S+\/orders$[\s\S]*"expected-but-missing":\["\/total"\]/m;
  await run('agent-feed.mjs', [server.url, join(folder, 'reader'), '--allow-private'], answers);
  const question = 'What do messages beyond a tier cost?';
  const cited = /^\d+ sections, \d+ chunks$[\s\S]*^see http\S+\/pricing#overage$/m;
  await run('rag-langchain.mjs', [server.url, join(folder, 'rag'), question, '--allow-private'], cited);
  const answered = /^\d+ sections, \d+ embeddings$[\s\S]*^see http\S+\/pricing#overage$[\s\S]*\n\n\S/m;
  await run('rag-ai-sdk.mjs', [server.url, join(folder, 'rag-ai'), question, '--allow-private'], answered);
  await run('doc.mjs', [`${server.url}pricing`, join(folder, 'cache'), '--allow-private'], /^# Pricing$/m);
} finally {
  await server.close();
  await rm(folder, { recursive: true, force: true });
}

async function announceApi(target) {
  await newSigningKey(target);
  await announceEndpoint(target, { endpointId: 'orders-api', endpoint: '/orders', protocol: 'rest', version: '1.0' });
  const migration = { rename: { '/amount': '/total' } };
  await changeSchema(target, { endpointId: 'orders-api', from: '1.0', to: '1.1', migration });
}

function hasPython() {
  return spawnSync('python3', ['--version']).status === 0;
}

/** An example passes if it ends by itself with 0 and prints what it should show. */
async function run(name, args, expected, program = process.execPath) {
  const child = spawn(program, [join(examples, name), ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LIMIT_MS,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (text) => {
      output += text;
    });
  }
  const { code, signal } = await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal }));
  });
  const passed = code === 0 && expected.test(output);
  console.log(`${passed ? 'ok    ' : 'FAILED'} examples/${name}`);
  if (passed) return;
  console.error(`${output}\nexit ${code ?? signal}; expected 0 and ${expected}`);
  process.exitCode = 1;
}

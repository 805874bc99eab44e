import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type AgentFeedOrigin, agentFeedOrigin } from './agent-feed-origin.ts';
import type { CliResult } from './cli.ts';

import { createTestAuthority, type TestCertificate } from './test-ca.ts';
import { startTlsSite, type TlsSite } from './tls-site.ts';

export const readAuthority = createTestAuthority();

export interface ReadJson {
  readonly [key: string]: unknown;
  readonly endpoints: readonly { readonly endpointId: string }[];
  readonly events: readonly { readonly event: string }[];
}

export interface ReadLab {
  readonly api: LabOrigin;
  /** The folder of `reader.db`. */
  readonly folder: string;
  /** A PEM file for readers. */
  readonly ca: string;
  /** Runs `tidings read` for the origin. `--state` names a file that all runs share. */
  read(...args: string[]): Promise<CliResult & { readonly json: ReadJson }>;
  /** Undefined writes a file that is not JSON. */
  file(name: string, value: unknown): Promise<string>;
}

export interface LabOrigin extends AgentFeedOrigin {
  readonly site: TlsSite;
}

/** An origin on https://localhost with everything needed to read it. `tidings` runs a command line. */
export async function readLab(
  tidings: (...args: string[]) => Promise<CliResult>,
  certificate: TestCertificate = readAuthority.issue('localhost'),
): Promise<ReadLab> {
  const folder = await mkdtemp(join(tmpdir(), 'tidings-read-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = async (name: string, text: string) => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };
  const ca = await file('ca.pem', readAuthority.cert);
  const api = await startOrigin('localhost', certificate);
  return {
    api,
    folder,
    ca,
    async read(...args) {
      const named = args.flatMap((arg) => (arg === '--state' ? ['--state', join(folder, 'reader.db')] : [arg]));
      const result = await tidings('read', api.origin, ...named, '--ca', ca, '--allow-private');
      const isJson = args.includes('--json') && result.stdout !== '';
      return { ...result, json: isJson ? JSON.parse(result.stdout) : undefined };
    },
    file: (name, value) => file(name, value === undefined ? '{' : JSON.stringify(value)),
  };
}

export async function startOrigin(
  name: string,
  certificate: TestCertificate = readAuthority.issue(name),
): Promise<LabOrigin> {
  const site = await startTlsSite(certificate);
  onTestFinished(() => site[Symbol.asyncDispose]());
  return { ...agentFeedOrigin(site, name), site };
}

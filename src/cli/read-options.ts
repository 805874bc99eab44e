import { type Command, InvalidArgumentError } from 'commander';
import type { ReaderOptions } from '../doors/agent-feed.ts';
import { momentOf } from '../doors/moment.ts';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import { allowPrivateOption, botUrlOption, caOption, isPrivateAllowed } from './option-values.ts';
import { type Observation, observationsIn, responseIn } from './read-observations.ts';
import { namedOrigin } from './read-origin.ts';
import type { World } from './world.ts';

/** What a user of `tidings read` wants to know. */
export interface ReadRequest {
  readonly origin: URL;
  readonly ignored?: string;
  readonly refresh: boolean;
  readonly retrust: boolean;
  readonly resolve?: string;
  readonly canonical?: string;
  /** As it was written. */
  readonly at?: string;
  readonly followMigration: boolean;
  readonly observations: readonly Observation[];
  readonly baseline?: Observation['observed'];
}

export function addReadQuestions(command: Command): void {
  command
    .option('--resolve <endpoint-id>', 'print the current URL of this endpoint', onceOnly)
    .option('--canonical <protocol>', 'print the URL for this protocol', onceOnly)
    .option(
      '--observe <endpoint-id> <file...>',
      'check whether this response, or its shape, is what the feed announced',
    )
    .option('--baseline <file>', 'with --observe: a response from before any change, which is remembered')
    .option(
      '--at <time>',
      'show what the origin asserted then, also for --resolve and --canonical (RFC 3339, or a date for midnight UTC)',
    );
}

export function addReadPolicy(command: Command): void {
  command
    .option('--retrust', 'trust the origin again (your decision, which is recorded)')
    .option('--follow-migration', 'follow a feed that moved to another domain')
    .option('--accept-multicodec-keys', 'accept keys of 34 bytes with the prefix ed01, contrary to the draft')
    .option('--insecure', 'allow plain http on this machine only, for tests')
    .option('--timeout <seconds>', 'timeout for one request (default: 20)', seconds)
    .addOption(botUrlOption())
    .addOption(allowPrivateOption('allow private addresses, for local use'))
    .addOption(caOption());
}

/** All that a user can get wrong is said before anybody is asked. */
export function readRequestOf(args: readonly string[], options: Readonly<Record<string, unknown>>): ReadRequest {
  const { refresh, retrust, resolve, canonical, at, baseline, insecure, state } = options;
  const observed = Array.isArray(options.observe) ? options.observe : [];
  // An origin after --observe looks like a part of it.
  const isOriginLast = args[0] === undefined && observed.length % 2 === 1;
  const named = args[0] ?? (isOriginLast ? String(observed.at(-1)) : '');
  const observations = observationsIn(isOriginLast ? observed.slice(0, -1) : observed);
  if (typeof baseline === 'string' && observations.length === 0) {
    throw new SettingRefusedError('--baseline', baseline, 'Say with --observe what to hold against it.');
  }
  if (retrust === true && (typeof state !== 'string' || state === '')) {
    throw new SettingRefusedError('--retrust', 'without --state', 'There is nothing to record it in.');
  }
  if (typeof at === 'string') momentOf('--at', at);
  return {
    ...namedOrigin(named, { insecure: insecure === true }),
    refresh: refresh === true || retrust === true,
    retrust: retrust === true,
    ...(typeof resolve === 'string' && { resolve }),
    ...(typeof canonical === 'string' && { canonical }),
    ...(typeof at === 'string' && { at }),
    followMigration: options.followMigration === true,
    observations,
    ...(typeof baseline === 'string' && { baseline: responseIn('--baseline', baseline) }),
  };
}

export function readerOptionsOf(
  { origin }: ReadRequest,
  options: Readonly<Record<string, unknown>>,
  world: World,
): ReaderOptions {
  const { state, ca, botUrl, timeout, followMigration, acceptMulticodecKeys, insecure } = options;
  return {
    // Plain http is read from this machine alone.
    allowPrivate: isPrivateAllowed(options.allowPrivate, world) || origin.protocol === 'http:',
    followMigration: followMigration === true,
    acceptMulticodecKeys: acceptMulticodecKeys === true,
    insecure: insecure === true,
    ...(typeof state === 'string' && state !== '' && { state }),
    ...(typeof ca === 'string' && { ca }),
    ...(typeof botUrl === 'string' && { botUrl }),
    ...(typeof timeout === 'number' && { timeoutMs: timeout * 1000 }),
  };
}

function onceOnly(text: string, before: string | undefined): string {
  if (text === '') throw new InvalidArgumentError('It is empty.');
  if (before !== undefined) throw new InvalidArgumentError('Give it once.');
  return text;
}

function seconds(text: string): number {
  const value = Number(text);
  if (!/^\d+(?:\.\d+)?$/.test(text) || value <= 0 || value > 86_400) {
    throw new InvalidArgumentError('Give a number of seconds above 0, at most 86400.');
  }
  return value;
}

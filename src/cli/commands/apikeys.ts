import { Option } from 'commander';
import { type KeyWish, SOLD_TIERS } from '../../doors/key-place.ts';
import { openKeyPlace } from '../apikey-place.ts';
import { keyTable, keyUsageTable, usageTable } from '../apikey-text.ts';
import { ExitCode } from '../exit-code.ts';
import { addPlaceOptions } from '../source-options.ts';
import type { Verb } from '../verb.ts';

const SHARED = '--database postgres://tidings@db.example/hub';
const NO_KEY = 'There is no API key. Make one with: tidings apikeys issue';

export const apikeysIssue: Verb = {
  example: [
    'tidings apikeys issue --label "ACME, search team"',
    `tidings apikeys issue --tier enterprise --json ${SHARED}`,
  ].join('\n'),

  configure(command) {
    command
      .addOption(new Option('--tier <tier>', 'tier of the key').choices(SOLD_TIERS).default('pro'))
      .option('--label <text>', 'a private note on who gets the key')
      .option('--json', 'print the key and its stored record as JSON');
    addPlaceOptions(command);
  },

  async run(_, options, world) {
    const { tier, label } = options;
    const wish: KeyWish = { tier: String(tier), ...(label !== undefined && { label: String(label) }) };
    await using place = await openKeyPlace(options, world, 'write');
    const issued = await place.issue(wish);
    await world.print(options.json ? JSON.stringify(issued) : issued.key);
    if (!options.json) {
      world.complain(
        `tidings: ${issued.limit_per_minute} requests a minute. Only its hash is kept, so it cannot be shown again.`,
      );
    }
    return ExitCode.Done;
  },
};

export const apikeysList: Verb = {
  example: [
    'tidings apikeys list',
    'tidings apikeys list --json --hub http://127.0.0.1:8080/',
    `tidings apikeys list ${SHARED}`,
  ].join('\n'),

  configure(command) {
    command.option('--json', 'print the keys as JSON');
    addPlaceOptions(command);
  },

  async run(_, options, world) {
    await using place = await openKeyPlace(options, world, 'read');
    const keys = await place.list();
    if (options.json) await world.print(JSON.stringify({ keys }));
    else if (keys.length === 0) await world.print(NO_KEY);
    else for (const line of keyTable(keys)) await world.print(line);
    return ExitCode.Done;
  },
};

export const apikeysRevoke: Verb = {
  example: `tidings apikeys revoke dd_live_9fK2\ntidings apikeys revoke dd_live_9fK2 ${SHARED}`,

  configure(command) {
    command
      .argument('<key>', 'prefix or hash of the key, as shown by list')
      .option('--json', 'print the stored record of the key as JSON');
    addPlaceOptions(command);
  },

  async run([key = ''], options, world) {
    await using place = await openKeyPlace(options, world, 'write');
    const revoked = await place.revoke(key.replace(/…$/, ''));
    await world.print(options.json ? JSON.stringify(revoked) : `${revoked.prefix}…: revoked.`);
    return ExitCode.Done;
  },
};

export const apikeysUsage: Verb = {
  example: [
    'tidings apikeys usage',
    'tidings apikeys usage dd_live_9fK2 --json --hub http://127.0.0.1:8080/',
    `tidings apikeys usage ${SHARED}`,
  ].join('\n'),

  configure(command) {
    command
      .argument('[key]', 'prefix or hash of a key, to see it day by day (default: all keys)')
      .option('--json', 'print the numbers as JSON');
    addPlaceOptions(command);
  },

  async run([key], options, world) {
    await using place = await openKeyPlace(options, world, 'read');
    if (key !== undefined) {
      const usage = await place.usageOf(key.replace(/…$/, ''));
      const lines = options.json ? [JSON.stringify(usage)] : usageTable(usage);
      for (const line of lines) await world.print(line);
      return ExitCode.Done;
    }
    const keys = await place.allUsage();
    if (options.json) await world.print(JSON.stringify({ keys }));
    else if (keys.length === 0) await world.print(NO_KEY);
    else for (const line of keyUsageTable(keys)) await world.print(line);
    return ExitCode.Done;
  },
};

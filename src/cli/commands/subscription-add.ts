import { type Command, Option } from 'commander';
import { WEBHOOK_FORMS } from '../../codecs/webhooks/body.ts';
import type { NewSecretView } from '../../doors/subscription-client.ts';
import { SettingRefusedError } from '../../errors/setting-refused-error.ts';
import { readSecret } from '../../io/files/secret.ts';
import { ExitCode } from '../exit-code.ts';
import { collect, wholeNumber } from '../option-values.ts';
import { addSubscriptionOptions, openSubscriptions } from '../subscription-place.ts';
import type { Options, Verb } from '../verb.ts';
import type { World } from '../world.ts';

const FILTERS = ['source', 'kind', 'action', 'path', 'anchor'] as const;

export const subscriptionAdd: Verb = {
  example: [
    'tidings subscription add https://app.example/hooks --hub http://127.0.0.1:8080/',
    'tidings subscription add https://app.example/hooks --source docs --path "/guide/**" --batch 50',
    'tidings subscription add https://app.example/hooks --proofs',
    'tidings subscription add https://discord.com/api/webhooks/1/x --format discord --no-verify',
    'tidings subscription add https://app.example/hooks --database postgres://tidings@db.example/hub',
  ].join('\n'),

  configure(command) {
    command
      .argument('<url>', 'the URL to send changes to')
      .addOption(new Option('--format <form>', 'format of the messages').choices(WEBHOOK_FORMS).default('tidings'))
      .option('--source <id>', 'only changes of this source (repeatable)', collect)
      .addOption(new Option('--kind <kind>', 'only changes of this kind').choices(['page', 'endpoint']))
      .option('--action <action>', 'only this action: create, update or delete (repeatable)', collect)
      .option('--path <glob>', 'only pages that match, like /guide/** (repeatable)', collect)
      .option('--anchor <name>', 'only sections that match, like install* (repeatable)', collect)
      .option('--receipts', 'include the URL of the receipt of each change')
      .option('--proofs', 'also include the receipt itself with each change')
      .option('--batch <most>', 'at most this many changes in one delivery', wholeNumber(1))
      .option('--wait <ms>', 'how long the first change of a batch waits for more', wholeNumber(0))
      .option('--from <cursor>', 'start after this cursor ("start" is the start of the log)')
      .option('--alerts', 'send alerts of the hub instead of changes')
      .addOption(new Option('--signing <scheme>', 'v1 for a secret, v1a for a key pair').choices(['v1', 'v1a']))
      .option('--secret-file <file>', 'sign with the secret in this file (whsec_… or whsk_…)')
      .option('--label <text>', 'your name for the subscription')
      .option('--no-verify', 'send without a challenge first, for chats, which cannot answer one');
    addSubscriptionOptions(command, 'the subscription, with its secret,');
  },

  async run([url = ''], options, world) {
    const wish = await wishOf(url, options);
    await using subscriptions = await openSubscriptions(options, world);
    const added = await subscriptions.add(wish);
    await sayNewSecret(added, options, world);
    if (!options.json && added.status === 'pending') {
      world.complain('tidings: it is told nothing until it has answered its challenge. See: tidings subscription show');
    }
    return ExitCode.Done;
  },
};

export const subscriptionRotate: Verb = {
  example: [
    'tidings subscription rotate sub_4vF1',
    'tidings subscription rotate sub_4vF1 --now --database postgres://tidings@db.example/hub',
  ].join('\n'),

  configure(command: Command) {
    command
      .argument('<id>', 'the id, as shown by list')
      .option('--now', 'stop signing with the old secret now, instead of using both for 24 hours')
      .addOption(new Option('--signing <scheme>', 'v1 for a secret, v1a for a key pair').choices(['v1', 'v1a']))
      .option('--secret-file <file>', 'sign with the secret in this file (whsec_… or whsk_…)');
    addSubscriptionOptions(command, 'the subscription, with its new secret,');
  },

  async run([id = ''], options, world) {
    const { now, signing } = options;
    const wish = {
      ...(now === true && { now }),
      ...(signing !== undefined && { signing }),
      ...(await secretOf(options)),
    };
    await using subscriptions = await openSubscriptions(options, world);
    await sayNewSecret(await subscriptions.rotate(id, wish), options, world);
    return ExitCode.Done;
  },
};

async function wishOf(url: string, options: Options): Promise<object> {
  const { format, batch, wait, from, alerts, signing, label, verify } = options;
  const filter = Object.fromEntries(
    FILTERS.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]])),
  );
  if (wait !== undefined && batch === undefined) {
    throw new SettingRefusedError('--wait', wait, 'It is for batches: give --batch, too.');
  }
  return {
    url,
    format,
    ...(Object.keys(filter).length > 0 && { filter }),
    ...(batch !== undefined && { batch: { max: batch, ...(wait !== undefined && { waitMs: wait }) } }),
    ...(from !== undefined && { from }),
    ...(alerts === true && { topic: 'alerts' }),
    ...(signing !== undefined && { signing }),
    ...(label !== undefined && { label }),
    ...(options.receipts === true && { receipts: true }),
    ...(options.proofs === true && { proofs: true }),
    ...(verify === false && { verify }),
    ...(await secretOf(options)),
  };
}

/** A secret in an argument would appear in the list of processes and in the history of the shell. */
async function secretOf({ secretFile }: Options): Promise<{ secret?: string }> {
  return typeof secretFile === 'string' ? { secret: await readSecret(secretFile, 'secret') } : {};
}

/** On stdout what is needed by a receiver, and nothing else; it is shown this once. */
async function sayNewSecret(added: NewSecretView, { json }: Options, world: World): Promise<void> {
  if (json) return await world.print(JSON.stringify(added));
  await world.print(added.secret ?? added.public_key ?? '');
  world.complain(
    `tidings: ${added.id} is ${added.status}. This is its ${added.secret === undefined ? 'public key' : 'secret'}; it is not shown again.`,
  );
}

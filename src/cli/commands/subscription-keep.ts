import type { Command } from 'commander';
import type { HubSubscriptions } from '../../doors/subscription-client.ts';
import { SettingRefusedError } from '../../errors/setting-refused-error.ts';
import { ExitCode } from '../exit-code.ts';
import { addSubscriptionOptions, openSubscriptions } from '../subscription-place.ts';
import { deliveryLine, subscriptionLines, subscriptionTable } from '../subscription-text.ts';
import type { Options, Verb } from '../verb.ts';

export const subscriptionList: Verb = {
  example: [
    'tidings subscription list --hub http://127.0.0.1:8080/',
    'tidings subscription list --json --database postgres://tidings@db.example/hub',
  ].join('\n'),

  configure(command) {
    addSubscriptionOptions(command, 'the subscriptions');
  },

  async run(_, options, world) {
    await using place = await openSubscriptions(options, world, 'read');
    const subscriptions = await place.list();
    if (options.json) await world.print(JSON.stringify({ subscriptions }));
    else if (subscriptions.length === 0)
      await world.print('Nobody is told. Add somebody with: tidings subscription add');
    else for (const line of subscriptionTable(subscriptions)) await world.print(line);
    return ExitCode.Done;
  },
};

export const subscriptionShow = acting({
  example: example('show'),
  printed: 'the subscription and its deliveries',
  access: 'read',

  async act(place, id) {
    const subscription = await place.show(id);
    const deliveries = await place.deliveries(id);
    return { result: { ...subscription, ...deliveries }, lines: subscriptionLines(subscription, deliveries) };
  },
});

export const subscriptionRemove = acting({
  example: example('remove'),
  printed: 'what was removed',

  async act(place, id) {
    await place.remove(id);
    return { result: { removed: id }, lines: [`${id}: nothing is sent any more.`] };
  },
});

export const subscriptionPause = acting({
  example: example('pause'),

  async act(place, id) {
    const subscription = await place.edit(id, { status: 'disabled' });
    return { result: subscription, lines: [`${id}: ${subscription.status}; nothing is sent until it is resumed.`] };
  },
});

export const subscriptionResume = acting({
  example: example('resume'),

  async act(place, id) {
    const subscription = await place.edit(id, { status: 'active' });
    return { result: subscription, lines: [`${id}: ${subscription.status}, from where it stood.`] };
  },
});

export const subscriptionTest = acting({
  example: example('test'),
  printed: 'the result',

  async act(place, id) {
    const delivery = await place.test(id);
    const code = delivery.outcome === 'delivered' ? ExitCode.Done : ExitCode.Incomplete;
    return { result: delivery, lines: [`${id}: ${deliveryLine(delivery)}`], code };
  },
});

export const subscriptionReplay = replaying('subscription replay', 'id');
/** The same under a separate name. */
export const replay = replaying('replay', 'subscription');

function replaying(name: string, argument: string): Verb {
  return acting({
    example: `tidings ${name} sub_4vF1 --from 01J9ZQ3V8M5T2C7K4W6X1Y0B3D\ntidings ${name} sub_4vF1 --delivery msg_x --database postgres://tidings@db.example/hub`,
    argument,

    configure: (command) =>
      command
        .option('--from <cursor>', 'everything after this cursor ("start" is the start of the log)')
        .option('--since <time>', 'instead of --from: everything added since this time, RFC 3339')
        .option('--to <cursor>', 'up to this cursor (default: the current position of the subscription)')
        .option('--delivery <id>', 'one delivery, by the id shown by tidings subscription show'),

    async act(place, id, { from, since, to, delivery }) {
      if ([from, since, delivery].filter((one) => one !== undefined).length !== 1) {
        const remedy = 'Say what is sent again: one of --from, --since or --delivery.';
        throw new SettingRefusedError('--from', from ?? '(not given)', remedy);
      }
      const wish = {
        ...(from !== undefined && { from: String(from) }),
        ...(since !== undefined && { since: String(since) }),
        ...(to !== undefined && { to: String(to) }),
        ...(delivery !== undefined && { delivery: String(delivery) }),
      };
      const subscription = await place.replay(id, wish);
      return {
        result: subscription,
        lines: [`${id}: it is sent again, with the ids that it had, before what is new.`],
      };
    },
  });
}

function example(verb: string): string {
  const words = `tidings subscription ${verb} sub_4vF1`;
  return `${words}\n${words} --database postgres://tidings@db.example/hub`;
}

interface Acting {
  readonly example: string;
  /** What its argument is called; `id` unless said otherwise. */
  readonly argument?: string;
  /** Adds its own options. */
  readonly configure?: (command: Command) => Command;
  /** What `--json` prints; the subscription, unless said otherwise. */
  readonly printed?: string;
  /** Whether it only looks. */
  readonly access?: 'read' | 'write';
  act(place: HubSubscriptions, id: string, options: Options): Promise<Acted>;
}

interface Acted {
  readonly result: object;
  readonly lines: readonly string[];
  readonly code?: ExitCode;
}

/** A verb that does something with one subscription. */
function acting({
  example: shown,
  argument = 'id',
  configure,
  printed = 'the subscription',
  access,
  act,
}: Acting): Verb {
  return {
    example: shown,

    configure(command) {
      command.argument(`<${argument}>`, 'the id, as shown by tidings subscription list');
      configure?.(command);
      addSubscriptionOptions(command, printed);
    },

    async run([id = ''], options, world) {
      await using place = await openSubscriptions(options, world, access);
      const { result, lines, code = ExitCode.Done } = await act(place, id, options);
      if (options.json) await world.print(JSON.stringify(result));
      else for (const line of lines) await world.print(line);
      return code;
    },
  };
}

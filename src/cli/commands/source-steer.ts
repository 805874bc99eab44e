import type { Command } from 'commander';
import type { SourcePlace } from '../../doors/source-place.ts';
import type { GivenRules } from '../../model/given-rules.ts';
import { ExitCode } from '../exit-code.ts';
import { addRuleOptions } from '../rule-options.ts';
import { addPlaceOptions, openPlace, startWork } from '../source-options.ts';
import type { Options, Verb } from '../verb.ts';

const SHARED = '--database postgres://tidings@db.example/hub';

export const sourcePause = steering({
  example: ['tidings source pause docs --reason "moving to another host"', `tidings source pause docs ${SHARED}`].join(
    '\n',
  ),
  configure: (command) => command.option('--reason <text>', 'the reason, shown in the health report'),

  async steer(place, id, { reason }) {
    const source = await place.pause(id, typeof reason === 'string' ? reason : undefined);
    return { result: source, sentence: `paused (${source.paused}).` };
  },
});

export const sourceRules = steering({
  example: `tidings source rules docs --ignore .ad --only main\ntidings source rules docs ${SHARED}`,
  configure: addRuleOptions,

  async steer(place, id, { ignore = [], only = [] }) {
    const rules = { ignore, only } as Required<GivenRules>;
    const source = await place.rule(id, rules);
    const count = rules.ignore.length + rules.only.length;
    const sentence = `read ${nextLookOf(place)}, by ${count === 0 ? 'no rules' : `${count} ${count === 1 ? 'rule' : 'rules'}`}.`;
    return { result: source, sentence };
  },
});

export const sourceResume = steering({
  example: `tidings source resume docs\ntidings source resume docs --allow-deletes ${SHARED}`,
  configure: (command) => command.option('--allow-deletes', 'let the next check accept that many pages are gone'),

  async steer(place, id, { allowDeletes }) {
    const source = await place.resume(id, { allowDeletes: allowDeletes === true });
    return { result: source, sentence: `resumed; it is read ${nextLookOf(place)}.` };
  },
});

export const sourceRetrust = steering({
  example: `tidings source retrust acme_api\ntidings source retrust acme_api --moved ${SHARED}`,
  configure: (command) => command.option('--moved', 'trust the feed that it moved to, instead of its own feed'),

  async steer(place, id, options) {
    const moved = options.moved === true;
    const source = await place.retrust(id, { moved });
    const { feedUrl, other } = source.retrusted;
    const rest = moved
      ? ` ${other}, from where it moved, is as it was.`
      : ` ${other}, to where it moved, is as it was; --moved trusts that one.`;
    const sentence = `${feedUrl} is trusted again; it is read ${nextLookOf(place)}.`;
    return { result: source, sentence: `${sentence}${other === undefined ? '' : rest}` };
  },
});

export const sourceRemove = steering({
  example: `tidings source remove docs\ntidings source remove docs ${SHARED}`,
  printed: 'what was removed',

  async steer(place, id) {
    await place.remove(id);
    return { result: { removed: id }, sentence: 'no longer watched. Its changes stay in the log.' };
  },
});

interface Steering {
  readonly example: string;
  /** Adds its own options. */
  readonly configure?: (command: Command) => Command;
  /** What `--json` prints; the source, unless said otherwise. */
  readonly printed?: string;
  /** What came of it, and the same for people, without the id. */
  steer(place: SourcePlace, id: string, options: Options): Promise<{ result: object; sentence: string }>;
}

/** A verb that does something to one source that is watched. */
function steering({ example, configure, printed = 'the source', steer }: Steering): Verb {
  return {
    example,

    configure(command) {
      command.argument('<id>', 'the id, as shown by list');
      configure?.(command);
      addPlaceOptions(command.option('--json', `print ${printed} as JSON`));
    },

    async run([id = ''], options, world) {
      await using place = await openPlace(startWork(options, world), 'write');
      const { result, sentence } = await steer(place, id, options);
      await world.print(options.json ? JSON.stringify(result) : `${id}: ${sentence}`);
      return ExitCode.Done;
    },
  };
}

function nextLookOf(place: SourcePlace): string {
  return place.isRunning ? 'now' : 'when the hub starts';
}

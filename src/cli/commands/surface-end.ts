import { canParseUrl } from '../../codecs/primitives/can-parse-url.ts';
import type { EndTarget } from '../../doors/surface.ts';
import { ExitCode } from '../exit-code.ts';
import { type Confirmation, isMeant } from '../is-meant.ts';
import { addSurfaceOptions, needed, optional, printReport, targetOf } from '../surface-options.ts';
import type { Options, Verb } from '../verb.ts';

export const surfaceTerminate: Verb = {
  example: 'tidings surface terminate --dir site --site https://api.example/ --yes',

  configure(command) {
    addSurfaceOptions(command).option('--yes', 'do not ask for confirmation');
  },

  async run(_, options, world) {
    const target = endTargetOf(options);
    const consequence =
      'every reader drops all endpoints of it, and stays away until a person of theirs says otherwise';
    if (!(await isMeant(endOf(target, consequence), { options, world }))) return ExitCode.SafetyStop;
    const { terminateFeed } = await import('../../doors/surface.ts');
    const report = await terminateFeed(target);
    await printReport(report, { json: options.json, what: 'Terminated. Go on serving the three files.' }, world);
    return ExitCode.Done;
  },
};

export const surfaceMigrate: Verb = {
  example:
    'tidings surface migrate --dir site --site https://api.example/ --to https://new.example/.well-known/agent-feed.xml --yes',

  configure(command) {
    addSurfaceOptions(command)
      .option('--to <url>', 'the https URL of the new feed')
      .option('--yes', 'do not ask for confirmation');
  },

  async run(_, options, world) {
    const target = endTargetOf(options);
    const to = needed(
      options,
      'to',
      'Give the URL of the new feed, like https://new.example/.well-known/agent-feed.xml',
    );
    const consequence = `every reader leaves it, and begins anew at ${to}`;
    if (!(await isMeant(endOf(target, consequence), { options, world }))) return ExitCode.SafetyStop;
    const { migrateFeed } = await import('../../doors/surface.ts');
    const report = await migrateFeed(target, { to });
    await printReport(report, { json: options.json, what: `Migrated to ${to}. Go on serving the three files.` }, world);
    return ExitCode.Done;
  },
};

/** Nothing is signed, so nobody needs to look for the key. */
function endTargetOf(options: Options): EndTarget {
  if (optional(options, 'key') !== undefined) return targetOf(options);
  const { key: _, ...target } = targetOf({ ...options, key: '(none)' });
  return target;
}

function endOf({ site }: EndTarget, consequence: string): Confirmation {
  const word = canParseUrl(site) ? new URL(site).host : site;
  return { warning: `This ends the feed of ${word} for good: ${consequence}.`, word };
}

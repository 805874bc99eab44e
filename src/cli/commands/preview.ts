import { Option } from 'commander';
import { previewSite, type RunningPreview } from '../../doors/preview-site.ts';
import { ExitCode } from '../exit-code.ts';
import { wholeNumber } from '../option-values.ts';
import { frameLine, printChanges } from '../print-changes.ts';
import { untilStopped } from '../process-end.ts';
import { addPublishOptions, publishOptionsOf } from '../publish-options.ts';
import type { Verb } from '../verb.ts';
import type { World } from '../world.ts';

export const previewVerb: Verb = {
  example: ['tidings preview ./site', 'tidings preview ./site --site https://docs.example/ --port 8000'].join('\n'),

  configure(command) {
    command
      .argument('<dir>', 'the folder with the built HTML')
      .addOption(
        new Option('--site <url>', 'public base URL of the site (default: that of its last publish)').env(
          'TIDINGS_SITE',
        ),
      )
      .option('--port <number>', 'listen on this port (default: 4747, or another if that is in use)', wholeNumber(0))
      .option('--json', 'print the address and what changed as JSON');
    addPublishOptions(command);
  },

  async run([dir = ''], { json, port, ...options }, world) {
    await using preview = await previewSite({
      ...(await publishOptionsOf(options, world)),
      dir,
      ...(typeof port === 'number' && { port }),
      onProgress: (done, total) => world.status(`reading pages: ${done} of ${total}`),
    });
    world.status('');
    const { url, site, report, stop } = preview;
    for (const { file, message } of report.failed) world.complain(`${file}: ${message} Its page stays as it was.`);
    if (json) await world.print(JSON.stringify({ url, site, changes: report.changes, stop }));
    else await printPreview(preview, dir, world);
    await untilStopped(world.signal);
    return ExitCode.Done;
  },
};

async function printPreview(preview: RunningPreview, dir: string, world: World): Promise<void> {
  const { url, site, isSiteKnown, report, stop } = preview;
  await printChanges(report.changes, world);
  const { pages, created, updated, deleted, unchanged } = report;
  await world.print(
    `${pages} pages: ${created} new, ${updated} changed, ${deleted} removed, ${unchanged} as they were`,
  );
  if (report.frame !== undefined) await world.print(frameLine(report.frame));
  if (stop !== undefined) world.complain(`tidings: a publish would stop here (exit 4): ${stop}`);
  await world.print(`Preview of ${isSiteKnown ? site : dir} at ${url}`);
  await world.print(`For people: ${url}changes/`);
  await world.print(
    `Nothing was written. To publish it: tidings publish ${dir} --site ${isSiteKnown ? site : '<public URL>'}`,
  );
  await world.print('Ctrl-C ends the preview. After another build, start it again.');
}

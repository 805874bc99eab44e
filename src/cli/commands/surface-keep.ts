import { ExitCode } from '../exit-code.ts';
import { addSurfaceOptions, printReport, targetOf } from '../surface-options.ts';
import type { Verb } from '../verb.ts';

export const surfaceInit: Verb = {
  example: 'tidings surface init --dir site --site https://api.example/ --key key.json',

  configure(command) {
    addSurfaceOptions(command);
  },

  async run(_, options, world) {
    const { initSurface } = await import('../../doors/surface.ts');
    const report = await initSurface(targetOf(options));
    await printReport(report, { json: options.json, what: 'The three files are there.' }, world);
    return ExitCode.Done;
  },
};

export const surfaceArchive: Verb = {
  example: 'tidings surface archive --dir site --site https://api.example/ --key key.json',

  configure(command) {
    addSurfaceOptions(command);
  },

  async run(_, options, world) {
    const { archiveEntries } = await import('../../doors/surface.ts');
    const report = await archiveEntries(targetOf(options));
    const { archived } = report;
    const what = archived === 0 ? 'Every entry is still needed.' : `${archived} taken out; none of them is needed.`;
    await printReport(report, { json: options.json, what }, world);
    return ExitCode.Done;
  },
};

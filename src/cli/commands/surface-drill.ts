import { ExitCode } from '../exit-code.ts';
import { addSurfaceOptions, targetOf } from '../surface-options.ts';
import { terminalText } from '../terminal-text.ts';
import type { Verb } from '../verb.ts';

export const surfaceDrill: Verb = {
  example: 'tidings surface drill --dir site --site https://api.example/',

  configure(command) {
    addSurfaceOptions(command);
  },

  async run(_, options, world) {
    const { key: _key, ...target } = targetOf({ ...options, key: '(none)' });
    const { drillFeed } = await import('../../doors/surface-drill.ts');
    const report = await drillFeed(target);
    const { steps, untrusted, unchanged, site } = report;
    const isPassed = untrusted && unchanged;
    if (options.json === true) await world.print(JSON.stringify(report));
    else {
      for (const { ok, step, seen } of steps)
        await world.print(terminalText(`${ok ? 'ok  ' : 'FAIL'}  ${step} ${seen}.`));
      const verdict = isPassed ? 'The kill switch works: readers end untrusted.' : 'The drill failed: see above.';
      await world.print(terminalText(`${site}: ${verdict} The feed itself was not touched.`));
    }
    return isPassed ? ExitCode.Done : ExitCode.Findings;
  },
};

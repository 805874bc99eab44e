import { GENERATORS, type Setup, type SetupFacts, type SetupStep } from '../doors/init.ts';

/** What was seen, in one line with the file that says each. */
export function factsLine({ generator, host, ci, site, output }: SetupFacts): string {
  const by = (name: string | undefined) => (name === undefined ? '' : ` (${name})`);
  const parts = [
    generator === undefined ? 'no generator' : `${GENERATORS[generator.name].title}${by(generator.by)}`,
    `builds into ${output}`,
    `site ${site.site.href}${by(site.by)}`,
    host === undefined ? 'no host' : `host ${host.name}${by(host.by)}`,
    ci === 'none' ? 'no CI' : `CI ${ci}`,
  ];
  return `Seen: ${parts.join(', ')}.`;
}

/** What was done, or would be, and what is left to do. */
export function setupLines({ steps }: Setup, { dryRun }: { readonly dryRun: boolean }): string[] {
  const lines = steps.flatMap((step) => (dryRun ? listed(step) : told(step)));
  const count = steps.filter(({ is }) => is === 'write' || is === 'key').length;
  if (dryRun) lines.push('Dry run: nothing was written.');
  else if (count === 0) lines.push('Nothing was written.');
  return lines;
}

/** As a diff shows a new file. */
function listed(step: SetupStep): string[] {
  if (step.is === 'write') return [`--- /dev/null`, `+++ ${step.path}`, ...prefixed(step.text, '+')];
  if (step.is === 'key') return ['--- /dev/null', `+++ ${step.path}`, '+(a new secret key, mode 0600)'];
  return told(step);
}

function told(step: SetupStep): string[] {
  switch (step.is) {
    case 'write':
      return [`wrote ${step.path}`];
    case 'key':
      return [`wrote ${step.path} (a new secret key, mode 0600)`];
    case 'there':
      return [`kept ${step.path}: ${step.what}.`];
    case 'add':
      return [`kept ${step.path}. Add to it, ${step.where}:`, ...prefixed(step.lines, '    ')];
    case 'do':
      return [step.what, ...(step.lines === undefined ? [] : prefixed(step.lines, '    '))];
    case 'blocked':
      return [];
  }
}

function prefixed(text: string, prefix: string): string[] {
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => `${prefix}${line}`);
}

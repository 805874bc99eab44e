import { oneLine } from '../codecs/primitives/one-line.ts';
import type { OperationDiff } from '../doors/surface-diff.ts';
import type { World } from './world.ts';

/** Only a person knows whether a field that went and one that came are one. A field that has its answer is not asked for again. */
export async function askRenames(
  operations: readonly OperationDiff[],
  ask: NonNullable<World['ask']>,
): Promise<Record<string, string>> {
  const confirmed: Record<string, string> = {};
  const asked = new Set<string>();
  for (const one of operations.flatMap(({ suggestions }) => suggestions)) {
    if (one.is !== 'rename' || asked.has(`${one.from}=${one.to}`)) continue;
    asked.add(`${one.from}=${one.to}`);
    if (Object.hasOwn(confirmed, one.from) || Object.values(confirmed).includes(one.to)) continue;
    const answer = await ask(oneLine(`Is ${one.from} called ${one.to} now? [y/N]`));
    if (/^y(?:es)?$/i.test(answer.trim())) confirmed[one.from] = one.to;
  }
  return confirmed;
}

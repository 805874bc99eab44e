import type { Retype } from '../../codecs/agent-feed/wire.ts';
import type { SurfaceMigration } from './surface-diff.ts';

/** Whether a caller that was correct before may be wrong now. */
export function isBreaking({
  remove,
  rename,
  retype = {},
  presence = {},
  request = {},
  traits = {},
}: SurfaceMigration): boolean {
  const isAnswerWorse =
    remove !== undefined ||
    rename !== undefined ||
    Object.values(retype).some((change) => !isNarrower(change)) ||
    Object.values(presence).some(({ to }) => to === 'optional');
  const isAskingHarder =
    request.remove !== undefined ||
    request.required !== undefined ||
    Object.values(request.retype ?? {}).some(({ from, to }) => !isNarrower({ from: to, to: from }));
  return (
    isAnswerWorse ||
    isAskingHarder ||
    Object.values(traits).some(({ from, to }) => from.some((each) => !to.includes(each)))
  );
}

/** A value that is no longer null is fine for callers that handle null. */
function isNarrower({ from, to }: Retype): boolean {
  return from === `nullable<${to}>`;
}

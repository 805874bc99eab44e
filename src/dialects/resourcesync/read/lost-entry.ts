import type { DocumentProblem } from '../../../codecs/resourcesync/issue.ts';
import { HarvestError } from '../../../errors/harvest-error.ts';

/** Whether an entry of this capability, or of any, was left out because of its address, so that its document is not read. */
export function hasLost({ effect, clause, capability }: DocumentProblem, wanted = capability): boolean {
  return effect === 'skipped' && clause === 'RS-L9' && capability === wanted;
}

export function lostError(url: string, { clause, line, message }: DocumentProblem): HarvestError {
  return new HarvestError(url, clause, `Line ${line}: ${message}`);
}

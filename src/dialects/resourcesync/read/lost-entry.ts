import type { DocumentProblem } from '../../../codecs/resourcesync/issue.ts';
import { HarvestError } from '../../../errors/harvest-error.ts';

/** Whether an entry was left out for its address, so that the document that it leads to is not read: of this capability, or of any. */
export function hasLost({ effect, clause, capability }: DocumentProblem, wanted = capability): boolean {
  return effect === 'skipped' && clause === 'RS-L9' && capability === wanted;
}

export function lostError(url: string, { clause, line, message }: DocumentProblem): HarvestError {
  return new HarvestError(url, clause, `Line ${line}: ${message}`);
}

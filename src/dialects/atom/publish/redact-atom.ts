import { atomEntryId, takeAtomEntries } from '../../../codecs/atom/take-entries.ts';
import { runsOf } from '../../../log/runs-of.ts';
import type { RedactedSite, StateFile } from '../../projection.ts';
import { atomEntryText } from './changes-atom.ts';
import { changesAtomPath, entryIdOf } from './changes-feed.ts';

/** The feed and its archives, with the entry of a change rewritten from the log where it occurs. */
export async function redactChangesAtom({ out, site, changes, id }: RedactedSite): Promise<readonly StateFile[]> {
  const runs = runsOf(changes);
  const number = runs.findIndex((run) => run.changes.some((change) => change.id === id));
  const run = runs[number];
  if (run === undefined) return [];
  const entryId = entryIdOf(site, run);
  const files: StateFile[] = [];
  for (let archive = 0; ; archive += 1) {
    const path = changesAtomPath(archive === 0 ? undefined : archive);
    const bytes = await out.read(path);
    if (bytes === undefined && archive > 0) return files;
    const text = Buffer.from(bytes ?? '').toString('utf8');
    const taken = takeAtomEntries(text);
    const told = taken.ok ? taken.value.find((entry) => atomEntryId(entry) === entryId) : undefined;
    const made = told && atomEntryText(run, { id: entryId, site, isFirst: number === 0 });
    if (told !== undefined && made !== undefined && told !== made) {
      files.push({ path, bytes: Buffer.from(text.split(told).join(made)) });
    }
  }
}

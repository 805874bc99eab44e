import type { VerbGroup } from '../verb.ts';
import { surfaceAnnounce } from './surface-announce.ts';
import { surfaceChange } from './surface-change.ts';
import { surfaceDeprecate } from './surface-deprecate.ts';
import { surfaceDiff } from './surface-diff.ts';
import { surfaceMigrate, surfaceTerminate } from './surface-end.ts';
import { surfaceArchive, surfaceInit } from './surface-keep.ts';
import { surfaceWatch } from './surface-watch.ts';

export const surface: VerbGroup = {
  name: 'surface',
  summary: 'Tell agents about my API: signed facts about where it is, what changed in it, and when it ends.',
  verbs: [
    surfaceInit,
    surfaceAnnounce,
    surfaceChange,
    surfaceDeprecate,
    surfaceDiff,
    surfaceWatch,
    surfaceArchive,
    surfaceTerminate,
    surfaceMigrate,
  ],
};

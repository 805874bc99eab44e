/** Adds behaviour to the pages of the dashboard. Each part looks for its own elements and does nothing if there are none. */
import { makePickable } from './block-picker.ts';
import { makeCopyable } from './copy.ts';
import { keepLive } from './live.ts';
import { showLocalTimes } from './local-times.ts';
import { showReadingNotes } from './reading-note.ts';

showLocalTimes(document);
makeCopyable(document);
makePickable(document);
showReadingNotes(document);
keepLive((part) => {
  showLocalTimes(part);
  makeCopyable(part);
});

import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FeedStores } from '../../dialects/aicf/shelf/feed-store.ts';
import { LogUnavailableError } from '../../errors/log-error.ts';
import { codeOf } from '../files/folder.ts';
import { readFeedMarks } from './feed-marks.ts';
import { FileFeeds, type FileFeedsOptions, nameIn } from './file-feeds.ts';
import { linesBehind } from './lines-behind.ts';
import { readMarkedFeeds } from './marked-feeds.ts';

/** `marks` of the first generation, `marks-2` of the second, and their feeds: `docs.ndjson`, `docs-2.ndjson`. */
const GENERATION_FILE = /^([^-.]+)(?:-(\d+))?(?:\.(ndjson|deflate))?$/;

interface FeedFolderFile {
  readonly file: string;
  readonly name: string;
  readonly generation: number;
  readonly isFeed: boolean;
}

/** The feeds of a hub in one folder, generation by generation. */
export function openFeedFolder(folder: string, options: Pick<FileFeedsOptions, 'lost'> = {}): FeedStores {
  const numbers = async () => {
    const found = new Set((await filesIn(folder)).map(({ generation }) => generation));
    return [...found].sort((one, other) => one - other);
  };
  return {
    async generations() {
      const found = [];
      for (const generation of await numbers()) {
        const marks = await readFeedMarks(join(folder, nameIn(generation, 'marks')));
        found.push({ generation, base: marks?.base });
      }
      return found;
    },
    open: (generation, base) => new FileFeeds({ ...options, folder, generation, base }),
    names: () => feedNamesIn(folder),
    async linesBehind(name, isKnown) {
      const lines: string[] = [];
      let isMet = false;
      for (const generation of (await numbers()).reverse()) {
        const file = join(folder, `${nameIn(generation, name)}.ndjson`);
        const found = await linesBehind(file, (line) => {
          isMet = isKnown(line);
          return isMet;
        });
        for (const line of found) lines.push(line);
        if (isMet) break;
      }
      return lines;
    },
    marked: (generation) => readMarkedFeeds(folder, generation),
    async remove(wanted) {
      for (const { file, generation } of await filesIn(folder)) {
        if (generation === wanted) await rm(join(folder, file), { force: true });
      }
    },
  };
}

/** The names of the feeds whose files lie in a folder, of whatever generation. */
export async function feedNamesIn(folder: string): Promise<readonly string[]> {
  const feeds = (await filesIn(folder)).filter(({ isFeed }) => isFeed);
  return [...new Set(feeds.map(({ name }) => name))];
}

async function filesIn(folder: string): Promise<readonly FeedFolderFile[]> {
  try {
    return (await readdir(folder)).flatMap((file) => {
      const [, name, generation = '1', ending] = GENERATION_FILE.exec(file) ?? [];
      return name === undefined ? [] : { file, name, generation: Number(generation), isFeed: ending === 'ndjson' };
    });
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw new LogUnavailableError(folder, error);
  }
}

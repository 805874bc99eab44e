import type { HubConfig } from '../hub/config/hub-config.ts';
import { hasPackage, openFileLimit } from '../io/node/node-machine.ts';
import { findChromium } from '../io/playwright/chromium-path.ts';
import { isRoot } from '../io/playwright/sandbox.ts';
import { sqliteEngine } from '../io/sqlite/examination.ts';
import { hasWriter } from '../io/sqlite/writer-presence.ts';
import { type Diagnosis, doubtful, fail, messageOf, well } from './diagnosis.ts';
import { examineData } from './doctor-data.ts';
import { examineAuthority, examineDns, examinePort, tryUrl } from './doctor-network.ts';

/** As in `engines` of package.json. */
const OLDEST_NODE = { major: 20, minor: 19 };
/** The connections that a hub accepts at once, plus the same number of files for its own use. */
const FEW_FILES = 4096;

/** Examines what every verb needs from the machine. */
export async function* examineMachine(nodeVersion: string): AsyncGenerator<Diagnosis> {
  yield examineNode(nodeVersion);
  yield await examineSqlite();
  yield await examineFileLimit();
  yield examineRendering();
}

export interface HubExamination {
  readonly url?: URL;
  readonly signal: AbortSignal;
}

/** Examines what the hub of this config needs. Writes nothing, and contacts only name servers unless a URL is given. */
export async function* examineHub(config: HubConfig, { url, signal }: HubExamination): AsyncGenerator<Diagnosis> {
  yield* examineData(config.data, Date.now());
  yield await examinePort(config, await hasWriter(config.data));
  yield await examineDns(config.sources);
  const authority = await examineAuthority(config.ca);
  if (authority !== undefined) yield authority;
  const isAuthorityGood = authority === undefined || authority.level === 'ok';
  if (url !== undefined && isAuthorityGood) yield* tryUrl(url, { ...config, signal });
}

function examineNode(version: string): Diagnosis {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  const { major: least, minor: leastMinor } = OLDEST_NODE;
  if (major > least || (major === least && minor >= leastMinor)) return well('node', `Node ${version}.`);
  return fail('node', `Node ${version} is too old.`, `Install Node ${least}.${leastMinor} or newer.`);
}

async function examineSqlite(): Promise<Diagnosis> {
  try {
    const { module, version } = await sqliteEngine();
    return well('sqlite', `SQLite ${version} by ${module}.`);
  } catch (error) {
    const remedy = 'Install again with npm ci on this machine: the package holds a binary for each platform.';
    return fail('sqlite', `SQLite does not load: ${messageOf(error)}`, remedy);
  }
}

async function examineFileLimit(): Promise<Diagnosis> {
  const limit = await openFileLimit();
  if (limit === undefined) return well('files', 'How many files may be open cannot be told on this system.');
  const says = `${limit} files may be open at once.`;
  return limit >= FEW_FILES
    ? well('files', says)
    : doubtful(
        'files',
        says,
        `Raise it to ${FEW_FILES} (ulimit -n, LimitNOFILE=): each connection of a reader is one.`,
      );
}

/** Only `doc --render` needs it. */
function examineRendering(): Diagnosis {
  const missing = [
    ...(hasPackage('playwright-core') ? [] : ['the package playwright-core']),
    ...(findChromium() === undefined ? ['a Chromium'] : []),
  ];
  if (missing.length === 0) {
    const limits = isRoot() ? ' As root it has no sandbox, and wants --allow-unsandboxed-browser.' : '';
    return well('rendering', `doc --render has ${findChromium()}.${limits}`);
  }
  return well('rendering', `doc --render would need ${missing.join(' and ')}; nothing else does.`);
}

import { findJsonFlaw } from '../codecs/primitives/json-flaw.ts';
import { isRecord, type JsonRecord } from '../codecs/primitives/json-record.ts';
import { firstFile, type ProjectFiles } from './project.ts';

/** The parts of package.json that matter here. */
export interface PackageFile {
  readonly isThere: boolean;
  /** Names of all kinds of dependencies. */
  readonly packages: ReadonlySet<string>;
  readonly scripts: ReadonlyMap<string, string>;
  readonly homepage?: string;
  readonly manager: PackageManager;
}

export interface PackageManager {
  readonly install: string;
  /** Before the name of a script. */
  readonly run: string;
  /** Before the name of a package to add for development. */
  readonly add: string;
  /** Must be enabled in Node. */
  readonly isExtra: boolean;
}

const NPM: PackageManager = { install: 'npm ci', run: 'npm run', add: 'npm install --save-dev', isExtra: false };
const MANAGERS: Readonly<Record<string, PackageManager>> = {
  'pnpm-lock.yaml': {
    ...{ install: 'pnpm install --frozen-lockfile', run: 'pnpm run', add: 'pnpm add --save-dev', isExtra: true },
  },
  'yarn.lock': { install: 'yarn install --immutable', run: 'yarn run', add: 'yarn add --dev', isExtra: true },
};
const MAX_DEPTH = 64;

export async function readPackageFile(files: ProjectFiles, onRemark: (remark: string) => void): Promise<PackageFile> {
  const text = await files.read('package.json');
  const value = text === undefined ? undefined : parseObject(text);
  if (typeof value === 'string') onRemark(`package.json: ${value} What it says is not seen.`);
  const content: JsonRecord = isRecord(value) ? value : {};
  const lock = await firstFile(files, Object.keys(MANAGERS));
  const { homepage } = content;
  return {
    isThere: text !== undefined,
    packages: new Set([...keysOf(content.dependencies), ...keysOf(content.devDependencies)]),
    scripts: new Map(entriesOf(content.scripts)),
    ...(typeof homepage === 'string' && { homepage }),
    manager: MANAGERS[lock ?? ''] ?? NPM,
  };
}

/** The object in a JSON text, or why there is none. */
export function parseObject(text: string): JsonRecord | string {
  if (findJsonFlaw(text, MAX_DEPTH)?.is === 'deep') return `it is nested deeper than ${MAX_DEPTH} levels.`;
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return isRecord(value) ? value : 'it holds no object.';
  } catch (error) {
    return `it is not JSON (${error instanceof Error ? error.message.split('\n')[0] : String(error)}).`;
  }
}

function keysOf(value: unknown): string[] {
  return isRecord(value) ? Object.keys(value) : [];
}

function entriesOf(value: unknown): [string, string][] {
  return isRecord(value)
    ? Object.entries(value).flatMap(([key, each]) =>
        typeof each === 'string' ? [[key, each] as [string, string]] : [],
      )
    : [];
}

import { AuditFailedError } from '../errors/audit-error.ts';
import { SettingRefusedError } from '../errors/setting-refused-error.ts';
import { UnreadableTargetError } from '../errors/unreadable-target-error.ts';
import { type AuditOptions, audit } from './audit.ts';
import type { HttpOptions } from './open-http.ts';

/**
 * Audits a site before each poll. Throws an {@link AuditFailedError} for proven faults, and an {@link UnreadableTargetError} if the log itself could not be
 * read. Other unread parts are reported through `tell`.
 */
export function auditedPolls(
  options: HttpOptions & { readonly state?: string } & Pick<AuditOptions, 'witnesses' | 'quorum'>,
  tell: (message: string) => void,
): (url: URL, signal: AbortSignal) => Promise<void> {
  const { state } = options;
  if (state === undefined) {
    throw new SettingRefusedError(
      'audit',
      true,
      'An audit compares with what was seen before. Name a file with --state.',
    );
  }
  const folder = `${state}.audit`;
  return async (url, signal) => {
    const { findings, unread, evidenceFolder, proven } = await audit(url.href, {
      ...options,
      state: folder,
      signal,
    });
    if (findings.length > 0) {
      const said = findings.map(({ what }) => what);
      throw new AuditFailedError(url.href, said, evidenceFolder);
    }
    const [first] = unread;
    if (first === undefined) return;
    // Nothing of the log was proven, so the feeds could say anything.
    if (!proven) throw new UnreadableTargetError(url.href, first, 'retry-later');
    tell(`${url.href}: not all could be audited: ${first}`);
  };
}

import { clauseOfKind } from '../../../codecs/resourcesync/document-head.ts';
import { ENTRY, KIND } from '../../../codecs/resourcesync/issue.ts';
import {
  CAPABILITIES,
  INDEXED_CAPABILITIES,
  RS_NAMESPACE,
  SITEMAP_NAMESPACE,
} from '../../../codecs/resourcesync/wire.ts';
import {
  correction,
  type ListContext,
  type SeenList,
  shown,
  type Tell,
  tellOf,
  withAttribute,
} from './list-context.ts';
import type { ListKind } from './list-kind.ts';
import type { RawElement, RawEntry } from './raw-document.ts';

/**
 * Checks that a document is of the wanted kind. Also true if it only fails to say so, because its other faults should be reported,
 * too.
 */
export function checkRoot(list: SeenList, wanted: ListKind, context: ListContext): boolean {
  const { head, isIndex } = list;
  const { root } = head;
  const tell = tellOf(list, context);
  const clause = clauseOfKind(wanted.capability);
  if (root.local !== 'urlset' && root.local !== 'sitemapindex') {
    const seen = `Its root is ${shown(root.written)}.`;
    const remedy = `A ${wanted.title} has the root <urlset xmlns="${SITEMAP_NAMESPACE}" xmlns:rs="${RS_NAMESPACE}">`;
    tell(root.line, { clause: wanted.clause, level: 'MUST', sort: 'root', seen, remedy });
    return false;
  }
  if (isIndex && !wanted.mayBeIndex) {
    const isSplit = INDEXED_CAPABILITIES.has(wanted.capability);
    const seen = isSplit
      ? 'It is an index (<sitemapindex>) within an index.'
      : `It is an index (<sitemapindex>), which a ${wanted.title} cannot be.`;
    const remedy = isSplit ? 'List in the index what this one lists, and not this one.' : 'Its root must be <urlset>.';
    tell(root.line, { clause: isSplit ? KIND : clause, sort: 'index', seen, remedy });
    return false;
  }
  context.ledger.looked('RS-S2', ...(clause === KIND ? [] : [clause]));
  checkNamespaces(list, tell);
  checkOthers(list, tell);
  return checkCapability(list, wanted, clause, tell);
}

function checkNamespaces(list: SeenList, tell: Tell): void {
  const { root } = list.head;
  if (root.uri !== SITEMAP_NAMESPACE) {
    const seen = `${shown(root.written)} is ${root.uri === '' ? 'in no namespace' : `in the namespace "${shown(root.uri)}"`}.`;
    const prefix = /^<([^\s:>]+):/.exec(root.written)?.[1];
    const attribute = prefix === undefined ? 'xmlns' : `xmlns:${prefix}`;
    const remedy = correction(
      withAttribute(root, attribute, SITEMAP_NAMESPACE),
      `Its namespace is ${SITEMAP_NAMESPACE}`,
    );
    tell(root.line, { clause: 'RS-S2', sort: 'sitemap', seen, remedy });
  }
  const stray = strayOf(list);
  if (stray !== undefined) tellStray(stray, list, tell);
}

/** Reports elements that the author meant as entries but no reader accepts. Elements of other namespaces are allowed. */
function checkOthers({ head: { root, others } }: SeenList, tell: Tell): void {
  const entry = root.local === 'urlset' ? 'url' : 'sitemap';
  for (const { line, local, uri, written } of others) {
    if (uri !== root.uri) continue;
    const seen = `${shown(written)} is no element that <${root.local}> has${/^(?:url|sitemap)$/i.test(local) ? ': names are written in small letters' : ''}.`;
    tell(line, {
      clause: ENTRY,
      level: 'SHOULD',
      sort: 'other',
      seen,
      remedy: `Entries are written <${entry}>…</${entry}>`,
    });
  }
}

/** The first `rs:md` or `rs:ln` below the root that is in the wrong namespace, so that no reader finds it. */
function strayOf({ head: { mds, lns } }: SeenList): RawElement | undefined {
  return [...mds, ...lns].find(({ uri }) => uri !== RS_NAMESPACE);
}

/** Checks the element names of an entry and its `rs:md`. If all are in the same wrong namespace, that was already reported. */
export function checkEntryNames(entry: RawEntry, list: SeenList, tell: Tell): void {
  const [md] = entry.mds;
  const { root } = list.head;
  if (md !== undefined && md.uri !== RS_NAMESPACE && md.uri !== strayOf(list)?.uri) tellStray(md, list, tell);
  if (entry.uri !== root.uri) {
    const seen = `${shown(entry.written)} is in another namespace than <${root.local}>.`;
    tell(entry.line, { clause: 'RS-S2', sort: 'entry', seen, remedy: `Both are in ${SITEMAP_NAMESPACE}` });
  }
  const right = list.isIndex ? 'sitemap' : 'url';
  if (entry.local === right) return;
  const seen = `${shown(entry.written)} stands in <${root.local}>, where entries are <${right}>.`;
  const remedy = list.isIndex
    ? 'Write <sitemap>…</sitemap>'
    : 'Write <url>…</url>, or make it an index with <sitemapindex>.';
  tell(entry.line, { clause: ENTRY, sort: 'entry', seen, remedy });
}

function tellStray({ line, local, written, uri }: RawElement, { head: { root } }: SeenList, tell: Tell): void {
  const prefix = /^<([^\s:>]+):/.exec(written)?.[1];
  const right = prefix === undefined ? undefined : withAttribute(root, `xmlns:${prefix}`, RS_NAMESPACE);
  const isDeclared = prefix !== undefined && root.written.includes(`xmlns:${prefix}=`);
  const seen = `${shown(written)} is ${uri === '' ? 'in no namespace' : `in the namespace "${shown(uri)}"`}.`;
  const words = `Declare xmlns:rs="${RS_NAMESPACE}" on the first element, and write <rs:${local} …/>`;
  const remedy = correction(isDeclared ? right : undefined, words);
  tell(isDeclared ? root.line : line, { clause: 'RS-S2', sort: 'rs', seen, remedy });
}

function checkCapability(list: SeenList, wanted: ListKind, clause: string, tell: Tell): boolean {
  const { root, mds } = list.head;
  const [md, second] = mds;
  const right = `<rs:md capability="${wanted.capability}"${wanted.capability.startsWith('change') ? ' from="…"' : ''}/>`;
  if (md === undefined) {
    const seen = `<${root.local}> has no <rs:md>: nothing says that this is a ${wanted.title}.`;
    tell(root.line, { clause, level: 'MUST', sort: 'md', seen, remedy: `Write below that line: ${right}` });
    return true;
  }
  if (second !== undefined) {
    const remedy = 'Keep one of them, with all attributes.';
    tell(second.line, { clause: ENTRY, sort: 'two md', seen: `<${root.local}> has more than one <rs:md>.`, remedy });
  }
  const capability = md.attributes.get('capability');
  if (capability === wanted.capability) return true;
  const seen = `${shown(md.written)} does not say that this is a ${wanted.title}.`;
  const remedy = correction(withAttribute(md, 'capability', wanted.capability), `Write: ${right}`);
  tell(md.line, { clause, level: 'MUST', sort: 'capability', seen, remedy });
  return !CAPABILITIES.some((each) => each === capability);
}

import { Resolver } from 'node:dns/promises';
import type { DnsAnswer, DnsQuestion, DnsRecords } from '../../verify/dns-records.ts';
import { codeOf } from '../files/folder.ts';

/** Twice as long for the second try; the caller's time limit ends both. */
const FIRST_TRY_MS = 1500;
const TRIES = 2;

/** By the code of c-ares. Whatever is not here kept the question or its answer from arriving. */
const KINDS: Readonly<Record<string, Exclude<DnsAnswer['kind'], 'records'>>> = {
  ENODATA: 'no-record',
  ENOTFOUND: 'no-such-name',
  ETIMEOUT: 'timeout',
  ESERVFAIL: 'server-failure',
  ENOTIMP: 'server-failure',
  EREFUSED: 'refused',
  EFORMERR: 'garbled',
  EBADRESP: 'garbled',
  EBADNAME: 'garbled',
};

/** DNS over UDP, and over TCP where an answer does not fit. Each question goes to its one server; nothing is cached. */
export const nodeDnsRecords: DnsRecords = {
  async ask(question) {
    const { server, signal } = question;
    if (signal.aborted) return { kind: endOf(signal) };
    const resolver = new Resolver({ timeout: FIRST_TRY_MS, tries: TRIES });
    resolver.setServers([server]);
    const stop = () => resolver.cancel();
    signal.addEventListener('abort', stop);
    try {
      const values = await resolve(resolver, question);
      return values.length === 0 ? { kind: 'no-record' } : { kind: 'records', values };
    } catch (error) {
      return { kind: signal.aborted ? endOf(signal) : (KINDS[codeOf(error)] ?? 'unreachable') };
    } finally {
      signal.removeEventListener('abort', stop);
    }
  },
};

async function resolve(resolver: Resolver, { name, type }: DnsQuestion): Promise<string[]> {
  switch (type) {
    case 'TXT':
      return (await resolver.resolveTxt(name)).map((strings) => strings.join(''));
    case 'NS':
      return await resolver.resolveNs(name);
    case 'CNAME':
      return await resolver.resolveCname(name);
    case 'A':
      return await resolver.resolve4(name);
    case 'AAAA':
      return await resolver.resolve6(name);
  }
}

function endOf({ reason }: AbortSignal): 'timeout' | 'not-awaited' {
  return reason instanceof Error && reason.name === 'TimeoutError' ? 'timeout' : 'not-awaited';
}

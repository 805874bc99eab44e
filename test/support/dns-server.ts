import { createSocket } from 'node:dgram';
import { type AddressInfo, createServer } from 'node:net';
import { decode, encode, type Packet, streamEncode, TRUNCATED_RESPONSE } from 'dns-packet';

/** Faults of a real DNS server. */
export type DnsFault =
  | 'silent'
  | 'SERVFAIL'
  | 'REFUSED'
  /** Bytes that are not a DNS message. */
  | 'garbage'
  /** The right message with a truncated record. */
  | 'cut'
  /** Over UDP an empty answer with the TC bit; TCP gives the complete one. */
  | 'truncated'
  /** The answer to another question. */
  | 'stranger';

export type RecordType = 'A' | 'AAAA' | 'NS' | 'CNAME' | 'TXT';

export interface SeenQuestion {
  readonly name: string;
  readonly type: string;
  readonly over: 'udp' | 'tcp';
}

export interface DnsServer extends AsyncDisposable {
  /** `127.0.0.1:5353` */
  readonly address: string;
  readonly port: number;
  readonly questions: SeenQuestion[];
  /** Applies to every question until it is undefined again. */
  fault: DnsFault | undefined;
  /** The strings of one TXT record may be given separately. `*.example.test` answers for names that do not exist. */
  put(name: string, type: RecordType, ...data: (string | string[])[]): void;
  remove(name: string): void;
}

/** A real DNS server on loopback, UDP and TCP on one port. It follows aliases like a resolver. */
export async function startDnsServer(host = '127.0.0.1', atPort = 0): Promise<DnsServer> {
  const records = new Map<string, Map<string, (string | string[])[]>>();
  const questions: SeenQuestion[] = [];
  const udp = createSocket('udp4');
  const sockets = new Set<{ destroy(): void }>();

  const answer = (query: Buffer, over: 'udp' | 'tcp'): Buffer | Packet | undefined => {
    const request = decode(query);
    const [question] = request.questions ?? [];
    if (question === undefined) return undefined;
    const name = question.name.toLowerCase();
    questions.push({ name, type: question.type, over });
    const base: Packet = { type: 'response', id: request.id, flags: 0x0580, questions: [question] };
    switch (server.fault) {
      case 'silent':
        return undefined;
      case 'SERVFAIL':
        return { ...base, flags: 0x0582 };
      case 'REFUSED':
        return { ...base, flags: 0x0585 };
      case 'garbage':
        return Buffer.from('this is no DNS message, whatever its length');
      case 'stranger':
        return { ...base, questions: [{ ...question, name: 'other.test' }], answers: answersFor('other.test', 'TXT') };
      case 'truncated':
        if (over === 'udp') return { ...base, flags: 0x0580 | TRUNCATED_RESPONSE };
    }
    const answers = answersFor(name, question.type);
    const known = answers.length > 0 || [...records.keys()].some((each) => each === name || each.endsWith(`.${name}`));
    const whole: Packet = { ...base, flags: known ? 0x0580 : 0x0583, answers };
    return server.fault === 'cut' ? Buffer.from(encode(whole)).subarray(0, -3) : whole;
  };

  const answersFor = (name: string, type: string): NonNullable<Packet['answers']> => {
    // RFC 4592: a missing name is answered by the wildcard beside it.
    const own = records.get(name) ?? records.get(`*${name.slice(name.indexOf('.'))}`);
    const alias = own?.get('CNAME')?.[0];
    if (typeof alias === 'string' && type !== 'CNAME') {
      return [{ name, type: 'CNAME', ttl: 1, data: alias }, ...answersFor(alias, type)];
    }
    return (own?.get(type) ?? []).map((data) => ({ name, type, ttl: 1, data }) as never);
  };

  udp.on('message', (query, { port, address }) => {
    const reply = answer(query, 'udp');
    if (reply !== undefined) udp.send(Buffer.isBuffer(reply) ? reply : encode(reply), port, address);
  });
  const tcp = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    let received = Buffer.alloc(0);
    socket.on('data', (piece: Buffer) => {
      received = Buffer.concat([received, piece]);
      while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
        const end = 2 + received.readUInt16BE(0);
        const reply = answer(received.subarray(2, end), 'tcp');
        received = received.subarray(end);
        if (reply !== undefined && !Buffer.isBuffer(reply)) socket.write(streamEncode(reply));
      }
    });
  });
  await new Promise<void>((resolve) => tcp.listen(atPort, host, resolve));
  const { port } = tcp.address() as AddressInfo;
  await new Promise<void>((resolve, reject) => {
    udp.once('error', reject);
    udp.bind(port, host, resolve);
  });

  const server: DnsServer = {
    address: `${host}:${port}`,
    port,
    questions,
    fault: undefined,
    put(name, type, ...data) {
      const own = records.get(name) ?? new Map<string, (string | string[])[]>();
      records.set(name, own.set(type, data));
    },
    remove: (name) => void records.delete(name),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => tcp.close(() => resolve()));
      await new Promise<void>((resolve) => udp.close(() => resolve()));
    },
  };
  return server;
}

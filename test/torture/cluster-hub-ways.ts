import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { type CuttingProxy, startCuttingProxy } from '../support/cutting-proxy.ts';

/** How one process of a cluster reaches the database, and is reached. */
export interface Way {
  /** Stands before its command line. */
  readonly prefix: readonly string[];
  /** Where it listens, and where its requests come from. */
  readonly address: string;
  /** The database, as this process must name it. */
  readonly database: { readonly host: string; readonly port: number };
  /** From now on nothing passes between it and the database, in both directions, and nobody is told so. */
  cut(): Promise<void>;
  mend(): Promise<void>;
}

export interface Ways extends AsyncDisposable {
  readonly are: string;
  /** Tells the processes apart by where their requests come from. */
  readonly tellApart: boolean;
  /** The first half of the addresses of the sites. */
  readonly network: string;
  /** Of the addresses that the database must let in. */
  readonly peers?: string;
  open(port: number, count: number): Promise<readonly Way[]>;
}

/** Set by whoever has made this process the first one of a network namespace of its own. */
export const NAMESPACE = 'TIDINGS_TORTURE_NAMESPACE';

/** How `unshare` is told to run a program in such a one. All that the program starts ends with it, however that ends. */
export const SEPARATELY = ['--net', '--pid', '--fork', '--kill-child', '--mount-proc'];

/** Network namespaces where this process is in one that was made for it, else proxies on loopback. */
export function chooseWays(): Ways {
  return process.env[NAMESPACE] === undefined ? new ProxyWays() : new NamespaceWays();
}

/** Whether a program can be run in a network namespace of its own, with links to others. */
export async function canSeparate(): Promise<boolean> {
  try {
    const script =
      'ip link set lo up && ip link add t0 type veth peer name t1 && ip route add local 10.78.0.0/16 dev lo';
    await run('unshare', [...SEPARATELY, 'sh', '-c', `${script} && nsenter --version`]);
    return true;
  } catch {
    return false;
  }
}

/** A proxy for each process, which swallows what is said. */
class ProxyWays implements Ways {
  readonly are = 'proxies on loopback that stall';
  readonly tellApart = false;
  readonly network = '127.0';
  readonly #proxies: CuttingProxy[] = [];

  async open(port: number, count: number): Promise<readonly Way[]> {
    const ways: Way[] = [];
    for (let index = 0; index < count; index += 1) {
      const proxy = await startCuttingProxy({ host: '127.0.0.1', port });
      this.#proxies.push(proxy);
      ways.push({
        prefix: [],
        address: '127.0.0.1',
        database: { host: '127.0.0.1', port: proxy.port },
        cut: async () => proxy.stall(),
        mend: async () => proxy.mend(),
      });
    }
    return ways;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const proxy of this.#proxies) await proxy[Symbol.asyncDispose]();
  }
}

/**
 * A network namespace for each process, with two links: one to the database, one to the web. A link that is down drops all packets without a word, and
 * connections go on when it is up again. All of it ends with the processes that hold the namespaces.
 */
class NamespaceWays implements Ways {
  readonly are = 'network namespaces whose links are cut';
  readonly tellApart = true;
  readonly network = '10.78';
  readonly peers = '10.77.0.0/16';
  readonly #holders: ChildProcess[] = [];

  async open(port: number, count: number): Promise<readonly Way[]> {
    process.once('exit', () => {
      for (const holder of this.#holders) holder.kill('SIGKILL');
    });
    await ip('link set lo up');
    await ip(`route replace local ${this.network}.0.0/16 dev lo`);
    const ways: Way[] = [];
    for (let index = 0; index < count; index += 1) {
      links += 1;
      ways.push(await this.#separate(links, port));
    }
    return ways;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const holder of this.#holders) {
      const ended = once(holder, 'exit');
      holder.kill('SIGKILL');
      await ended;
    }
  }

  async #separate(index: number, port: number): Promise<Way> {
    const holder = spawn('unshare', ['--net', 'sh', '-c', 'echo ready; exec sleep 7200'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    this.#holders.push(holder);
    await once(holder.stdout, 'data');
    const prefix = ['nsenter', '--target', `${holder.pid}`, '--net'];
    const inside = async (words: string) => await run(prefix[0] ?? '', [...prefix.slice(1), 'ip', ...words.split(' ')]);
    const link = async (name: string, half: number) => {
      const [near, far] = [`10.77.${half}.1`, `10.77.${half}.2`];
      await ip(`link add ${name} type veth peer name ${name}in`);
      await ip(`link set ${name}in netns ${holder.pid}`);
      await ip(`addr add ${near}/30 dev ${name}`);
      await ip(`link set ${name} up`);
      await inside(`addr add ${far}/30 dev ${name}in`);
      await inside(`link set ${name}in up`);
      // Who must ask where the other end is hears that nobody answers.
      const { stdout } = await run('ip', ['-o', 'link', 'show', name]);
      const [, hardware = ''] = /ether ([0-9a-f:]+)/.exec(stdout) ?? [];
      await inside(`neigh replace ${near} lladdr ${hardware} dev ${name}in nud permanent`);
      return { near, far };
    };
    await inside('link set lo up');
    const database = await link(`db${index}`, index);
    const web = await link(`web${index}`, index + 100);
    await inside(`route add default via ${web.near}`);
    return {
      prefix,
      address: web.far,
      database: { host: database.near, port },
      cut: async () => await ip(`link set db${index} down`),
      mend: async () => await ip(`link set db${index} up`),
    };
  }
}

const run = promisify(execFile);
/** Of all that were made here: a link that has just ended may still have its name. */
let links = 0;

async function ip(words: string): Promise<void> {
  await run('ip', words.split(' '));
}

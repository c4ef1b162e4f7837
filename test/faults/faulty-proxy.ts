/** A TCP proxy on loopback in front of a port, with the faults of a network on demand. */
import { connect, createServer, type Socket } from 'node:net';
import { freePort } from '../../bench/free-port.js';

/** How a new connection is treated. `swallow` accepts it and never answers. */
type Welcome = 'pass' | 'refuse' | 'swallow';

/** Passes bytes on in their order, each `delayMs` late. */
class Pipe {
  readonly #to: Socket;
  readonly #queue: Buffer[] = [];

  constructor(to: Socket) {
    this.#to = to;
  }

  pass(bytes: Buffer, delayMs: number): void {
    if (delayMs === 0 && this.#queue.length === 0) {
      if (this.#to.writable) this.#to.write(bytes);
      return;
    }
    this.#queue.push(bytes);
    setTimeout(() => {
      const next = this.#queue.shift();
      if (next && this.#to.writable) this.#to.write(next);
    }, delayMs);
  }
}

/** A client and, unless it was swallowed, its connection to the target. */
interface Pair {
  readonly client: Socket;
  readonly upstream: Socket | undefined;
  /** Half-open: bytes of both sides vanish, and neither side hears that the other has ended. */
  isSilent: boolean;
}

export class FaultyProxy {
  #target: { readonly host: string; readonly port: number };
  readonly #pairs = new Set<Pair>();
  /** The target's ends of half-open connections that their clients gave up. The target notices at `restore`. */
  readonly #orphans = new Set<Socket>();
  readonly #server = createServer((client) => this.#welcome(client));
  #mode: Welcome = 'pass';
  #delayMs = 0;
  readonly #port: number;
  #lastWords: string | undefined;

  private constructor(target: { readonly host: string; readonly port: number }, port: number) {
    this.#target = target;
    this.#port = port;
  }

  static async before(port: number, host = '127.0.0.1'): Promise<FaultyProxy> {
    const proxy = new FaultyProxy({ host, port }, await freePort());
    await proxy.#listen();
    return proxy;
  }

  /** In front of the host and port of an address. */
  static beforeUrl(url: string): Promise<FaultyProxy> {
    const { hostname, port } = new URL(url);
    return FaultyProxy.before(Number(port), hostname);
  }

  get port(): number {
    return this.#port;
  }

  /** Connections that are open now, half-open ones too. */
  get connections(): number {
    return this.#pairs.size;
  }

  /** The same address by way of this proxy. */
  through(url: string): string {
    const detour = new URL(url);
    detour.hostname = '127.0.0.1';
    detour.port = String(this.#port);
    return detour.href;
  }

  /** Both sides of every connection get a RST. Tells how many there were. */
  reset(): number {
    const all = [...this.#pairs];
    for (const pair of all) {
      pair.client.resetAndDestroy();
      pair.upstream?.resetAndDestroy();
    }
    return all.length;
  }

  /** The connections of now become half-open and stay so until `reset`. New ones are passed on. Tells how many there were. */
  silence(): number {
    for (const pair of this.#pairs) pair.isSilent = true;
    return this.#pairs.size;
  }

  /** New connections go to another port, as when an address moves to the standby. */
  retarget(port: number): void {
    this.#target = { ...this.#target, port };
  }

  /** New connections are refused. */
  refuse(): void {
    this.#mode = 'refuse';
    if (this.#server.listening) this.#server.close();
  }

  /** New connections are accepted and never answered. */
  swallow(): void {
    this.#mode = 'swallow';
  }

  /** Bytes arrive this much later, in both directions. */
  delay(ms: number): void {
    this.#delayMs = ms;
  }

  /** The next client that says these words is heard, but loses its connection before it has an answer. */
  cutAfter(words: string): void {
    this.#lastWords = words;
  }

  /** New connections are passed on, without delay. Half-open ones stay half-open. */
  async restore(): Promise<void> {
    this.#mode = 'pass';
    this.#delayMs = 0;
    for (const upstream of this.#orphans) upstream.destroy();
    if (!this.#server.listening) await this.#listen();
  }

  async close(): Promise<void> {
    for (const pair of this.#pairs) {
      pair.isSilent = false;
      pair.client.destroy();
      pair.upstream?.destroy();
    }
    for (const upstream of this.#orphans) upstream.destroy();
    if (this.#server.listening) await new Promise((resolve) => this.#server.close(resolve));
  }

  #listen(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(this.#port, '127.0.0.1', () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
  }

  #welcome(client: Socket): void {
    client.setNoDelay(true);
    const isPassed = this.#mode === 'pass';
    const upstream = isPassed ? connect({ ...this.#target, noDelay: true }) : undefined;
    const pair: Pair = { client, upstream, isSilent: !isPassed };
    this.#pairs.add(pair);
    client.on('error', () => undefined).on('close', () => this.#forget(pair));
    if (upstream) {
      this.#join(pair, client, upstream);
      this.#join(pair, upstream, client);
      client.on('data', (bytes) => this.#cut(pair, bytes));
      upstream.on('error', () => pair.isSilent || client.resetAndDestroy());
    } else client.resume();
  }

  #join(pair: Pair, from: Socket, to: Socket): void {
    const pipe = new Pipe(to);
    from.on('data', (bytes) => pair.isSilent || pipe.pass(bytes, this.#delayMs));
    from.on('end', () => pair.isSilent || to.end());
  }

  /** The target gets an end without a reset, so that it reads and does all that it was told. */
  #cut({ client, upstream }: Pair, bytes: Buffer): void {
    if (this.#lastWords === undefined || !bytes.includes(this.#lastWords)) return;
    this.#lastWords = undefined;
    upstream?.removeAllListeners('data').resume();
    client.resetAndDestroy();
  }

  #forget(pair: Pair): void {
    this.#pairs.delete(pair);
    const { upstream } = pair;
    if (!upstream || upstream.destroyed) return;
    if (!pair.isSilent) {
      upstream.destroy();
      return;
    }
    this.#orphans.add(upstream);
    upstream.once('close', () => this.#orphans.delete(upstream));
  }
}

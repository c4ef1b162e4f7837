/**
 * Connections are shared by sources. One source keeps so many idle connections; when the listener is full, idle connections of the
 * sources with the most are closed first, so that a stranger is served. What waits for its client, to send a request to its end or to read
 * an answer, counts as idle then. A connection whose request is ours to answer is never closed for another.
 */
import type { Server, Socket } from 'node:net';
import { monotonicMs, SECOND } from '../../lib/clock.js';
import { networkOf, plainAddress, type Source } from '../../lib/net/address.js';
import { Connection, type Use } from '../../lib/net/connection.js';

export const closedReasons = [
  /** Idle, and its source has too many of them. */
  'source',
  /** Idle, to make room. */
  'room',
  /** New, and all others are busy. */
  'full',
  /** By Node, before we saw it. */
  'dropped',
] as const;
export type ClosedReason = (typeof closedReasons)[number];

export interface ConnectionRule {
  readonly most: number;
  readonly idlePerSource: number;
  /** Whether the address is a proxy, which many clients share. */
  readonly isProxy: (address: string) => boolean;
  readonly onClosed: (reason: ClosedReason) => void;
}

/** A pool of connections rests between two calls: that is not yet idle. */
const IDLE_AFTER_MS = SECOND;
const SWEEP_MS = SECOND;
/** Connections that Node may accept until ours are closed. */
const MARGIN = 64;
/** Room is made for several at once: looking for the busiest source costs more than closing. */
const ROOM = 0.01;

interface Held {
  readonly name: string;
  readonly source: Source;
  readonly isProxy: boolean;
  readonly since: number;
  /** That of TLS once its handshake is done. */
  socket: Socket;
}

class Connections {
  readonly #rule: ConnectionRule;
  readonly #held = new Map<string, Held>();
  /** By source, the oldest first. */
  readonly #sources = new Map<Source, Set<Held>>();
  #size = 0;

  constructor(rule: ConnectionRule) {
    this.#rule = rule;
  }

  add(socket: Socket): void {
    const address = plainAddress(socket.remoteAddress ?? '');
    const isProxy = this.#rule.isProxy(address);
    const name = nameOf(socket);
    const held = { name, source: networkOf(address), isProxy, since: monotonicMs(), socket };
    this.#held.set(name, held);
    this.#size += 1;
    const others = this.#sources.get(held.source);
    if (others) others.add(held);
    else this.#sources.set(held.source, new Set([held]));
    socket.once('close', () => this.#forget(held));
    if (this.#size > this.#rule.most) this.#makeRoom(held);
  }

  secured(socket: Socket): void {
    const held = this.#held.get(nameOf(socket));
    if (!held) return;
    held.socket = socket;
    socket.once('close', () => this.#forget(held));
  }

  /** Closes what sources hold beyond their share. */
  sweep(): void {
    const before = monotonicMs() - IDLE_AFTER_MS;
    for (const held of this.#sources.values()) {
      if (held.size <= this.#rule.idlePerSource) continue;
      const idle = [...held].filter(
        (each) => !each.isProxy && isIdle(useOf(each)) && useOf(each).since < before,
      );
      for (const each of idle.slice(0, Math.max(0, idle.length - this.#rule.idlePerSource)))
        this.#close(each, 'source');
    }
  }

  #makeRoom(newest: Held): void {
    const busiest = [...this.#sources.values()].sort((one, other) => other.size - one.size);
    const share = Math.ceil(this.#rule.most / busiest.length);
    let wanted = Math.max(1, Math.ceil(this.#rule.most * ROOM));
    // First what is beyond an even share, then anything idle, then what is slow; of proxies last, because many clients share theirs.
    for (const [least, isProxy, mayClose] of [
      [share, false, isNotBusy],
      [0, false, isIdle],
      [0, false, isNotBusy],
      [0, true, isIdle],
    ] as const)
      for (const held of busiest)
        for (const each of held) {
          if (wanted === 0 || held.size <= least) break;
          if (each === newest || each.isProxy !== isProxy || !mayClose(useOf(each))) continue;
          this.#close(each, 'room');
          wanted -= 1;
        }
    if (this.#size > this.#rule.most) this.#close(newest, 'full');
  }

  #close(held: Held, reason: ClosedReason): void {
    this.#forget(held);
    held.socket.destroy();
    this.#rule.onClosed(reason);
  }

  #forget(held: Held): void {
    const others = this.#sources.get(held.source);
    if (!others?.delete(held)) return;
    this.#size -= 1;
    if (this.#held.get(held.name) === held) this.#held.delete(held.name);
    if (others.size === 0) this.#sources.delete(held.source);
  }
}

const useOf = ({ socket, since }: Held): Use => Connection.useOf(socket) ?? { work: 'none', since };
const isIdle = ({ work }: Use): boolean => work === 'none';
const isNotBusy = ({ work }: Use): boolean => work !== 'busy';

/** Node hands out two sockets for one connection with TLS; both have its address. */
const nameOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;

/** For every listener. */
export const limitConnections = (server: Server, rule: ConnectionRule): void => {
  const connections = new Connections(rule);
  server.maxConnections = rule.most + MARGIN;
  server.on('connection', (socket: Socket) => connections.add(socket));
  server.on('secureConnection', (socket: Socket) => connections.secured(socket));
  server.on('drop', () => rule.onClosed('dropped'));
  server.once('listening', () => {
    const sweep = setInterval(() => connections.sweep(), SWEEP_MS).unref();
    server.once('close', () => clearInterval(sweep));
  });
};

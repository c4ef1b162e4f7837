/** A question from one process of this service to another, and its answer, over the channel that Node has between them. */
import type { EventEmitter } from 'node:events';
import { newId } from '../lib/id.js';

/** A worker as the first process sees it, or the first process as a worker does. */
export interface Peer extends Pick<EventEmitter, 'on' | 'off' | 'once'> {
  send?(message: object): unknown;
}

interface Message {
  readonly type: string;
  readonly id: string;
  readonly body?: unknown;
  readonly hasFailed?: boolean;
}

const isOf = (message: unknown, type: string): message is Message =>
  (message as { type?: unknown } | null)?.type === type;

const replyTo = (type: string): string => `${type}-reply`;

export const ask = (peer: Peer, type: string, body?: unknown): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const id = newId();
    const gone = (): void => reject(new Error('the other process died'));
    const listen = (message: unknown): void => {
      if (!isOf(message, replyTo(type)) || message.id !== id) return;
      peer.off('message', listen).off('exit', gone);
      if (message.hasFailed) reject(new Error(`${type} failed`));
      else resolve(message.body);
    };
    peer.on('message', listen).once('exit', gone);
    peer.send?.({ type, id, body });
  });

export const answer = (peer: Peer, type: string, work: (body: unknown) => Promise<unknown>): void => {
  peer.on('message', (message: unknown) => {
    if (!isOf(message, type)) return;
    const reply = (rest: object): void => void peer.send?.({ type: replyTo(type), id: message.id, ...rest });
    work(message.body).then(
      (body) => reply({ body }),
      () => reply({ hasFailed: true }),
    );
  });
};

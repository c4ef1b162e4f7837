/**
 * The public listener. A request becomes an Exchange, walks the ordered table of checks it is handed, reaches its handler,
 * and is answered through render.ts. Operations are served on node:http itself, pages by the web framework behind it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import fastJsonStringify from 'fast-json-stringify';
import { type Clock, monotonicMs } from '../lib/clock.js';
import { Connection } from '../lib/net/connection.js';
import { type Completion, eachTick } from '../lib/turn.js';
import type { Observer, RequestFacts } from '../observe/observer.js';
import type { Tracer } from '../observe/trace/tracer.js';
import { Problem } from '../problem/problem.js';
import { isSmall } from './body.js';
import { compressed } from './compress.js';
import { Exchange, type Mount } from './exchange.js';
import { createArrivals } from './listeners/arrivals.js';
import { createListener, type ListenerParts } from './listeners/listener.js';
import type { Load } from './listeners/load.js';
import { endWithAnswer, leaveUnreadLater } from './listeners/unread.js';
import type { Operation, Reply } from './operation.js';
import {
  asProblem,
  guardHeaders,
  parserProblem,
  refuseSocket,
  type Site,
  sendProblem,
  sendReply,
} from './render.js';
import { createRouter } from './router.js';

/** A check: throws a Problem, or lets the request pass. Returns a promise only if it must wait. */
export interface Stage {
  readonly name: string;
  readonly check: (exchange: Exchange) => Completion;
}

export type Target = Operation | 'page' | undefined;

export interface ServerParts extends ListenerParts {
  readonly clock: Clock;
  readonly site: Site;
  readonly operations: readonly Operation[];
  /** The checks in their order, for one operation, for a page, or for a request that leads nowhere. */
  readonly stagesOf: (target: Target) => readonly Stage[];
  /** What is not an operation: pages, the authorization server. */
  readonly mounts: readonly Mount[];
  readonly observer: Observer;
  readonly tracer?: Tracer | undefined;
  /** Whose share of the node the request counts for. */
  readonly sharerOf: (request: IncomingMessage) => string;
  /** Whether calls of the operation that come together are handled together (`arrivals.ts`). */
  readonly isGathered?: (operation: Operation | undefined) => boolean;
  /** Called for every operation that is refused. */
  readonly onRefusal: (exchange: Exchange, problem: Problem) => void;
}

export interface HttpServer {
  /** For requests that arrive at another server. */
  handle(request: IncomingMessage, response: ServerResponse): void;
  listen(): Promise<AddressInfo>;
  /** From now on every answer ends its connection. */
  announceEnd(): void;
  /** Takes no new requests, lets the running ones finish, closes the rest after the drain time. */
  drain(): Promise<void>;
  readonly load: Load;
}

/** Pages write their answers without `sent`. */
const isAnswered = ({ sent, response }: Exchange): boolean => sent || response.headersSent;

const factsOf = (exchange: Exchange): RequestFacts => ({
  operation: exchange.operation?.id ?? exchange.mount?.name ?? 'none',
  status: isAnswered(exchange) ? exchange.response.statusCode : 0,
  ms: monotonicMs() - exchange.startedAt,
  requestId: exchange.requestId,
  ...{ page: exchange.page, operator: exchange.operator, clientId: exchange.clientId },
  slug: exchange.problem?.slug,
  cause: exchange.problem?.details.cause,
  problem: exchange.problem,
  traceId: exchange.traceId,
  trace: exchange.trace,
  request: exchange.request,
});

type Fail = (exchange: Exchange, error: unknown) => void;
type Plan = { readonly stages: readonly Stage[]; readonly write: (body: unknown) => string };

/** Answers that are ready together are written one after the other. */
const createSend = ({ site }: ServerParts, fail: Fail) =>
  eachTick<{ exchange: Exchange; plan: Plan; reply: Reply }>((answers) => {
    for (const { exchange, plan, reply } of answers)
      try {
        sendReply(exchange, site, reply, plan.write);
      } catch (error) {
        fail(exchange, error);
      }
  });

const createFail =
  ({ config, site, onRefusal }: ServerParts, load: Load): Fail =>
  (exchange, error) => {
    if (isAnswered(exchange)) return;
    const problem = asProblem(error);
    exchange.problem = problem;
    onRefusal(exchange, problem);
    // The client gets its answer at once; its next requests are read after a pause.
    if (problem.slug === 'overloaded')
      load.letRest((ms, over) => Connection.of<Exchange>(exchange.request.socket).rest(ms, over));
    const isTimeout = problem.kind.status === 408;
    if (isTimeout || load.isClosing || !isSmall(exchange.request, config.bodyLimit)) endWithAnswer(exchange);
    sendProblem(exchange, site, problem);
  };

/** A client that sends slowly has its own limit: the deadline counts from the moment the request is whole. */
const watch = (exchange: Exchange, deadlineMs: number, fail: Fail): NodeJS.Timeout => {
  const deadline = setTimeout(() => {
    const isReading = exchange.mount ? !exchange.request.complete : exchange.isReading;
    if (isReading) deadline.refresh();
    else fail(exchange, new Problem(exchange.whenLate));
  }, deadlineMs);
  return deadline;
};

/** Leads an exchange through its stages to its handler and answers it, whatever happens on the way. */
const createWalk = (parts: ServerParts, load: Load, fail: Fail) => {
  /** Continues when `pending` has resolved. Only a request that waits for something needs a deadline. */
  const wait = <T>(exchange: Exchange, pending: Promise<T>, goOn: (value: T) => void): void => {
    exchange.deadline ??= watch(exchange, parts.config.deadlineMs, fail);
    const wasReading = exchange.isReading;
    const refuse = (error: unknown): void => {
      clearTimeout(exchange.deadline);
      fail(exchange, error);
    };
    pending.then((value) => {
      if (wasReading) exchange.deadline?.refresh();
      if (exchange.sent) return;
      try {
        goOn(value);
      } catch (error) {
        refuse(error);
      }
    }, refuse);
  };

  const send = createSend(parts, fail);

  const answer = (exchange: Exchange, plan: Plan, reply: Reply): void => {
    clearTimeout(exchange.deadline);
    if (load.isClosing) exchange.response.shouldKeepAlive = false;
    send({ exchange, plan, reply });
  };

  const finish = (exchange: Exchange, plan: Plan, reply: Reply): void => {
    if (!exchange.operation?.isCompressed) {
      answer(exchange, plan, reply);
      return;
    }
    const made = compressed(reply, exchange.headers['accept-encoding'], plan.write);
    if (made instanceof Promise) wait(exchange, made, (ready) => answer(exchange, plan, ready));
    else answer(exchange, plan, made);
  };

  /** A page answers by itself; the deadline counts until it has. */
  const handOver = (exchange: Exchange, { serve }: Mount): void => {
    const { request, response } = exchange;
    if (load.isClosing) response.shouldKeepAlive = false;
    leaveUnreadLater(exchange);
    for (const name in guardHeaders)
      response.setHeader(name, guardHeaders[name as keyof typeof guardHeaders]);
    wait(exchange, Promise.resolve(serve(request, response, exchange)), () => undefined);
  };

  /** Runs the stages from this one on, then the handler. Synchronous until a stage has to wait. */
  const advance = (exchange: Exchange, plan: Plan, from: number): void => {
    const { stages } = plan;
    for (let index = from; index < stages.length; index += 1) {
      const pending = stages[index]?.check(exchange);
      if (pending === undefined) continue;
      wait(exchange, pending, () => advance(exchange, plan, index + 1));
      return;
    }
    if (exchange.mount) {
      handOver(exchange, exchange.mount);
      return;
    }
    if (!exchange.operation) throw new Problem('route-not-found');
    const reply = exchange.operation.handle(exchange);
    if (reply instanceof Promise) wait(exchange, reply, (made) => finish(exchange, plan, made));
    else finish(exchange, plan, reply);
  };

  return (exchange: Exchange, plan: Plan): void => {
    try {
      advance(exchange, plan, 0);
    } catch (error) {
      clearTimeout(exchange.deadline);
      fail(exchange, error);
    }
  };
};

type Walk = ReturnType<typeof createWalk>;

const traced = (walk: Walk, tracer: Tracer | undefined): Walk =>
  tracer
    ? (exchange, plan) => {
        exchange.trace = tracer.begin(exchange.request);
        tracer.enter(exchange.trace, () => walk(exchange, plan));
      }
    : walk;

/** Every operation's stages and serialiser, compiled when the service starts. */
const createPlans = ({ operations, stagesOf }: ServerParts): ((exchange: Exchange) => Plan) => {
  const planOf = (operation: Operation): Plan => ({
    stages: stagesOf(operation),
    write: operation.success.schema ? fastJsonStringify(operation.success.schema as object) : JSON.stringify,
  });
  const plans = new Map(operations.map((operation) => [operation, planOf(operation)]));
  const [page, nowhere] = (['page', undefined] as const).map((target) => ({
    stages: stagesOf(target),
    write: JSON.stringify,
  })) as [Plan, Plan];
  return ({ operation, mount }) => (operation && plans.get(operation)) ?? (mount ? page : nowhere);
};

export const createHttpServer = (parts: ServerParts, load: Load): HttpServer => {
  const { site, observer, clock } = parts;
  const route = createRouter(parts.operations, parts.mounts);
  const planFor = createPlans(parts);
  const fail = createFail(parts, load);
  const walk = traced(createWalk(parts, load, fail), parts.tracer);
  const arrivals = createArrivals<Exchange>((exchanges) => {
    load.measure();
    for (const exchange of exchanges) if (!exchange.sent) walk(exchange, planFor(exchange));
  });

  const start = (exchange: Exchange): void => {
    // Released when the answer is made, not when the client has read it: a client that never reads must not hold its place.
    exchange.sharer = parts.sharerOf(exchange.request);
    const isGathered = parts.isGathered?.(exchange.operation);
    exchange.release = arrivals.add(exchange, load.take(exchange.sharer), isGathered);
    if (exchange.mount) exchange.response.once('prefinish', exchange.release);
    exchange.response.on('close', () => {
      exchange.release();
      if (exchange.mount) clearTimeout(exchange.deadline);
      observer.finished(factsOf(exchange));
    });
  };

  const { server, handle, listen, drain } = createListener(parts, (request, response) => {
    const exchange = new Exchange(request, response, route(request), monotonicMs());
    Connection.of<Exchange>(request.socket).take(exchange, start);
  });

  server.on('connection', arrivals.accepted);

  /** What cannot become a request is answered when those before it have their answers. */
  const refuse = (socket: Socket, problem: Problem): void =>
    Connection.of<Exchange>(socket).endWith(() => {
      observer.finished({ operation: 'none', status: problem.kind.status, slug: problem.slug, ms: 0 });
      refuseSocket(socket, site, problem, clock);
    });
  server.on('connect', (_request, socket: Socket) => {
    // What follows is not read as requests.
    socket.resume();
    refuse(socket, new Problem('route-not-found'));
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const problem = parserProblem(error);
    const connection = Connection.of<Exchange>(socket);
    const { last } = connection;
    if (!last) return refuse(socket, problem);
    // Either the request itself is broken, or the bytes behind it. One answer only: a second would be taken for that of the
    // next request.
    if (!last.request.complete) fail(last, problem);
    last.response.shouldKeepAlive = false;
    connection.endWith(() => socket.destroySoon());
  });

  const announceEnd = (): void => {
    load.isClosing = true;
  };
  return {
    load,
    handle,
    listen,
    announceEnd,
    drain: () => {
      announceEnd();
      load.draining = true;
      return drain();
    },
  };
};

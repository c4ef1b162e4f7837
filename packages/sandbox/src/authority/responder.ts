/** Where a test PKI answers: its certificates, its revocation lists, and its OCSP responder. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Clock, type Mount, readBody } from 'trapeza/base';
import { pemOf } from 'trapeza/certificates';
import { answerOcsp, answerTimes, buildCrl, listTimes, type OcspStatus } from './answers.js';
import type { TestAuthority } from './authority.js';

const EVERYBODY = { name: 'everybody' } as const;

/** What is known of one certificate of the issuing authority. */
export interface IssuedState {
  readonly serial: bigint;
  readonly revokedAt: number | undefined;
}

export interface ResponderParts {
  readonly authority: () => Promise<TestAuthority>;
  /** Every certificate that was issued. */
  readonly issued: () => Promise<readonly IssuedState[]>;
  readonly clock: Clock;
  /** The path before `/crl` and the others. */
  readonly prefix: string;
}

const QUESTION_LIMIT = 4096;

const statusOf = (issued: readonly IssuedState[], serial: bigint): OcspStatus => {
  const found = issued.find((each) => each.serial === serial);
  if (!found) return { kind: 'unknown' };
  return found.revokedAt === undefined ? { kind: 'good' } : { kind: 'revoked', at: found.revokedAt };
};

interface Answer {
  readonly type: string;
  readonly body: Buffer | string;
}

const createAnswers = ({ authority, issued, clock }: ResponderParts) => {
  const pem = (body: Buffer): Answer => ({ type: 'application/x-pem-file', body: pemOf(body) });
  const list = (body: Buffer): Answer => ({ type: 'application/pkix-crl', body });
  return {
    'GET /root.pem': async () => pem((await authority()).root),
    'GET /issuing.pem': async () => pem((await authority()).issuing),
    'GET /root.crl': async () => {
      const { rootName: name, rootKey: key } = await authority();
      return list(buildCrl({ name, key }, [], listTimes(clock.now())));
    },
    'GET /crl': async () => {
      const { issuingName: name, issuingKey: key } = await authority();
      const revoked = (await issued()).flatMap(({ serial, revokedAt: at }) =>
        at === undefined ? [] : [{ serial, at }],
      );
      return list(buildCrl({ name, key }, revoked, listTimes(clock.now())));
    },
    'POST /ocsp': async (request: IncomingMessage) => {
      const { issuingName: name, issuingKey: key } = await authority();
      const question = await readBody(request, QUESTION_LIMIT);
      const known = await issued();
      const times = answerTimes(clock.now());
      const body = await answerOcsp(question, {
        name,
        key,
        times,
        statusOf: (serial) => statusOf(known, serial),
      });
      return { type: 'application/ocsp-response', body };
    },
  } satisfies Record<string, (request: IncomingMessage) => Promise<Answer>>;
};

const write = (response: ServerResponse, status: number, { type, body }: Answer): void => {
  response.writeHead(status, {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(body);
};

const plain = (body: string): Answer => ({ type: 'text/plain; charset=utf-8', body });

/** As a part of the service, or as the listener of a server of its own. */
export const createResponder = (parts: ResponderParts) => {
  const answers = new Map<string, (request: IncomingMessage) => Promise<Answer>>(
    Object.entries(createAnswers(parts)),
  );
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const answer = path.startsWith(parts.prefix)
      ? answers.get(`${method} ${path.slice(parts.prefix.length)}`)
      : undefined;
    if (!answer) {
      write(response, 404, plain('Not found.\n'));
      return;
    }
    const found = await answer(request).catch(() => undefined);
    write(response, found ? 200 : 503, found ?? plain('Not at the moment.\n'));
  };
  const routes = [...answers.keys()].map((route) => {
    const [method, path] = route.split(' ');
    return {
      method: method === 'POST' ? 'POST' : 'GET',
      path: `${parts.prefix}${path}`,
      audience: EVERYBODY,
    } as const;
  });
  return { name: 'page', routes, serve } satisfies Mount;
};

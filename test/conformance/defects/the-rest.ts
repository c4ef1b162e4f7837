/** Defects of all that is around the four operations, each under the name of the one case that finds it. */
import { randomUUID } from 'node:crypto';
import type { Alter, Asked, Members } from '../proxy.js';

const is =
  (method: string, path: RegExp) =>
  (asked: Asked): boolean =>
    asked.method === method && path.test(asked.path);

const onCreation = (area: string): ((asked: Asked) => boolean) =>
  is('POST', new RegExp(`^/${area}/psd2/v1/(consents|transfers/domestic)$`));
const requestId = ({ headers }: Asked): string => String(headers['x-request-id']);

export const consentDefects = (): Readonly<Record<string, Alter>> => {
  const ended = new Set<string>();
  const created = new Set<string>();
  return {
    'consents-account-location': ({ headers }, asked) => {
      if (onCreation('ais')(asked)) delete headers.location;
    },
    'consents-payment-approach': ({ headers }, asked) => {
      if (onCreation('pis')(asked)) delete headers['aspsp-sca-approach'];
    },
    'consents-funds-begins': ({ json = {} }, asked) => {
      if (onCreation('piis')(asked) && json.consentStatus) json.consentStatus = 'Valid';
    },
    'consents-account-return-address': (answer, asked) => {
      if (onCreation('ais')(asked) && answer.status === 400 && asked.headers['tpp-redirect-uri'])
        answer.status = 201;
    },
    'consents-funds-ended-twice': (answer, asked) => {
      if (!is('DELETE', /^\/piis\//)(asked) || answer.status !== 204) return;
      if (ended.has(asked.path)) answer.status = 409;
      ended.add(asked.path);
    },
    'repeats-funds-other': (answer, asked) => {
      if (!onCreation('piis')(asked) || answer.status !== 409 || !asked.text.includes('Conformance 2'))
        return;
      answer.status = 201;
      answer.json = { consentId: randomUUID() };
    },
    'repeats-funds-bytes': ({ status, json = {} }, asked) => {
      if (!onCreation('piis')(asked) || status !== 201) return;
      if (created.has(requestId(asked))) json.repeated = true;
      created.add(requestId(asked));
    },
    'repeats-payment-same': ({ status, json = {} }, asked) => {
      if (!onCreation('pis')(asked) || status !== 201) return;
      if (created.has(requestId(asked))) json.consentId = randomUUID();
      created.add(requestId(asked));
    },
  };
};

const rowsOf = (json: Members): Members[] =>
  ((json.transactions as Members | undefined)?.booked as Members[]) ?? [];
const isTransactions = is('GET', /\/transactions/);

const positive = (row: Members | undefined): void => {
  const amount = row?.transactionAmount as Members | undefined;
  if (amount) amount.amount = Math.abs(Number(amount.amount));
};

export const accountDefects = (): Readonly<Record<string, Alter>> => {
  const ended = new Set<string>();
  const leadTo =
    (change: (href: string, asked: Asked) => string): Alter =>
    ({ json = {} }, asked) => {
      const next = (json._links as Members | undefined)?.next as Members | undefined;
      if (isTransactions(asked) && next) next.href = change(String(next.href), asked);
    };
  return {
    'accounts-without-consent': (answer, asked) => {
      if (is('GET', /\/accounts$/)(asked) && !asked.headers['consent-id']) answer.status = 200;
    },
    'accounts-fifth': (answer) => {
      if (answer.status === 429) answer.status = 200;
    },
    'accounts-come-back': (answer) => {
      if (answer.status === 429) delete answer.headers['retry-after'];
    },
    'accounts-ended': (answer, asked) => {
      if (asked.method === 'DELETE') ended.add(asked.path.split('/').at(-1) ?? '');
      if (answer.status === 403 && ended.has(String(asked.headers['consent-id']))) answer.status = 200;
    },
    'accounts-balances': ({ json = {} }) => {
      for (const { balanceAmount } of (json.balances as { balanceAmount: Members }[]) ?? [])
        balanceAmount.amount = String(balanceAmount.amount);
    },
    'paging-next-differs': leadTo((_href, { path }) => path),
    'paging-next-here': leadTo((href) => href.replace(/accounts\/[0-9a-f-]{36}/, `accounts/${randomUUID()}`)),
    'paging-all-rows': ({ json = {} }, asked) => {
      if (isTransactions(asked) && asked.path.includes('page=') && rowsOf(json).length > 1)
        rowsOf(json).shift();
    },
    'paging-signs': ({ json = {} }, asked) => {
      if (isTransactions(asked))
        for (const row of [...rowsOf(json), json.transactionsDetails]) positive(row as Members);
    },
    'paging-days': ({ json = {} }, asked) => {
      if (isTransactions(asked) && asked.path.includes('dateTo')) rowsOf(json).length = 0;
    },
    'paging-limit-zero': (answer, asked) => {
      if (isTransactions(asked) && asked.path.includes('limit=0')) answer.status = 200;
    },
  };
};

export const otherDefects = (): Readonly<Record<string, Alter>> => {
  const seen = new Set<string>();
  const isOrder = is('POST', /\/payment$/);
  const isToken = is('POST', /^\/oauth\/token/);
  return {
    'orders-early': (answer, asked) => {
      if (isOrder(asked) && answer.status === 403 && JSON.stringify(answer.json).includes('"Received"'))
        answer.status = 201;
    },
    'orders-again': ({ json = {} }, asked) => {
      if (!isOrder(asked)) return;
      if (seen.has(requestId(asked))) json.paymentId = randomUUID();
      seen.add(requestId(asked));
    },
    'orders-status': ({ status, json = {} }, asked) => {
      if (isOrder(asked) && status === 201) json.transactionStatus = 'OK';
    },
    'oauth-no-store': ({ headers }, asked) => {
      if (isToken(asked)) delete headers['cache-control'];
    },
    'oauth-pkce': ({ json = {} }, { path }) => {
      if (path.startsWith('/.well-known/oauth')) json.code_challenge_methods_supported = ['S256', 'plain'];
    },
    'oauth-code-once': (answer, asked) => {
      const code = new URLSearchParams(asked.text).get('code') ?? '';
      if (!isToken(asked) || code === '') return;
      if (seen.has(code)) answer.status = 200;
      if (answer.status === 200) seen.add(code);
    },
    'oauth-revoked-access': (answer, asked) => {
      const token = new URLSearchParams(asked.text).get('token');
      if (asked.path.startsWith('/oauth/revocation') && token) seen.add(`Bearer ${token}`);
      if (seen.has(String(asked.headers.authorization)) && asked.path.includes('/atm')) answer.status = 200;
    },
    'signatures-digest-alone': (answer, { headers }) => {
      if (headers.digest && !headers.signature && answer.status === 400) answer.status = 200;
    },
    'signatures-digest-missing': (answer, { headers }) => {
      if (!headers.digest && headers.signature && answer.status === 400) answer.status = 200;
    },
    'events-private': ({ json = {} }, { path }) => {
      if (path.startsWith('/events'))
        for (const each of (json.events as Members[]) ?? []) each.account = 'GR0599900010000000000000101';
    },
    'events-order': ({ json = {} }, { path }) => {
      if (path.startsWith('/events')) for (const each of (json.events as Members[]) ?? []) each.position = 1;
    },
  };
};

/** Problems of the message: mistakes of the program, and a request that does not arrive whole. */
import { randomUUID } from 'node:crypto';
import { digestOf, getSeal, signed } from '../../signature/support.js';
import { sendRaw } from '../../support/client.js';
import {
  ATMS,
  FUNDS,
  fundsBody,
  goodRequest,
  ibanOf,
  paymentPath,
  statusPath,
} from '../../support/operations.js';
import { type Case, calling, mistake, type Request, rawReply } from './support.js';

const funds = (change: Partial<Request> = {}): Request => ({
  method: 'POST',
  path: FUNDS,
  body: fundsBody(),
  ...change,
});
const asked = (body: object): Request => funds({ body: { ...fundsBody(), ...body } });
const atms = (change: Partial<Request> = {}): Request => ({ path: ATMS, ...change });
const when = (isMended: boolean, wrong: Request, right: Request): Request => (isMended ? right : wrong);

const malformed: Case = {
  slug: 'malformed-http',
  end: 'stop',
  advice: ['fix-request'],
  prepare: ({ main }) => {
    let isMended = false;
    const good = calling(main, () => atms());
    return {
      service: main,
      send: async (state) =>
        isMended
          ? good(state)
          : rawReply(await sendRaw(main.url, `GET ${ATMS} HTTP/1.1\r\nHost: x\r\nBad Name: x\r\n\r\n`)),
      mend: () => {
        isMended = true;
      },
    };
  },
};

const mismatch: Case = {
  slug: 'digest-mismatch',
  end: 'stop',
  advice: ['fix-request'],
  prepare: async ({ sealed }) => {
    const seal = await getSeal(sealed);
    const body = JSON.stringify(fundsBody());
    let digest = digestOf('other bytes');
    return {
      service: sealed,
      send: calling(sealed, ({ requestId }) => {
        const headers = { 'X-Request-ID': requestId, Digest: digest };
        const plain = { method: 'POST', path: FUNDS, body, headers };
        return funds({ body, headers: signed(seal, plain) });
      }),
      mend: () => {
        digest = digestOf(body);
      },
    };
  },
};

const foreignPayment: Case = {
  slug: 'resource-not-found',
  end: 'stop',
  advice: ['fix-request'],
  prepare: ({ main }) => {
    let id: string = randomUUID();
    return {
      service: main,
      send: calling(main, () => ({ path: paymentPath(id) })),
      mend: () => {
        id = main.consent('PaymentInitiation').id;
      },
    };
  },
};

const repeatedHeader: Case = {
  slug: 'duplicate-header',
  end: 'stop',
  advice: ['fix-request'],
  prepare: ({ main }) => {
    let accept: string | readonly string[] = ['a', 'b'];
    const path = statusPath(main.consent('AccountAccess').id);
    return {
      service: main,
      send: calling(main, () => ({ path, headers: { 'PSU-Accept': accept } })),
      mend: () => {
        accept = 'a';
      },
    };
  },
};

/** Only the first attempt breaks off. */
const incomplete: Case = {
  slug: 'request-incomplete',
  end: 'success',
  advice: ['repeat'],
  prepare: ({ impatient }) => {
    let isFirst = true;
    const good = calling(impatient, () => goodRequest(impatient, 'confirmFunds'));
    return {
      service: impatient,
      send: async (state) => {
        if (!isFirst) return good(state);
        isFirst = false;
        const head = [
          `POST ${FUNDS} HTTP/1.1`,
          'Host: test',
          `Ocp-Apim-Subscription-Key: ${impatient.keyOf()}`,
          `Authorization: Bearer ${state.token}`,
          `X-Request-ID: ${state.requestId}`,
          'Content-Type: application/json',
          'Content-Length: 40',
        ].join('\r\n');
        return rawReply(await sendRaw(impatient.url, `${head}\r\n\r\n{"account":`));
      },
    };
  },
};

const otherAccount = { account: { iban: ibanOf('eleni', 102), msisdn: '+306900000101' } };

export const messageCases: readonly Case[] = [
  malformed,
  mismatch,
  foreignPayment,
  repeatedHeader,
  incomplete,
  mistake('message-too-large', (ok) => when(ok, atms({ path: `${ATMS}?x=${'x'.repeat(8200)}` }), atms())),
  mistake('invalid-header', (ok) => when(ok, funds({ headers: { 'X-Request-ID': 'seven' } }), funds())),
  mistake('invalid-query', (ok) => when(ok, atms({ path: `${ATMS}?if_none_match=*` }), atms())),
  mistake('signature-headers-incomplete', (ok) => when(ok, funds({ headers: { Signature: 'x' } }), funds())),
  mistake('invalid-json', (ok) => when(ok, funds({ body: '{' }), funds())),
  mistake('validation-failed', (ok) => when(ok, asked({ colour: 'red' }), funds())),
  mistake('currency-mismatch', (ok) =>
    when(ok, asked({ instructedAmount: { currency: 'USD', amount: 1 } }), funds()),
  ),
  mistake('reference-conflict', (ok) => when(ok, asked(otherAccount), funds())),
  mistake('route-not-found', (ok) => when(ok, atms({ path: ATMS.replace('v1', 'v2') }), atms())),
  mistake('method-not-allowed', (ok) => when(ok, atms({ method: 'PUT' }), atms())),
  mistake('not-acceptable', (ok) => when(ok, atms({ headers: { Accept: 'text/html' } }), atms())),
  mistake('unsupported-media-type', (ok) =>
    when(ok, funds({ headers: { 'Content-Type': 'text/plain' } }), funds()),
  ),
];

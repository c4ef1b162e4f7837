/** Defects of the four operations, each under the name of the one case that finds it. */
import type { Alter, Altered, Asked, Members } from '../proxy.js';

const FUNDS = '/piis/psd2/v1/funds-confirmations';

const isFunds = ({ path }: Asked): boolean => path.startsWith(FUNDS);
const isStatus = ({ path }: Asked): boolean => /^\/ais\/psd2\/v1\/consents\/[^/]+\/status/.test(path);
const isPayment = ({ method, path }: Asked): boolean =>
  method === 'GET' && /^\/pis\/psd2\/v1\/[0-9a-f-]{36}$/.test(path);

const accept = (answer: Altered, json: Members = { fundsAvailable: true }): void => {
  answer.status = 200;
  answer.json = json;
};

/** For questions about funds that fit. */
const funds =
  (
    fits: (asked: Asked, answer: Altered) => boolean,
    change: (answer: Altered, asked: Asked) => void,
  ): Alter =>
  (answer, asked) => {
    if (isFunds(asked) && fits(asked, answer)) change(answer, asked);
  };

const isAnswered = (_asked: Asked, { status }: Altered): boolean => status === 200;

const without =
  (name: string) =>
  ({ headers }: Altered): void => {
    delete headers[name];
  };

const member = (value: unknown, name: string): unknown => ((value ?? {}) as Members)[name];
const amountOf = ({ json }: Asked): unknown => member(json.instructedAmount, 'amount');
const ibanOf = ({ json }: Asked): unknown => member(json.account, 'iban');

export const fundsDefects = (): Readonly<Record<string, Alter>> => {
  let tens = 0;
  return {
    'funds-status': funds(
      (asked, answer) => isAnswered(asked, answer) && asked.headers.signature === undefined,
      (answer) => {
        answer.status = 201;
      },
    ),
    'funds-true': funds(isAnswered, ({ json = {} }) => {
      json.fundsAvailable = false;
    }),
    'funds-false': funds(isAnswered, ({ json = {} }) => {
      json.fundsAvailable = true;
    }),
    'funds-yes-or-no': funds(isAnswered, ({ json = {} }) => {
      json.balance = 2330.25;
    }),
    'funds-media-type': funds(
      ({ headers }, { status }) => status === 200 && headers.accept === undefined,
      ({ headers }) => {
        headers['content-type'] = 'text/html';
      },
    ),
    'funds-no-hold': funds(
      (asked) => amountOf(asked) === 10,
      ({ json = {} }) => {
        tens += 1;
        if (tens > 2) json.fundsAvailable = false;
      },
    ),
    'funds-amount-text': funds(
      (asked) => typeof amountOf(asked) === 'string',
      (answer) => accept(answer),
    ),
    'funds-payee-long': funds(
      ({ json }) => String(json.payee).length === 71,
      (answer) => accept(answer),
    ),
    'funds-unknown-member': funds(
      ({ json }) => 'colour' in json,
      (answer) => accept(answer),
    ),
    'funds-media-text': funds(
      (_asked, { status }) => status === 415,
      (answer, { headers }) => (headers['content-type'] === 'text/plain' ? accept(answer) : undefined),
    ),
    'funds-unknown-account': funds(
      (asked) => ibanOf(asked) === 'GR9608100010000001234567890',
      (answer) => accept(answer, { fundsAvailable: false }),
    ),
    'funds-withdrawn': funds(
      (asked) => ibanOf(asked) === 'GR7599900010000000000000102',
      (answer) => accept(answer),
    ),
    'funds-key-missing': funds(
      ({ headers, path }) => headers['ocp-apim-subscription-key'] === undefined && !path.includes('?'),
      (answer) => accept(answer),
    ),
    'funds-token-missing': funds(
      ({ headers, path }) => headers.authorization === undefined && !path.includes('?'),
      (answer) => accept(answer),
    ),
    'funds-challenge': funds((_asked, { status }) => status === 401, without('www-authenticate')),
    'funds-error-members': funds(
      (_asked, { status }) => status === 401,
      ({ json = {} }) => {
        json.trace = 'x';
      },
    ),
    'funds-error-status': funds(
      (_asked, { status }) => status === 401,
      ({ json = {} }) => {
        json.status = 400;
      },
    ),
    'funds-error-keeps-secrets': funds(
      ({ headers }, { status }) => status === 401 && headers.authorization !== undefined,
      ({ json = {} }, { headers }) => {
        json.detail = `${headers.authorization} is refused`;
      },
    ),
    'funds-request-id-echo': funds(isAnswered, without('x-request-id')),
    'funds-allow': funds((_asked, { status }) => status === 405, without('allow')),
    'funds-no-store': funds(() => true, without('cache-control')),
  };
};

const eachAtm =
  (change: (first: Members, second: Members) => void): Alter =>
  ({ json }, { path }) => {
    if (path.startsWith('/psd2/v1/opendata/atm') && Array.isArray(json))
      change(json[0] as Members, json[1] as Members);
  };

export const atmDefects: Readonly<Record<string, Alter>> = {
  'atms-member-minimumvaluedispensed': eachAtm((first) => {
    first.minimumValueDispensed = 'MIN_5';
  }),
  'atms-member-telephonenumber': eachAtm((first) => {
    first.telephoneNumber = '2100000000';
  }),
  'atms-member-atmservices': eachAtm((first) => {
    first.atmServices = ['Coffee'];
  }),
  'atms-member-currency': eachAtm((first) => delete first.currency),
  'atms-ids-differ': eachAtm((first, second) => {
    second.id = first.id;
  }),
  'atms-member-id': eachAtm((first) => {
    first.id = 'ATM-1';
  }),
  'atms-members': eachAtm((first) => {
    first.openingHours = 'always';
  }),
  'atms-country': eachAtm(({ address }) => delete (address as Members).country),
  'atms-same-tag': (answer, { path }) => {
    if (path.includes('if_None_Match') && answer.status === 304) accept(answer, [] as unknown as Members);
  },
  'atms-bad-time': (answer, { path }) => {
    if (path.includes('yesterday')) accept(answer);
  },
  'atms-unchanged-empty': (answer) => {
    if (answer.status === 304) delete answer.headers.etag;
  },
};

const OTHER = /demo-budget-app/;
const clientOf = ({ headers }: Asked): string => {
  const [, claims = ''] = String(headers.authorization).split('.');
  return Buffer.from(claims, 'base64url').toString();
};

const details =
  (change: (details: Members) => void): Alter =>
  ({ status, json = {} }, asked) => {
    if (isPayment(asked) && status === 200) change(json.details as Members);
  };

const record =
  (change: (record: Members) => void): Alter =>
  ({ status, json = {} }, asked) => {
    if (isPayment(asked) && status === 200) change(json);
  };

export const readDefects: Readonly<Record<string, Alter>> = {
  'status-members': ({ status, json = {} }, asked) => {
    if (isStatus(asked) && status === 200) json.expires = '2027-01-01';
  },
  'status-revokedbypsu': ({ json = {} }, asked) => {
    if (isStatus(asked) && json.status === 'RevokedByPsu') json.status = 'Valid';
  },
  'status-foreign': (answer, asked) => {
    if (isStatus(asked) && answer.status === 404 && OTHER.test(clientOf(asked)))
      accept(answer, { status: 'Valid' });
  },
  'status-psu-ip-address': (answer, asked) => {
    if (isStatus(asked) && asked.headers['psu-ip-address'] === 'home') accept(answer, { status: 'Valid' });
  },
  'status-request-id-malformed': (answer, asked) => {
    if (isStatus(asked) && asked.headers['x-request-id'] === 'conformance-1')
      accept(answer, { status: 'Valid' });
  },
  'payment-amount': details((each) => {
    (each.instructedAmount as Members).amount = '1.00';
  }),
  'payment-detail-members': details((each) => {
    each.purpose = 'rent';
  }),
  'payment-remittance': details((each) => delete each.remittanceInformation),
  'payment-tpp': record((each) => {
    each.tpp = 'another';
  }),
  'payment-created': record((each) => {
    each.createdDate = '17/11/2026';
  }),
  'payment-terminatedbytpp': record((each) => {
    if (each.consentStatus === 'TerminatedByTpp') each.consentStatus = 'Received';
  }),
};

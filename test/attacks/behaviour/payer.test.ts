/** What payers are told about a payment that was submitted, and what third parties are told on the way back. */
import { describe, expect, it } from 'vitest';
import { HOUR } from '../../../src/lib/clock.js';
import { orderStatuses } from '../../../src/payment/record.js';
import { addRequest, BACK, NOK, titleOf, Visitor } from '../../account-pages/approve-support.js';
import { enter } from '../../account-pages/dashboard/support.js';
import { approved, submit } from '../../payment/support.js';
import { engines } from '../../support/engines.js';
import { account, moveBankClock, resetSandbox } from '../../support/operations.js';
import type { Service } from '../../support/service.js';
import { useService, withStore } from '../../support/use-service.js';

const LEFT = /has left your account(?<!No money has left your account)|έφυγε|Το ποσό έφυγε/;
const leadOf = (html: string): string => /<p class="lead">([^<]*)<\/p>/.exec(html)?.[1] ?? '';
const plain = (text: string): string => text.replace(/\u00a0/g, ' ').replaceAll('&#39;', "'");

type Status = (typeof orderStatuses)[number];
const isOver = (status: Status): boolean => ['ACSC', 'RJCT', 'CANC'].includes(status);

/** As the bank would have moved it. */
const setOrder = (service: Service, id: string, status: Status, reason: string | null): Promise<void> =>
  withStore(service, async (db) => {
    const later = isOver(status) ? null : service.clock.now() + 12 * HOUR;
    await db.run(
      'update payment_orders set status = ?, reason_code = ?, changed_at = ?, look_again_at = ? where consent_id = ?',
      [status, reason, Date.UTC(2026, 10, 15, 21, 30), later, id],
    );
    await db.run('update consents set status = ? where id = ?', [isOver(status) ? 'Expired' : 'Valid', id]);
  });

const underWay = {
  en: [
    'The payment is being carried out',
    'The bank has the order to pay €10.00 to Βασίλης Αλεξίου and is carrying it out.',
  ],
  el: [
    'Η πληρωμή εκτελείται',
    'Η τράπεζα έχει την εντολή πληρωμής 10,00 € προς Βασίλης Αλεξίου και την εκτελεί.',
  ],
};

/** A payment of 10 EUR to Βασίλης Αλεξίου, settled late in the evening of 15 November in Athens. */
const expected: readonly [Status, string | null, { en: string[]; el: string[] }][] = [
  ['RCVD', null, underWay],
  ['PDNG', null, underWay],
  ['ACTC', null, underWay],
  ['ACSP', null, underWay],
  [
    'ACSC',
    null,
    {
      en: ['Paid', '€10.00 to Βασίλης Αλεξίου on 15 Nov 2026, 23:30.'],
      el: ['Πληρώθηκε', '10,00 € προς Βασίλης Αλεξίου στις 15 Νοε 2026, 23:30.'],
    },
  ],
  [
    'RJCT',
    'AM04',
    {
      en: [
        'Not paid',
        'The payment of €10.00 to Βασίλης Αλεξίου was not made, because your account did not have enough money for the amount and the charges. No money has left your account.',
      ],
      el: [
        'Δεν πληρώθηκε',
        'Η πληρωμή 10,00 € προς Βασίλης Αλεξίου δεν έγινε, επειδή το υπόλοιπο του λογαριασμού σας δεν επαρκούσε για το ποσό και τα έξοδα. Δεν έφυγαν χρήματα από τον λογαριασμό σας.',
      ],
    },
  ],
  [
    'RJCT',
    'ZZ99',
    {
      en: [
        'Not paid',
        'The payment of €10.00 to Βασίλης Αλεξίου was not made, because the bank could not carry it out. No money has left your account.',
      ],
      el: [
        'Δεν πληρώθηκε',
        'Η πληρωμή 10,00 € προς Βασίλης Αλεξίου δεν έγινε, επειδή η τράπεζα δεν μπόρεσε να την εκτελέσει. Δεν έφυγαν χρήματα από τον λογαριασμό σας.',
      ],
    },
  ],
  [
    'CANC',
    null,
    {
      en: [
        'The bank cancelled the payment',
        '€10.00 to Βασίλης Αλεξίου was not paid. It was cancelled on 15 Nov 2026, 23:30. No money has left your account.',
      ],
      el: [
        'Η τράπεζα ακύρωσε την πληρωμή',
        'Το ποσό 10,00 € προς Βασίλης Αλεξίου δεν πληρώθηκε. Η ακύρωση έγινε στις 15 Νοε 2026, 23:30. Δεν έφυγαν χρήματα από τον λογαριασμό σας.',
      ],
    },
  ],
];

describe('a payment that was submitted', () => {
  const use = useService();

  it('every status of an order has its words here', () => {
    expect([...new Set(expected.map(([status]) => status))].sort()).toEqual([...orderStatuses].sort());
  });

  it.each(expected)(
    'code M1, ux 6: %s %s is told as it is, and nothing more',
    async (status, reason, texts) => {
      const id = await approved(use());
      expect((await submit(use(), id)).status).toBe(201);
      await setOrder(use(), id, status, reason);
      const visitor = new Visitor(use());
      await visitor.open(id);
      const board = await enter(use());
      for (const lang of ['en', 'el'] as const) {
        const page = await visitor.get(`/authorise/${id}?lang=${lang}`);
        const told = [titleOf(page), plain(leadOf(page.text))];
        expect(told).toEqual(texts[lang]);
        expect(told.join(' ')).not.toMatch(LEFT);
        const { text } = await board.get(`/dashboard/permissions/${id}?lang=${lang}`);
        expect(plain(text)).toContain(texts[lang][1]);
        expect(text).not.toMatch(LEFT);
      }
    },
  );

  it('code M1: a payment that was approved but never sent has cost nothing', async () => {
    const id = await approved(use());
    await moveBankClock(use(), 'PT25H');
    const visitor = new Visitor(use());
    await visitor.open(id);
    const page = await visitor.get(`/authorise/${id}?lang=en`);
    expect(leadOf(page.text)).toBe(
      'The app did not send the payment to the bank. No money has left your account.',
    );
    await resetSandbox(use());
  });
});

describe.each(engines)('the way back on %s', (engine) => {
  const use = useService({ engine });
  const linkOf = (html: string): string =>
    (/<a class="button" href="(https?:[^"]*)"/.exec(html)?.[1] ?? '').replaceAll('&amp;', '&');
  const resultOf = (address: string | undefined): string | null =>
    new URL(address ?? '').searchParams.get('result');

  it('item 7: an approval and a refusal carry their result, by redirect and by the button afterwards', async () => {
    for (const [decision, result, address] of [
      ['approve', 'approved', BACK],
      ['refuse', 'refused', NOK],
    ] as const) {
      const id = await addRequest(use());
      const visitor = new Visitor(use());
      const page = await visitor.open(id);
      const answer = await visitor.decide(id, page, { decision, account: account('eleni', 101).id });
      const { location } = answer.headers;
      expect([answer.status, location?.startsWith(address), resultOf(location)]).toEqual([303, true, result]);
      expect(linkOf((await visitor.get(`/authorise/${id}`)).text)).toBe(location);
    }
  });

  it.each([
    ['RevokedByPsu', 'refused'],
    ['Rejected', 'refused'],
    ['Expired', 'expired'],
    ['TerminatedByTpp', 'failed'],
  ] as const)('item 7: the page of a request that is %s leads back with %s', async (status, result) => {
    const id = await addRequest(use(), { status, history: [] });
    const page = await new Visitor(use()).open(id);
    expect(resultOf(linkOf(page.text))).toBe(result);
  });

  it('item 7: a request whose time is over leads back with expired, a submitted payment with approved', async () => {
    const late = await addRequest(use());
    const paid = await approved(use());
    await submit(use(), paid);
    await setOrder(use(), paid, 'ACSC', null);
    const page = await new Visitor(use()).open(paid);
    expect(resultOf(linkOf(page.text))).toBe('approved');
    await moveBankClock(use(), 'PT24H');
    expect(resultOf(linkOf((await new Visitor(use()).open(late)).text))).toBe('expired');
    await resetSandbox(use());
  });
});

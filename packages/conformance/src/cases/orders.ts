/** Payment orders: funds of a payment, submission, and that money moves once. They run if payments are allowed. */
import type { Bank } from '../bank/bank.js';
import { decided, stage } from '../bank/consents.js';
import type { Answer } from '../bank/http.js';
import { newId, paymentPath } from '../bank/operations.js';
import { casesOf, document, law, profile, type Sketch } from '../case.js';
import { demandStatus, membersOf } from '../shapes.js';
import { demand, need } from '../verdict.js';

const SUBMISSION = profile('Payment orders, Submission');
const TWICE = profile('Payment orders, Submitting twice');
const STATUSES = 'RCVD PDNG ACTC ACCC ACSP ACSC ACWC ACFC PATC PART RJCT CANC'.split(' ');
const AT_ONCE = 5;

const orderPath = (id: string): string => `${paymentPath(id)}/payment`;

const submit = (bank: Bank, id: string, requestId = newId()): Promise<Answer> =>
  bank.call({ method: 'POST', path: orderPath(id), headers: { 'X-Request-ID': requestId } });

/** Approved, and not yet submitted. */
const approved = async (bank: Bank): Promise<string> => {
  need(bank.credentials.payments === true, 'payments are not allowed by the credentials');
  const { id } = await decided(bank, 'PaymentInitiation', 'approve');
  return id;
};

interface Submitted {
  readonly id: string;
  readonly requestId: string;
  readonly answer: Answer;
}

/** One order for the cases that only look at it. */
const submitted = (bank: Bank): Promise<Submitted> =>
  bank.once('a submitted payment', async () => {
    const id = await approved(bank);
    const requestId = newId();
    const answer = await submit(bank, id, requestId);
    need(answer.status >= 200 && answer.status < 300, `the submission is answered ${answer.status}`);
    return { id, requestId, answer };
  });

const before: readonly Sketch[] = [
  [
    'funds',
    'funds of an approved payment are confirmed with yes or no',
    document('What the service does (Payment Initiation)'),
    async (bank) => {
      const { fundsAvailable } = membersOf(
        await bank.call({ path: `${paymentPath(await approved(bank))}/funds-confirmation` }),
      );
      demand(typeof fundsAvailable === 'boolean', 'true or false', typeof fundsAvailable);
    },
  ],
  [
    'funds-early',
    'funds of a payment that was not approved are not confirmed',
    law('PSD2 Art. 66(2): with the consent of the payer'),
    async (bank) => {
      const { id } = await stage(bank, 'PaymentInitiation');
      demandStatus(await bank.call({ path: `${paymentPath(id)}/funds-confirmation` }), 403, 409);
    },
  ],
  [
    'early',
    'a payment that was not approved cannot be submitted',
    law('PSD2 Art. 64(2): without consent a payment is not authorised'),
    async (bank) => {
      const { id } = await stage(bank, 'PaymentInitiation');
      demandStatus(await submit(bank, id), 403, 409);
    },
  ],
  [
    'refused',
    'a payment that was refused cannot be submitted',
    law('PSD2 Art. 64(2): without consent a payment is not authorised'),
    async (bank) => {
      const { id } = await decided(bank, 'PaymentInitiation', 'reject');
      demandStatus(await submit(bank, id), 403, 409);
    },
  ],
  [
    'withdrawn',
    'a payment whose approval was withdrawn cannot be submitted',
    law('PSD2 Art. 64(3): consent may be withdrawn'),
    async (bank) => {
      const { id } = await decided(bank, 'PaymentInitiation', 'revoke');
      demandStatus(await submit(bank, id), 403, 409);
    },
  ],
  [
    'absent',
    'there is no order before the submission',
    document('Errors (404)'),
    async (bank) => {
      const { id } = await stage(bank, 'PaymentInitiation');
      demandStatus(await bank.call({ path: orderPath(id) }), 404);
    },
  ],
  [
    'foreign',
    'another third party cannot submit it',
    law('RTS 2018/389 Art. 30(1)(a): a third party identifies itself, and sees its own'),
    async (bank) => {
      const path = orderPath(await approved(bank));
      demandStatus(await bank.call({ as: 'other', method: 'POST', path }), 403, 404);
    },
  ],
];

const after: readonly Sketch[] = [
  [
    'submitted',
    'an approved payment is submitted with 201',
    SUBMISSION,
    async (bank) => demandStatus((await submitted(bank)).answer, 201),
  ],
  [
    'id',
    'the submission gives a paymentId',
    law('PSD2 Art. 46(b), 66(4)(b): a reference by which the payment is known'),
    async (bank) => {
      const { paymentId } = membersOf((await submitted(bank)).answer);
      demand(typeof paymentId === 'string' && paymentId !== '', 'a paymentId', 'none');
    },
  ],
  [
    'status',
    'the submission gives a status of ISO 20022',
    law('PSD2 Art. 66(4)(b): the bank gives all information on the initiation'),
    async (bank) => {
      const { transactionStatus } = membersOf((await submitted(bank)).answer);
      demand(STATUSES.includes(String(transactionStatus)), `one of ${STATUSES.join(', ')}`, 'another value');
    },
  ],
  [
    'read',
    'the order can be read, with the same paymentId',
    law('PSD2 Art. 66(4)(b): the bank gives all information on the execution'),
    async (bank) => {
      const { id, answer } = await submitted(bank);
      const { paymentId } = membersOf(await bank.call({ path: orderPath(id) }));
      demand(paymentId === membersOf(answer).paymentId, 'the same paymentId', 'another one, or none');
    },
  ],
  [
    'read-status',
    'the order that is read has a status of ISO 20022',
    law('PSD2 Art. 66(4)(b): the bank gives all information on the execution'),
    async (bank) => {
      const { id } = await submitted(bank);
      const { transactionStatus } = membersOf(await bank.call({ path: orderPath(id) }));
      demand(STATUSES.includes(String(transactionStatus)), `one of ${STATUSES.join(', ')}`, 'another value');
    },
  ],
  [
    'read-foreign',
    'another third party cannot read it',
    law('RTS 2018/389 Art. 30(1)(a): a third party identifies itself, and sees its own'),
    async (bank) => {
      const { id } = await submitted(bank);
      demandStatus(await bank.call({ as: 'other', path: orderPath(id) }), 403, 404);
    },
  ],
  [
    'again',
    'the same submission again gives the same order',
    TWICE,
    async (bank) => {
      const { id, requestId, answer } = await submitted(bank);
      const { paymentId } = membersOf(await submit(bank, id, requestId));
      demand(paymentId === membersOf(answer).paymentId, 'the same paymentId', 'another one, or none');
    },
  ],
  [
    'twice',
    'a second submission is refused: one consent pays once',
    TWICE,
    async (bank) => demandStatus(await submit(bank, (await submitted(bank)).id), 409, 403),
  ],
  [
    'parallel',
    'five submissions at once make one order',
    TWICE,
    async (bank) => {
      const id = await approved(bank);
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, () => submit(bank, id)));
      const made = answers.filter(({ status }) => status === 201).map((each) => membersOf(each).paymentId);
      demand(made.length === 1, 'one order', `${made.length} of them`);
    },
  ],
];

export const orderCases = casesOf('orders', [...before, ...after]);

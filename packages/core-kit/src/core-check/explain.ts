/** What a case is about, made from the case and the contract: what it asks, what is demanded, why, and what to do. */
import {
  CONSENT_ID,
  type CoreExample,
  type CoreOperation,
  coreExamples,
  coreOperations,
  isOfConsent,
  PSU_ID,
} from 'trapeza/bank';
import type { Case } from './case.js';
import type { OperationId, Sent } from './client.js';

/** What is at stake if the operation is wrong. */
const stakes: Readonly<Record<OperationId, string>> = {
  ping: 'Trapeza and those who watch it see here whether your core is up.',
  findAccounts: 'People choose here what a third party may see; a consent holds for these ids.',
  hasFunds: 'A wrong yes lets a card pay what is not there, a wrong no declines it in a shop.',
  hasFundsOfMany:
    'The same, for many shops at once: one wrong answer, or one for another, is as wrong as alone.',
  readBalances: 'Third parties show and judge people by these figures.',
  listTransactions: 'Third parties keep the pages: what is missing, twice or foreign stays in their books.',
  readTransaction: 'Third parties look single entries up by the id that they know.',
  listStatements: 'Statements are evidence: they must agree with the books.',
  readStatement: 'Statements are evidence, and of one account only.',
  readStatementDocument: 'People and tax offices keep the paper: it is evidence, of one account only.',
  quoteTransfer: 'People approve what they are shown: price and payee must be what is carried out.',
  executePayment: 'Money moves: it must move once, and only as it was approved.',
  readPayment: 'After a broken connection this answer decides whether a payment is sent again.',
  cancelPayment:
    'A third party that reads CANC pays in another way: money that leaves after it is paid twice.',
  putConsent: 'Your records, and your watch on fraud, must know which third parties may do what now.',
  login: 'Whoever can tell users apart, or guess, gets in.',
  listMethods: 'People confirm in one of these ways: one that they do not have locks them out.',
  sendCode: 'The code is the second factor, for exactly what was shown.',
  tryCode: 'The code is the second factor: right once, for one thing, for one person.',
};

const SECRET = /^(password|code|answer|username|iban|bban|msisdn|creditorName|payee|account)$/;

const shown = (body: unknown): string =>
  typeof body === 'string'
    ? body
    : JSON.stringify(body, (name, value: unknown) =>
        SECRET.test(name) && typeof value === 'string' ? '…' : value,
      );

export const linesOf = ({ method, path, headers, body, status }: Sent): readonly string[] => [
  `${method} ${path}${status === undefined ? '' : `  (answered with ${status})`}`,
  ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`),
  ...(body === undefined ? [] : [`  ${shown(body)}`]),
];

const exampleOf = (operation: CoreOperation, { query = {}, body }: CoreExample): Sent => ({
  method: operation.method,
  path: [
    operation.path.replace(/:(\w+)/g, '{$1}'),
    Object.entries(query)
      .map(([name, value]) => `${name}=${value}`)
      .join('&'),
  ]
    .filter(Boolean)
    .join('?'),
  headers: {
    'X-Request-ID': 'a new UUID',
    ...(operation.ofHolder ? { [PSU_ID]: 'the person' } : {}),
    ...(isOfConsent(operation) ? { [CONSENT_ID]: 'a UUID' } : {}),
    Authorization: 'as configured',
  },
  ...(body === undefined ? {} : { body }),
});

/** `asked`: what was really sent, instead of an example. */
export const explanationOf = (
  { id, title, operation: name, hint, needs, movesMoney }: Case,
  asked: readonly Sent[] = [exampleOf(coreOperations[name], coreExamples[name])],
): string => {
  const operation: CoreOperation = coreOperations[name];
  const part = (label: string, lines: readonly string[]): string[] =>
    lines.map((line, index) => `  ${(index === 0 ? label : '').padEnd(9)} ${line}`);
  const needed = [...needs, ...(movesMoney ? ['--payments'] : [])];
  return [
    `${id}: ${title}`,
    ...part('asks', asked.flatMap(linesOf)),
    ...part('contract', [`${name}: ${operation.description}`]),
    ...part('why', [stakes[name]]),
    ...part('to do', [hint]),
    ...part('needs', needed.length > 0 ? [needed.join(', ')] : []),
    ...part('again', [`trapeza core-check --only ${id} --explain`]),
  ].join('\n');
};

/** Which answers go wrong: by the list that the simulator was started with or was given since, or by a header of the request. */

import { Random } from '@trapeza/sandbox/demo-bank';
import { coreOperations } from 'trapeza/bank';
import { validator } from 'trapeza/base';
import { Type } from 'typebox';
import { type OperationId, Refusal } from './contract.js';

/** How each one appears to the caller. Unless stated otherwise, the request was understood and carried out. */
export const faultKinds = {
  late: 'answers after a minute',
  refuse: 'closes the connection at once, without having done anything',
  reset: 'breaks the connection after half of the answer',
  'half-open': 'does nothing, never answers and keeps the connection',
  'status-500': 'answers 500, without having done anything',
  'status-503': 'answers 503, without having done anything',
  maintenance:
    'answers 503 with Retry-After: 600, and its health tells the end, without having done anything',
  garbage: 'answers with bytes that are no JSON',
  html: 'answers 200 with a page of HTML',
  'slow-bytes': 'sends its answer byte by byte, one each second',
  huge: 'sends a hundred megabytes of white space before its answer',
  'wrong-currency': 'answers with another currency than the right one',
  'wrong-id': 'answers with other ids than those it was asked for',
  'other-account': 'answers about another account of the person',
  'other-person': 'answers about another person',
  'other-days': 'answers with days a year before those it was asked for',
  unsorted: 'answers with the oldest first',
  'same-page': 'answers with the first page again, whichever it was asked for',
  twice: 'answers with each row twice',
  'wrong-type': 'answers with texts where booleans belong, or a list where a text belongs',
  'executed-but-silent': 'carries out a payment, then closes the connection',
  'silent-before': 'closes the connection before it carries out a payment',
} as const;

export type FaultKind = keyof typeof faultKinds;

export interface Fault {
  readonly kind: FaultKind;
  /** 1 if absent. */
  readonly probability?: number;
  /** Every operation if absent. */
  readonly operation?: OperationId;
  /** How often it happens; without end if absent. */
  readonly times?: number;
}

const isKind = (text: string): text is FaultKind => Object.hasOwn(faultKinds, text);
const isOperation = (text: string): text is OperationId => Object.hasOwn(coreOperations, text);

const ofAccounts = [
  'hasFunds',
  'hasFundsOfMany',
  'readBalances',
  'listTransactions',
  'readTransaction',
  'listStatements',
  'readStatement',
] as const satisfies readonly OperationId[];
const ofLists = ['listTransactions', 'listStatements'] as const satisfies readonly OperationId[];
const ofPersons = ['findAccounts', 'sendCode', 'tryCode'] as const satisfies readonly OperationId[];

/** The operations that a fault can be seen in; those that are not here are seen in all of them. */
const seenIn: Readonly<Partial<Record<FaultKind, readonly OperationId[]>>> = {
  'wrong-type': (Object.keys(coreOperations) as OperationId[]).filter((id) => id !== 'readStatementDocument'),
  'wrong-currency': ['findAccounts', ...ofAccounts, 'quoteTransfer'],
  'wrong-id': [...ofAccounts, ...ofPersons, 'executePayment', 'readPayment', 'cancelPayment', 'putConsent'],
  'other-account': ['hasFunds', 'readBalances', ...ofLists],
  'other-person': ofPersons,
  'other-days': ofLists,
  unsorted: ofLists,
  'same-page': ['listTransactions'],
  twice: ['findAccounts', 'readBalances', ...ofLists],
  'executed-but-silent': ['executePayment'],
  'silent-before': ['executePayment'],
};

export const isSeenIn = (kind: FaultKind, asked: OperationId): boolean =>
  seenIn[kind]?.includes(asked) ?? true;

const SPEC = /^([a-z0-9-]+)(?::(0|1|0?\.\d{1,6}))?(?:@([A-Za-z]+))?$/;

/** `kind[:probability][@operation]`; throws what is wrong with it. */
export const parseFault = (text: string): Fault => {
  const [, kind = '', probability, operation] = SPEC.exec(text) ?? [];
  if (!isKind(kind))
    throw new Error(
      `kind[:probability][@operation], where kind is one of ${Object.keys(faultKinds).join(', ')}`,
    );
  if (operation !== undefined && !isOperation(operation))
    throw new Error(`an operation is one of ${Object.keys(coreOperations).join(', ')}`);
  return {
    kind,
    ...(probability === undefined ? {} : { probability: Number(probability) }),
    ...(operation === undefined ? {} : { operation }),
  };
};

const literals = (names: readonly string[]) => Type.Union(names.map((name) => Type.Literal(name)));

const checkList = validator(
  Type.Array(
    Type.Object(
      {
        kind: literals(Object.keys(faultKinds)),
        probability: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
        operation: Type.Optional(literals(Object.keys(coreOperations))),
        times: Type.Optional(Type.Integer({ minimum: 1 })),
      },
      { additionalProperties: false },
    ),
    { maxItems: 50 },
  ),
);

/** The list as a request brings it. */
export const faultsIn = (body: unknown): readonly Fault[] => {
  const faults = checkList(body);
  if (faults) throw new Refusal(400, `faults: ${Object.keys(faults).slice(0, 5).join(', ')} cannot be used`);
  return body as readonly Fault[];
};

/** Several questions in one call are questions about funds, too. */
const isFor = (operation: OperationId, asked: OperationId): boolean =>
  operation === asked || (operation === 'hasFunds' && asked === 'hasFundsOfMany');

const appliesTo = ({ kind, operation }: Fault, asked: OperationId): boolean =>
  (operation === undefined || isFor(operation, asked)) && isSeenIn(kind, asked);

/** The same seed and the same questions in the same order meet the same faults. */
export class FaultList {
  #faults: { readonly fault: Fault; left: number }[] = [];
  readonly #random: Random;

  constructor(faults: readonly Fault[], seed: number) {
    this.#random = new Random(`simulator:${seed}`);
    this.set(faults);
  }

  set(faults: readonly Fault[]): void {
    this.#faults = faults.map((fault) => ({ fault, left: fault.times ?? Number.POSITIVE_INFINITY }));
  }

  get(): readonly Fault[] {
    return this.#faults.filter(({ left }) => left > 0).map(({ fault }) => fault);
  }

  /** What happens to this question. The header goes before the list. */
  next(asked: OperationId, header: string | undefined): FaultKind | undefined {
    if (header !== undefined) {
      if (!isKind(header)) throw new Refusal(400, 'Simulator-Fault names no fault');
      return appliesTo({ kind: header }, asked) ? header : undefined;
    }
    for (const each of this.#faults) {
      const { kind, probability = 1 } = each.fault;
      if (each.left <= 0 || !appliesTo(each.fault, asked) || this.#random.next() >= probability) continue;
      each.left -= 1;
      return kind;
    }
    return undefined;
  }
}

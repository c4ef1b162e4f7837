/**
 * Whether third parties get what the account holder gets (RTS 2018/389, Art. 36(1)(a) and (b)): each member of the core contract that holds
 * information on accounts and payments, with the members of the interface that carry it, or with the reason why none does.
 */
import { coreOpenApiDocument } from '../bank/http/contract/openapi.js';
import { describedOperations } from '../documents.js';
import { openApiDocument } from '../http/openapi.js';
import { version } from '../version.js';

/** Operation of the interface and paths in its answer; a text alone is a reason. */
type Carried = readonly [operation: string, ...paths: string[]] | string;

const account = (path: string): Carried => ['getAccount', `account.${path}`];
const balance = (path: string): Carried => ['getBalances', `balances.${path}`];
const entry = (...paths: string[]): Carried => [
  'getTransaction',
  ...paths.map((path) => `transactionsDetails.${path}`),
];
const statement = (path: string): Carried => ['getStatement', `statement.${path}`];

/** By component of the contract, in its order. */
export const carried: Readonly<Record<string, Readonly<Record<string, Carried>>>> = {
  Account: {
    id: 'An id of the bank. Third parties get resourceId, which says nothing about the account.',
    iban: account('iban'),
    bban: account('bban'),
    msisdn: 'Names an account in requests. The record of the interface has no member for it.',
    currency: account('currency'),
    name: account('name'),
    product: account('product'),
    type: account('cashAccountType'),
    ownerName: account('ownerName'),
    status: account('status'),
    mayPay: 'Decides which accounts the account holder can pick for a payment.',
    signaturesNeeded: 'The payer reads it when approving; the payment is PDNG until all have signed.',
    balance: 'For the choice of an account on the approval page. Third parties read the balances.',
  },
  Balance: {
    type: balance('balanceType'),
    currency: balance('balanceAmount.currency'),
    amount: balance('balanceAmount.amount'),
    includesCreditLine: balance('creditLimitIncluded'),
    at: balance('lastChangeDateTime'),
  },
  Transaction: {
    id: entry('transactionId'),
    status: ['getTransactions', 'transactions.booked', 'transactions.pending'],
    bookingDate: entry('bookingDate'),
    valueDate: entry('valueDate'),
    at: 'When the bank entered it. The interface gives when it was booked, and the days of booking and of value.',
    bookedAt: entry('bookingDateTime'),
    currency: entry('transactionAmount.currency'),
    amount: entry('transactionAmount.amount'),
    code: entry('bankTransactionCode'),
    proprietaryCode: entry('proprietaryBankTransactionCode'),
    balance: entry('balanceAfterTransaction.balanceAmount.amount'),
    counterpartyName: entry('creditorName', 'debtorName'),
    counterpartyIban: entry('creditorAccount.iban', 'debtorAccount.iban'),
    counterpartyBban: entry('creditorAccount.bban', 'debtorAccount.bban'),
    counterpartyCurrency: entry('creditorAccount.currency', 'debtorAccount.currency'),
    counterpartyAgent: entry('creditorAgent', 'debtorAgent'),
    remittanceInformation: entry('remittanceInformationUnstructured'),
    endToEndId: entry('endToEndId'),
    paymentId: entry('paymentId'),
    mandateId: entry('mandateId'),
    creditorId: entry('creditorId'),
    purposeCode: entry('purposeCode'),
    creditorReference: entry('creditorReference'),
    ultimateDebtor: entry('ultimateDebtor'),
    ultimateCreditor: entry('ultimateCreditor'),
    merchantCategoryCode: entry('merchantCategoryCode'),
    exchange: entry('currencyExchange'),
  },
  Agent: {
    bic: entry('creditorAgent.bic', 'debtorAgent.bic'),
    name: entry('creditorAgent.name', 'debtorAgent.name'),
    country: entry('creditorAgent.country', 'debtorAgent.country'),
  },
  Exchange: {
    currency: entry('currencyExchange.instructedAmount.currency'),
    amount: entry('currencyExchange.instructedAmount.amount'),
    rate: entry('currencyExchange.exchangeRate'),
  },
  Statement: {
    id: statement('statementId'),
    number: statement('statementNumber'),
    currency: statement('currency'),
    from: statement('dateFrom'),
    to: statement('dateTo'),
    opening: statement('openingBalance.amount'),
    closing: statement('closingBalance.amount'),
    credits: statement('totalCredits.amount.amount'),
    debits: statement('totalDebits.amount.amount'),
    creditCount: statement('totalCredits.count'),
    debitCount: statement('totalDebits.count'),
    createdAt: statement('createdDateTime'),
  },
  Funds: {
    accountId: 'Repeats the question.',
    currency: 'Repeats the question.',
    fundsAvailable: ['confirmFunds', 'fundsAvailable'],
  },
  PaymentState: {
    paymentId: ['getPayment', 'paymentId'],
    status: ['getPayment', 'transactionStatus'],
    reason: ['getPayment', 'statusReason'],
    lookAgainAt: 'When the core is asked again. Third parties get an event as soon as the status changes.',
  },
  StatusReason: {
    code: ['getPayment', 'statusReason.code'],
    text: ['getPayment', 'statusReason.text'],
  },
};

export interface ParityRow {
  /** Such as Transaction.balance. */
  readonly core: string;
  /** Whether a core may leave it out, or give null. */
  readonly isOptional: boolean;
  readonly operation: string | null;
  readonly members: readonly string[];
  /** Why the interface does not give it; null if it does. */
  readonly reason: string | null;
}

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly type?: string | readonly string[];
}

type Schemas = Readonly<Record<string, Schema>>;

const documentOf = (text: object): { schemas: Schemas; paths: Readonly<Record<string, object>> } => {
  const { components, paths } = text as { components: { schemas: Schemas }; paths: Record<string, object> };
  return { schemas: components.schemas, paths };
};

/** The schema itself, what it may be instead, and what its lists hold. */
const variantsOf = (schema: Schema, schemas: Schemas): readonly Schema[] => {
  const named = schema.$ref === undefined ? undefined : schemas[schema.$ref.split('/').at(-1) ?? ''];
  const { anyOf = [], oneOf = [], allOf = [], items } = schema;
  const inner = [...(named ? [named] : []), ...anyOf, ...oneOf, ...allOf, ...(items ? [items] : [])];
  return [schema, ...inner.flatMap((each) => variantsOf(each, schemas))];
};

const has = (schema: Schema, [name, ...rest]: readonly string[], schemas: Schemas): boolean =>
  name === undefined ||
  variantsOf(schema, schemas).some(({ properties }) => {
    const member = properties?.[name];
    return member !== undefined && has(member, rest, schemas);
  });

const mayBeNull = (schema: Schema, schemas: Schemas): boolean =>
  variantsOf(schema, schemas).some(({ type }) => type === 'null' || type?.includes('null') === true);

/** The members of a component of the contract, in its order. */
const membersOf = (
  name: string,
  { schemas }: { readonly schemas: Schemas },
): readonly (readonly [string, boolean])[] => {
  const { properties = {}, required = [] } = schemas[name] ?? {};
  return Object.entries(properties).map(([member, schema]) => [
    member,
    !required.includes(member) || mayBeNull(schema, schemas),
  ]);
};

export interface Parity {
  readonly rows: readonly ParityRow[];
  /** Members of the contract that have neither a member of the interface nor a reason. */
  readonly missing: readonly string[];
  /** Members of the interface that this report names and the interface does not have. */
  readonly unknown: readonly string[];
}

const answersOf = (paths: Readonly<Record<string, object>>): ReadonlyMap<string, Schema> =>
  new Map(
    Object.values(paths)
      .flatMap((methods) => Object.values(methods) as { operationId?: string; responses?: object }[])
      .map(({ operationId = '', responses = {} }) => {
        const { 200: ok } = responses as { 200?: { content?: Record<string, { schema?: Schema }> } };
        return [operationId, ok?.content?.['application/json']?.schema ?? {}];
      }),
  );

const rowOf = (core: string, isOptional: boolean, found: Carried): ParityRow => {
  const [operation, members, reason] =
    typeof found === 'string' ? [null, [], found] : [found[0], found.slice(1), null];
  return { core, isOptional, operation, members, reason };
};

export const parityReport = (): Parity => {
  const core = documentOf(coreOpenApiDocument(version));
  const ours = documentOf(openApiDocument(describedOperations(), { version }));
  const answers = answersOf(ours.paths);
  const all = Object.entries(carried).flatMap(([component, table]) =>
    membersOf(component, core).map(([member, isOptional]) => ({
      core: `${component}.${member}`,
      isOptional,
      found: table[member],
    })),
  );
  const rows = all.flatMap(({ found, ...each }) =>
    found === undefined ? [] : [rowOf(each.core, each.isOptional, found)],
  );
  return {
    rows,
    missing: all.flatMap(({ core: name, found }) => (found === undefined ? [name] : [])),
    unknown: rows.flatMap(({ operation, members }) =>
      members.flatMap((member) =>
        has(answers.get(operation ?? '') ?? {}, member.split('.'), ours.schemas)
          ? []
          : [`${operation} ${member}`],
      ),
    ),
  };
};

const given = ({ operation, members }: ParityRow): string =>
  `\`${operation}\` ${members.map((member) => `\`${member}\``).join(', ')}`;

export const parityDocument = (): string => {
  const lines = parityReport().rows.map(
    (row) =>
      `| \`${row.core}\` | ${row.isOptional ? 'if the core gives it' : 'always'} | ${row.reason ?? given(row)} |`,
  );
  return `# Parity

Third parties must get the same information on accounts and payments as the account holder gets online (RTS 2018/389, Art. 36(1)(a) and (b)).
\`trapeza parity\` prints this table, \`trapeza parity --psu ID\` also which members your core gives for that person. What your own channels
show and the contract has no member for is not in it: compare them by hand. This page is generated from \`src/cli/parity-report.ts\` and the two OpenAPI
documents by \`npm run docs\`.

| Member of the [core contract](core.md) | Given | Member of the interface, or why there is none |
|---|---|---|
${lines.join('\n')}
`;
};

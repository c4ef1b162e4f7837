/** People of one's own in a sandbox that runs: all of them at once, in the store, so that every node has the same. */
import {
  fieldFault,
  type Operation,
  operation,
  Problem,
  putSetting,
  type Queries,
  removeSetting,
} from 'trapeza/base';
import { sandboxArea } from './area.js';
import { contentFaults, MOST_TRANSACTIONS, People } from './own-people.js';
import { PUT_PEOPLE } from './roster.js';

/** Some thousand transactions. */
const LARGEST = 256 * 1024;

export interface PeopleParts {
  readonly today: () => string;
  /** Resets the sandbox, and changes with it what it is given. */
  readonly reset: (isLate: () => boolean, first?: (tx: Queries) => Promise<void>) => Promise<void>;
}

const example = {
  people: [
    {
      username: 'iro',
      password: 'iro-test',
      name: 'Ηρώ Καλλέργη',
      accounts: [
        {
          currency: 'EUR',
          balance: 850.25,
          transactions: [
            { daysAgo: 30, amount: 1200, text: 'Wages', counterparty: 'Ναυτιλιακή Α.Ε.' },
            { daysAgo: 28, amount: -480, text: 'Rent' },
          ],
        },
      ],
    },
  ],
};

const demandContent = (value: unknown, today: string): void => {
  const errors: Record<string, ReturnType<typeof fieldFault>[]> = {};
  for (const [path, reason] of contentFaults(value, today))
    errors[path] = [...(errors[path] ?? []), fieldFault('conflict', reason)];
  if (Object.keys(errors).length > 0) throw new Problem('validation-failed', { errors });
};

const shared = { area: sandboxArea, headers: [], query: [], params: [], repeat: 'ignored' } as const;
const PATH = '/sandbox/people';

const putPeople = ({ today, reset }: PeopleParts): Operation =>
  operation({
    ...shared,
    id: 'putSandboxPeople',
    method: 'PUT',
    path: PATH,
    summary: 'Put people of your own into the sandbox',
    description:
      'People with accounts and transactions, beside the demo people, in the place of those of an earlier call. The sandbox is reset with it, and later resets keep them. `balance` is what an account has after its transactions. At most 256 KB. For tests that disturb no other developer, call it at the address of your own sandbox.',
    body: People,
    bodyLimit: { bytes: LARGEST, members: MOST_TRANSACTIONS },
    bodyExample: example,
    success: { status: 204, description: 'Done. `GET /sandbox/credentials` lists them.' },
    async handle(call) {
      demandContent(call.body, today());
      await reset(
        () => call.isLate(),
        (tx) => putSetting(tx, PUT_PEOPLE, JSON.stringify(call.body)),
      );
      return { status: 204 };
    },
  });

const deletePeople = ({ reset }: PeopleParts): Operation =>
  operation({
    ...shared,
    id: 'deleteSandboxPeople',
    method: 'DELETE',
    path: PATH,
    summary: 'Remove the people of your own',
    description: 'Only the people of the start are left. The sandbox is reset with it.',
    success: { status: 204, description: 'Done.' },
    async handle(call) {
      await reset(
        () => call.isLate(),
        (tx) => removeSetting(tx, PUT_PEOPLE),
      );
      return { status: 204 };
    },
  });

export const peopleControls = (parts: PeopleParts): readonly Operation[] => [
  putPeople(parts),
  deletePeople(parts),
];

/** Accounts of the console, and what their owners do about account holders. */
import { act } from '../acts/act.js';
import { given } from '../acts/field.js';
import { list } from '../acts/list.js';
import { endByBank } from './consents.js';
import * as records from './operators.js';
import { texts } from './texts.js';

/** A new account, or a new link for a known one. Returns the secret of the link, which is shown only now. */
export const addOperator = act({
  name: 'operator.add',
  about: 'existing',
  roles: [],
  texts,
  input: { role: given<string>() },
  audited: ['role'],
  prepare: async ({ audit }) => audit.vault,
  run: (tx, { id: name, input: { role }, now, prepared: vault }) =>
    records.inviteOperator(tx, vault, { name, role }, now),
});

export const removeOperator = act({
  name: 'operator.remove',
  about: 'existing',
  roles: [],
  texts,
  input: {},
  command: {
    help: 'remove an account and end its sessions',
    id: ['name', 'name of the operator'],
    example: 'maria',
    says: 'Operator {id} is removed.',
  },
  run: (tx, { id: name }) => records.removeOperator(tx, name),
});

export const operators = list({
  name: 'operator.list',
  command: {
    help: 'list the accounts of the console',
    empty: 'There are no operators yet: trapeza operator add --help',
  },
  rows: ({ db }) => records.listOperators(db),
  line: ({ isEnrolled, ...row }) => ({ ...row, status: isEnrolled === 1 ? 'active' : 'invited' }),
});

export const openPerson = act({
  name: 'person.open',
  about: 'existing',
  roles: ['customers'],
  texts,
  input: {},
  run: async () => undefined,
});

/** The third party and the account holder see that the bank ended it. */
export const endConsent = act({
  name: 'consent.end',
  about: 'existing',
  roles: ['customers'],
  texts,
  input: { by: given<string>(), why: given<string>() },
  audited: ['by'],
  reason: ({ why }) => why,
  prepare: ({ bankTime }) => bankTime(),
  run: (tx, { id, input, prepared: at }) => endByBank(tx, id, input, at),
  subject: (id, outcome) => (outcome === 'ended' ? `consent:${id}` : undefined),
});

/** Accounts of the console: who of the bank may use it. */
import { act } from '../acts/act.js';
import { given } from '../acts/field.js';
import { list } from '../acts/list.js';
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

/** Acts about the accounts of the console. */
import type { Vault } from '../lib/vault.js';
import { Acts } from './acts.js';
import { inviteOperator, listOperators, type NewOperator, removeOperator } from './operators.js';

export class OperatorActs extends Acts {
  /** A new account, or a new link for a known one. Returns the secret of the link, which is shown only now. */
  inviteOperator(vault: Vault, operator: NewOperator): Promise<string> {
    return this.change(['operator.add', { role: operator.role }], `operator:${operator.name}`, (tx, now) =>
      inviteOperator(tx, vault, operator, now),
    );
  }

  removeOperator(name: string): Promise<void> {
    return this.change('operator.remove', `operator:${name}`, (tx) => removeOperator(tx, name));
  }

  noteLogin(name: string, act: 'operator.login' | 'operator.enrol' = 'operator.login'): Promise<void> {
    return this.change(act, `operator:${name}`, async () => undefined);
  }

  operators() {
    return listOperators(this.db);
  }
}

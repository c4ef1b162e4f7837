/** The audit log as every service of the tests has it. */
import { AuditLog } from '../../src/audit/audit-log.js';
import { Vault } from '../../src/lib/vault.js';
import { testSecret } from './service.js';

export const testVault = new Vault(testSecret);
export const testAudit = new AuditLog(() => testVault);

/** Operation 3: the status of an account information consent, for its owner and nobody else. */
import { describe, expect, it } from 'vitest';
import { consentStatuses } from '../../src/consent/record.js';
import { engines } from '../support/engines.js';
import { statusPath } from '../support/operations.js';
import { type Use, useService } from '../support/use-service.js';
import { commonStatuses } from './common-statuses.js';
import { absent, badHeaders, everyStatus, otherRoles, type Read } from './consent-reads.js';

const read: Read = { kind: 'AccountAccess', scope: 'ais', member: 'status', path: statusPath };

const exactBody = (service: Use): void => {
  it.each(consentStatuses)('the body of %s has one member and nothing else', async (status) => {
    const { id } = service().consent('AccountAccess', status);
    expect((await service().call({ path: statusPath(id) })).text).toBe(`{"status":"${status}"}`);
  });
};

describe.each(engines)('get consent status on %s', (engine) => {
  const service = useService({ engine });
  describe('200 OK: every status', () => everyStatus(read, service));
  describe('200 OK: the body', () => exactBody(service));
  describe('400 Bad Request', () => badHeaders(read, service));
  describe('403 Forbidden: other roles', () => otherRoles(read, service));
  describe('404 Not Found: the consent', () => absent(read, service));
  commonStatuses('getConsentStatus', engine, service);
});
